#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "error.hpp"
#include "same_score.hpp"

namespace dagscape {

/// What is known of a component's optimum so far: the best network found, the incumbent, and a bound that
/// no network can beat. Algorithms that run at the same time share one, and each ends when the two meet.
///
/// Both are regrets: what a network loses against the relaxed optimum, where every variable has its best
/// parents, cycles or not.
class Gap {
  public:
    static constexpr double tolerance = same_score;

    /// `chosen`: the place of each variable's parent set in its list. Keeps it if it is better than what
    /// there is; tells whether.
    bool offer(double regret, std::vector<std::uint32_t> chosen) {
        const std::lock_guard lock(changing_);
        if (regret >= regret_.load() - tolerance) return false;
        chosen_ = std::move(chosen);
        regret_.store(regret);
        return true;
    }
    /// No network has less regret than this.
    void raise(double bound) {
        const std::lock_guard lock(changing_);
        bound_.store(std::max(bound_.load(), bound));
    }

    /// For searches that begin with a network.
    void check_incumbent() const {
        if (!(regret() < std::numeric_limits<double>::infinity()))
            throw Error(ErrorKind::parameter, "a search over orders with multipliers begins with a network");
    }
    double regret() const { return regret_.load(std::memory_order_relaxed); }
    double bound() const { return std::min(bound_.load(std::memory_order_relaxed), regret()); }
    /// Whether the incumbent is proven to be the best.
    bool closed() const { return bound_.load(std::memory_order_relaxed) >= regret() - tolerance; }
    /// Empty as long as there is none.
    std::vector<std::uint32_t> chosen() const {
        const std::lock_guard lock(changing_);
        return chosen_;
    }

  private:
    mutable std::mutex changing_;
    std::atomic<double> regret_ = std::numeric_limits<double>::infinity();
    std::atomic<double> bound_ = 0;
    std::vector<std::uint32_t> chosen_;
};

}  // namespace dagscape
