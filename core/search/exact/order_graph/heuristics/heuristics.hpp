#pragma once

#include <span>

#include "search/exact/order_graph/heuristics/heuristic.hpp"

namespace dagscape {

/// Nothing is known of the variables left: none loses less than nothing (Wu 2010, equation 3.2).
const HeuristicKind& simple_heuristic();
/// Pattern databases.
const HeuristicKind& pattern_heuristic();
/// These, along with prices of clusters.
const HeuristicKind& cluster_heuristic();
/// Multipliers of cuts, which come from elsewhere.
const HeuristicKind& cut_heuristic();

/// All of them.
std::span<const HeuristicKind* const> heuristics();

}  // namespace dagscape
