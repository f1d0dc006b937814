#pragma once

#include <optional>

#include "graphs/dag.hpp"
#include "graphs/marked_graph.hpp"

namespace dagscape {

/// The maximal ancestral graph of a network some of whose variables are hidden (Richardson and Spirtes 2002).
/// It has all variables of the network; the hidden ones have no edges. Two others are joined if nothing seen
/// separates them, with a tail at causes, direct or through others.
MarkedGraph ancestral_graph(const Dag& dag, const WideSet& hidden);

/// Whether a graph of tails and heads is ancestral (no variable is an ancestor of another that it has a head
/// from, no edge has two tails) and maximal (variables that are not joined can be separated).
bool is_maximal_ancestral(const MarkedGraph& graph);

/// What all maximal ancestral graphs with the same separations as this one share: its PAG.
MarkedGraph class_of(const MarkedGraph& ancestral);

/// A maximal ancestral graph that agrees with a PAG, if there is one: of an edge with one circle the circle
/// becomes a tail, and those with two are directed without a further collider (Zhang 2008, theorem 2). Where
/// knowledge has put marks, other ways are tried too. What comes of a graph that is no PAG need not be
/// ancestral, or of its class.
std::optional<MarkedGraph> member_of(const MarkedGraph& pag);

/// The arrows of a PAG or ancestral graph that no hidden cause can stand beside: those visible (Zhang, Causal
/// reasoning with ancestral graphs, JMLR 2008).
std::vector<Arc> visible_arrows(const MarkedGraph& graph);

}  // namespace dagscape
