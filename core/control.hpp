#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

namespace dagscape {

/// Why a computation ended before its work was done.
enum class Stop { none, time, memory, interrupt };

/// What a long computation obeys: a time limit, a wish to stop, a limit of memory; and where it says
/// how far it is. Any thread may ask `stopped()`; the thread that made it also looks at the outside
/// world then, a few times a second at most.
class Control {
  public:
    using Clock = std::chrono::steady_clock;
    /// Told how much of the work is done, between 0 and 1; answers whether to stop.
    using Poll = std::function<bool(double)>;

    explicit Control(double seconds = std::numeric_limits<double>::infinity(),
                     std::size_t max_bytes = std::numeric_limits<std::size_t>::max(), Poll poll = {})
        : poll_(std::move(poll)),
          max_bytes_(max_bytes),
          owner_(std::this_thread::get_id()),
          start_(Clock::now()) {
        // Beyond a few years a duration would overflow; such a limit is no limit.
        if (seconds < 1e8)
            deadline_ =
                start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    bool stopped() {
        if (why_.load(std::memory_order_relaxed) != Stop::none) return true;
        const auto now = Clock::now();
        if (now >= deadline_) stop(Stop::time);
        if (poll_ && std::this_thread::get_id() == owner_ && now - polled_ > std::chrono::milliseconds(50)) {
            polled_ = now;
            if (poll_(done_.load(std::memory_order_relaxed))) stop(Stop::interrupt);
        }
        return why_.load(std::memory_order_relaxed) != Stop::none;
    }
    void stop(Stop why) {
        Stop before = Stop::none;
        why_.compare_exchange_strong(before, why, std::memory_order_relaxed);
    }
    Stop why() const { return why_.load(std::memory_order_relaxed); }

    /// Adds to the share of the present stage that is done.
    void advance(double share) { done_.fetch_add(share * stage_, std::memory_order_relaxed); }
    /// What the stage that begins is of the whole work, about. Not to be called while it is under way.
    void stage(double share) { stage_ = share * whole_; }
    /// The stage that begins is all the rest.
    void last_stage() { stage_ = whole_ * std::max(0.0, 1 - done_.load(std::memory_order_relaxed)); }
    /// Stages from here on take themselves for stages of the whole work, and are this share of them. Not to
    /// be called while one is under way.
    void as_share(double share) { whole_ = stage_ = share; }

    std::size_t max_bytes() const { return max_bytes_; }
    /// Says that memory was taken; what exceeds the limit stops the computation.
    void charge(std::size_t bytes) {
        if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes > max_bytes_) stop(Stop::memory);
    }
    void release(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    /// Until the time limit; infinite without one.
    double seconds_left() const {
        if (deadline_ == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
        return std::chrono::duration<double>(deadline_ - Clock::now()).count();
    }

  private:
    Poll poll_;
    std::size_t max_bytes_;
    std::thread::id owner_;
    Clock::time_point start_;
    Clock::time_point deadline_ = Clock::time_point::max();
    Clock::time_point polled_{};
    std::atomic<Stop> why_ = Stop::none;
    std::atomic<std::size_t> used_ = 0;
    std::atomic<double> done_ = 0;
    double stage_ = 1;
    double whole_ = 1;
};

}  // namespace dagscape
