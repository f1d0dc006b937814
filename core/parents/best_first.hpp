#pragma once

#include <cstdint>

#include "control.hpp"
#include "parents/constraints.hpp"
#include "parents/parent_lists.hpp"
#include "parents/pruning.hpp"
#include "parents/sequential.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// In what order larger parent sets are taken up.
enum class Promise {
    score,        // of the set itself, so that each is scored when it is first seen ("greedy")
    independence  // what it would score if its last parent told nothing that the others tell
};

struct BestFirstOptions {
    Promise promise = Promise::independence;
    std::uint64_t sets_per_child = 20000;
    double seconds_per_child = std::numeric_limits<double>::infinity();
    PruningRules prune;
    std::size_t threads = 1;
    std::optional<std::vector<Var>> children = {};  // as for `sequential_selection`
};

/// Scores parent sets of each child by their promise, the most promising first (Algorithm 1 of Perez and
/// Mauá 2016), until so many are scored or time is over.
///
/// `start`: lists of all that matters up to `start->exhaustive_to` parents, to grow from; else growth begins
/// with the required parents alone. Every set that was scored is a candidate, expanded or not.
ParentLists best_first_selection(const Scorer& scorer, const Constraints& constraints,
                                 const BestFirstOptions& options, const ParentLists* start, Control& control,
                                 SelectionWork& work);

}  // namespace dagscape
