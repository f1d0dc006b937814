#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "control.hpp"
#include "parents/constraints.hpp"
#include "parents/parent_lists.hpp"
#include "parents/pruning.hpp"
#include "set_functions/scorer.hpp"
#include "varset/wanted_sets.hpp"

namespace dagscape {

struct SequentialOptions {
    PruningRules prune;
    WalkOptions walk;
    std::size_t threads = 1;
    /// The largest parent sets to be done for all children at once; at least 1.
    std::size_t most_together = 23;
    /// The children to make lists for, ascending; all if none are named. Their lists, and what is said of
    /// them, do not depend on who else is chosen, as long as function, rules, options of the walk and memory
    /// are the same.
    std::optional<std::vector<Var>> children = {};
    /// A part of the work for all children; joined, the parts' lists are those of the whole. Sets of the
    /// largest size done together are shared out, so that none is counted twice; what is smaller, and what is
    /// done child by child, goes to parts by the child.
    Part share = {};
    /// Selections that keep values at the same time and share the memory.
    std::size_t beside = 1;
};

/// What was done, beside the lists themselves.
struct SelectionWork {
    std::uint64_t sets_counted = 0;     // variable sets whose values were computed
    std::uint64_t families_scored = 0;  // a child with its parents
    PruningCounts pruned;
    std::vector<std::string_view> dense_ways;  // of parent sets done for all children at once, by size
    Stop stop = Stop::none;
};

/// What a selection will take if no rule spares anything: an upper limit of the work, roughly in seconds.
struct SelectionEstimate {
    double sets = 0;        // of variables, to be counted
    double bytes = 0;       // kept between sizes
    double list_bytes = 0;  // if every set were kept, on top
    double seconds = 0;     // on a machine like the one the constants were measured on
    std::size_t max_parents = 0;
    bool complete = true;  // whether all sizes fit the memory
};
SelectionEstimate estimate_sequential(const Scorer& scorer, const Constraints& constraints,
                                      const SequentialOptions& options, Control& control);

/// The variables in the order in which blocks of children should be cut.
std::vector<Var> selection_order(const Scorer& scorer);

/// Scores parent sets breadth first, by size, leaving out what the rules allow.
///
/// Small sizes are done for all variables at once, since one count of a set serves all its members
/// as children. Once the rules leave so few sets that these are done sooner one by one, or memory
/// would not do, each child goes on alone with the sets all of whose subsets are left.
///
/// With a share or some children alone, all sets but the largest are counted as for all of them, since their
/// values are needed; of the largest, which are n/k times as many, only a share, or those with such a child.
/// Blocks of children that are next to each other in `selection_order` cost least; but a set with children of
/// several blocks is counted for each, and shares cost less.
ParentLists sequential_selection(const Scorer& scorer, const Constraints& constraints,
                                 const SequentialOptions& options, Control& control, SelectionWork& work);

}  // namespace dagscape
