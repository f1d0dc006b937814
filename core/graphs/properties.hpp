#pragma once

#include <array>
#include <vector>

#include "graphs/dag.hpp"
#include "graphs/pdag.hpp"

namespace dagscape {

/// Variables with a directed path to some member of `of`, without those that are only members.
WideSet ancestors(const Dag& dag, const WideSet& of);
/// Variables with a directed path from some member of `of`.
WideSet descendants(const Dag& dag, const WideSet& of);
/// Other parents of the children.
WideSet spouses(const Dag& dag, Var v);
/// Parents, children and spouses.
WideSet markov_blanket(const Dag& dag, Var v);

/// a -> c <- b with a and b not adjacent, as (a, c, b) with a < b.
std::vector<std::array<Var, 3>> v_structures(const Dag& dag);
/// Arcs a -> b where b's parents are a and a's parents: those whose reversal keeps the class.
std::vector<Arc> covered_arcs(const Dag& dag);
/// The edges of the moral graph, each once with its lower end first.
std::vector<Arc> moral_edges(const Dag& dag);

/// Whether `given` d-separates every member of `a` from every member of `b`. The sets are disjoint.
bool d_separated(const Dag& dag, const WideSet& a, const WideSet& b, const WideSet& given);

/// Pairs of variables whose edges differ: missing in one, or directed otherwise.
std::size_t structural_hamming_distance(const Pdag& a, const Pdag& b);

}  // namespace dagscape
