#pragma once

#include <cstdint>

#include "control.hpp"
#include "search/exact/dual_bound/cut_multipliers.hpp"
#include "search/exact/gap.hpp"

namespace dagscape {

struct AstarByCutsWork {
    std::uint64_t nodes = 0;     // sets of variables that were reached
    std::uint64_t expanded = 0;  // those whose successors were looked at
    std::uint64_t edges = 0;     // whose costs were looked up
    std::size_t bytes = 0;       // at the end
};

/// Closes the gap by a search over orders, with what multipliers of cuts say of the variables that are left.
///
/// It is A* on the order graph (see order_graph/astar.hpp): a node is the set of variables placed so far, an
/// edge places one more. There prices of clusters are found greedily; here multipliers come from elsewhere,
/// of cuts of any kind, and are as good as time allowed (CutPotential). Nodes of nearly equal estimates are
/// taken in any order, and one that is reached more cheaply after its expansion is expanded again.
///
/// The gap must have an incumbent. Its bound rises to the least estimate that waits; in the end it is closed.
/// Stops early if `control` does.
AstarByCutsWork astar_by_cuts(const Families& families, const CutMultipliers& multipliers, Gap& gap,
                              Control& control);

/// What it costs at least to place these variables after all others, by the multipliers; `most`: no network
/// with a greater regret is looked for.
double least_rest(const Families& families, const CutMultipliers& multipliers, double most, Members left);

}  // namespace dagscape
