#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "control.hpp"
#include "graphs/dag.hpp"
#include "parents/set_key.hpp"
#include "search/local/small_network.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// The arcs of a network on a few of the variables, ascending.
using LocalArcs = std::vector<Arc>;

struct OptimalNetworkOptions {
    /// Up to so many variables the best network is found; above, by greedy equivalence search, or by hill
    /// climbing where children are of several kinds.
    std::size_t exact_limit = 20;
    std::size_t max_parents = 5;
    /// Whether sets that cannot matter are left out, and sets that come again looked up; this saves time and
    /// changes nothing else.
    bool shortcuts = true;
};

/// The subroutine OptimalNetwork of local learning: the highest-scoring network on a set of variables, out of
/// those with a limited number of parents. Sets come again around other targets, so answers are kept. Safe to
/// use from several threads.
///
/// Small sets are solved by SmallNetwork, whose rule for ties depends on the order of the variables alone.
/// Larger ones go through pruned lists to the dynamic programming of exact learning, with the same rule as
/// far as rounding permits.
class OptimalNetworks {
  public:
    /// The score must be one that equivalent networks share, or each kind of children by itself.
    OptimalNetworks(const Scorer& scorer, const OptimalNetworkOptions& options);

    const Scorer& scorer() const { return scorer_; }

    struct Work {
        std::uint64_t asked = 0;   // networks
        std::uint64_t apart = 0;   // where the variable tried was seen to have no neighbor
        std::uint64_t exact = 0;   // found by dynamic programming
        std::uint64_t greedy = 0;  // found by greedy equivalence search
    };
    Work work() const { return {asked_.load(), apart_.load(), exact_.load(), greedy_.load()}; }

    /// A search that tries one variable after another beside a base that seldom changes. For one thread.
    class Trials {
      public:
        explicit Trials(const OptimalNetworks& networks)
            : networks_(networks), subsets_(networks.scorer_.function().subsets()) {}
        /// The best network on the base and one variable more. Nothing once the control is stopped.
        std::optional<LocalArcs> with(const std::vector<Var>& base, Var tried, Control& control);

      private:
        LocalArcs small(const std::vector<Var>& base, Var tried);
        bool set_base(const std::vector<Var>& base);

        const OptimalNetworks& networks_;
        std::unique_ptr<SubsetValues> subsets_;  // null where the function has none
        SmallNetwork solver_;
        std::optional<std::vector<Var>> base_;
        bool fits_ = false;          // whether the base is small enough
        std::vector<double> joint_;  // of the base's subsets
        std::vector<double> joint_with_;
    };

  private:
    struct Shard {
        std::mutex mutex;
        std::unordered_map<SetKey, LocalArcs> known;
    };
    static constexpr std::size_t shard_count = 16;

    std::vector<bool> needed(Members set) const;
    std::optional<LocalArcs> large(Members set, Control& control) const;
    std::optional<LocalArcs> greedy(Members set, Control& control) const;
    std::optional<LocalArcs> climbed(Members set, Control& control) const;

    const Scorer& scorer_;
    OptimalNetworkOptions options_;
    double tolerance_;
    std::unique_ptr<FamilyBounds> bounds_;
    mutable std::array<Shard, shard_count> shards_;
    mutable std::atomic<std::uint64_t> asked_ = 0, apart_ = 0, exact_ = 0, greedy_ = 0;
};

}  // namespace dagscape
