#pragma once

#include <functional>

#include "graphs/marked_graph.hpp"

namespace dagscape {

/// Whether the last but one variable of a discriminating path has a tail there, from its first variable, this
/// one, and its last: it has one if it is in the sets that separate the first from the last.
using SaysTail = std::function<bool(Var first, Var middle, Var last)>;

/// Replaces circles by the heads and tails that follow, until no rule finds more.
///
/// The rules R1 to R4 and R8 to R10 of Zhang (On the completeness of orientation rules for causal discovery
/// in the presence of latent confounders and selection bias, Artificial Intelligence 172, 2008); R5 to R7 are
/// about selection, which is taken not to occur. Marks that are there stay, and no tail faces a tail.
///
/// Paths are looked for as walks. In a graph that some ancestral graph agrees with the two come to the same:
/// circles form a chordal graph, in which an uncovered walk cannot meet itself, and arrows close no cycle.
void follow_rules(MarkedGraph& graph, const SaysTail& says_tail);

}  // namespace dagscape
