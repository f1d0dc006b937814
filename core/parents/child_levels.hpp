#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "control.hpp"
#include "parents/bounded_list.hpp"
#include "parents/constraints.hpp"
#include "parents/parent_lists.hpp"
#include "parents/pruning.hpp"
#include "set_functions/extension_scores.hpp"
#include "varset/ranks.hpp"

namespace dagscape {

/// Scores one child's parent sets alone: its required parents and one size after another of the others that
/// it may have.
///
/// A set is extended by all variables after its last at once. Where few variables are children, or each has
/// required parents, that is less than walking all sets of all variables: series have their own past as a
/// parent, and only the present has parents at all.
class ChildLevels {
  public:
    /// `limit`: the most parents, required ones among them.
    ChildLevels(const Scorer& scorer, const FamilyBounds& bounds, const Constraints& constraints,
                const PruningRules& prune, Var child, std::size_t limit);

    /// Scores the sets into the list; returns the largest size that was finished, or the limit where no
    /// larger set is left. What is kept of a size for the next must fit `bytes`.
    std::size_t run(ParentList& whole, ExtensionScores& scores, std::size_t bytes, Control& control);

    /// How many sets there are.
    static double sets(const Constraints& constraints, Var child, std::size_t limit);

    std::uint64_t scored() const { return scored_; }
    const PruningCounts& pruned() const { return pruned_; }

  private:
    using Level = std::vector<double>;  // by rank: the best of a set's subsets and itself
    static constexpr double gone = std::numeric_limits<double>::quiet_NaN();  // no larger set matters

    void grow(std::size_t size, const Level& level, Level* next, BoundedList& list, ExtensionScores& scores,
              Control& control);
    void offer(Members parents, double score, double below, Level* next, std::size_t rank, BoundedList& list,
               Control& control);
    bool none_larger(Members parents, double score, double best) const;
    void fill_parents(const std::vector<std::size_t>& set);

    const FamilyBounds& bounds_;
    const PruningRules& prune_;
    Var child_;
    std::size_t limit_;
    std::vector<Var> required_, others_;  // ascending
    Ranks ranks_;
    std::vector<Var> parents_;  // required ones and some others, ascending
    std::uint64_t scored_ = 0;
    PruningCounts pruned_;
};

}  // namespace dagscape
