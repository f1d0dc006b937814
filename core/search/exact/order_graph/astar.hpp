#pragma once

#include <cstdint>

#include "control.hpp"
#include "search/exact/gap.hpp"
#include "search/exact/order_graph/heuristics/heuristics.hpp"
#include "search/exact/regrets.hpp"

namespace dagscape {

struct AstarOptions {
    const HeuristicKind* heuristic = &cluster_heuristic();
    /// A variable whose best parents anywhere are placed already is placed at once, without a choice.
    bool forced_moves = true;
};

struct AstarWork {
    std::uint64_t nodes = 0;     // of the order graph, that were reached
    std::uint64_t expanded = 0;  // those whose successors were looked at
    std::uint64_t edges = 0;     // whose costs were looked up
    Heuristic::Work heuristic;
    std::size_t bytes = 0;  // of all at the end, which is the most
};

/// A* over the order graph (Wu 2010, Figure 3.1; Yuan, Malone and Wu, IJCAI 2011).
///
/// A node is the set of variables placed so far; an edge places one more, with its best parents among them.
/// An edge costs the variable's regret: what it loses against its best parent set anywhere. Costs are never
/// negative, and a whole path costs the gap to the relaxed optimum. The heuristic is consistent, so that a
/// node is expanded once, by the cheapest route to it. Ties go to the set with more variables, which is
/// nearer to the end, then to the lower.
///
/// Nodes that cannot lead to anything better than the incumbent are not kept. With the simple heuristic,
/// without forced moves and without an incumbent it is the algorithm of the paper, node by node.
AstarWork astar(const Regrets& regrets, const AstarOptions& options, Gap& gap, Control& control);
/// The same, with regrets made within the limits of the control.
AstarWork astar(const ParentLists& parents, const AstarOptions& options, Gap& gap, Control& control);

}  // namespace dagscape
