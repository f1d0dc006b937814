#pragma once

#include <cstdint>

#include "control.hpp"
#include "search/exact/dual_bound/cut_multipliers.hpp"
#include "search/exact/gap.hpp"

namespace dagscape {

struct DepthFirstWork {
    std::uint64_t nodes = 0;  // whose bounds were raised
    std::uint64_t steps = 0;  // of ascent, in all
    std::uint64_t sets = 0;   // of variables, that were placed first
};

/// Closes the gap by a depth-first search over orders, with multipliers of its own at every node.
///
/// A node is the set of variables placed so far, as in A*. There the multipliers are those of the whole
/// problem, and cuts whose members are placed have nothing more to say. Here a node begins with the
/// multipliers of the one above, gives back what such cuts took, and raises its bound again by greedy ascent,
/// near the top by smoothed steps too (Subproblem). That takes milliseconds where A* takes microseconds, and
/// prunes so much earlier that far fewer nodes are needed. A set of variables that was explored before at no
/// more cost is not explored again, whichever way it was reached.
///
/// The gap must have an incumbent. Its bound rises to the least one of those with a single variable placed,
/// then only in the end, when it is closed. Stops early if `control` does.
DepthFirstWork depth_first(const CutMultipliers& multipliers, Gap& gap, std::size_t threads,
                           Control& control);

}  // namespace dagscape
