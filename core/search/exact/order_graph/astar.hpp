#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "control.hpp"
#include "search/exact/dual_bound/cut_multipliers.hpp"
#include "search/exact/gap.hpp"
#include "search/exact/order_graph/choices.hpp"
#include "search/exact/order_graph/heuristics/heuristics.hpp"

namespace dagscape {

struct AstarOptions {
    const HeuristicKind* heuristic = &cluster_heuristic();
    /// A variable whose best parents anywhere are placed already is placed at once, without a choice.
    bool forced_moves = true;
    /// Of cuts, for a heuristic that is made from them.
    const CutMultipliers* multipliers = nullptr;
};

struct AstarWork {
    std::uint64_t nodes = 0;     // of the order graph, that were reached
    std::uint64_t expanded = 0;  // those whose successors were looked at
    std::uint64_t edges = 0;     // whose costs counted
    HeuristicWork heuristic;
    std::size_t bytes = 0;  // of all at the end, which is the most
};

/// A* over the order graph (Wu 2010, Figure 3.1; Yuan, Malone and Wu, IJCAI 2011), for up to 256 variables.
///
/// A node is the set of variables placed so far; an edge places one more, with its best parents among them.
/// An edge costs the variable's regret: what it loses against its best parent set anywhere. Costs are never
/// negative, and a whole path costs the gap to the relaxed optimum. The heuristic is consistent, so that a
/// node is expanded once, by the cheapest route to it. Ties go to the set with more variables, which is
/// nearer to the end, then to the lower.
///
/// Nodes that cannot lead to anything better than the incumbent are not kept. With the simple heuristic,
/// without forced moves and without an incumbent it is the algorithm of the paper, node by node.
///
/// The bound of the gap rises to the least estimate that waits; in the end the gap is closed. Stops early if
/// the control does. Where sets have been dropped, the gap must have the incumbent that allowed it.
AstarWork astar(const Choices& choices, const AstarOptions& options, Gap& gap, Control& control);

/// What it costs at least, by a heuristic, to place the variables of each of these sets after all others;
/// `most`: no network with a greater regret is looked for.
std::vector<double> least_rests(const Choices& choices, const AstarOptions& options, double most,
                                std::span<const std::vector<Var>> left);

}  // namespace dagscape
