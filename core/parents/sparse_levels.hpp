#pragma once

#include <cstdint>
#include <unordered_map>

#include "control.hpp"
#include "parents/constraints.hpp"
#include "parents/parent_lists.hpp"
#include "parents/pruning.hpp"
#include "parents/set_key.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// Goes on with one child's parent sets, size by size, with those all of whose subsets are left.
class SparseLevels {
  public:
    SparseLevels(const Scorer& scorer, const FamilyBounds& bounds, const Constraints& constraints,
                 const PruningRules& prune, Var child, std::size_t limit)
        : scorer_(scorer),
          bounds_(bounds),
          constraints_(constraints),
          prune_(prune),
          child_(child),
          limit_(limit) {}

    /// A set of the size to begin with, and the best score among its subsets and itself.
    void start(Members parents, double best, Control& control);
    /// Scores the larger sets into the list; returns the largest size that was finished.
    std::size_t run(std::size_t size, ParentList& whole, Control& control);

    std::size_t left() const { return frontier_.size(); }
    std::uint64_t scored() const { return scored_; }
    const PruningCounts& pruned() const { return pruned_; }
    /// About what one set in the frontier takes.
    static constexpr std::size_t bytes_per_set = 112;

  private:
    struct Values {
        double score;  // not a number where it has not been asked for
        double best;
    };
    using Level = std::unordered_map<SetKey, Values>;

    /// All subsets one smaller are left, and none of them is one that the last parent never pays for.
    bool worth_scoring(const SetKey& set, double& below);
    bool never_pays(const SetKey& set);
    /// No proper superset of these parents matters; their score is `value` or, where that is not a number,
    /// unknown.
    bool none_larger(Members parents, double value, double best) const;
    double score(const SetKey& set);

    const Scorer& scorer_;
    const FamilyBounds& bounds_;
    const Constraints& constraints_;
    const PruningRules& prune_;
    Var child_;
    std::size_t limit_;
    Level frontier_;
    std::uint64_t scored_ = 0;
    PruningCounts pruned_;
};

}  // namespace dagscape
