#include "graphs/essential_graph.hpp"

#include <algorithm>

#include "graphs/meek.hpp"

namespace dagscape {

/// Chickering, A transformational characterization of equivalent Bayesian network structures, UAI 1995.
///
/// Heads are taken in a topological order. For each, its latest parent x decides all arcs into it:
/// they are compelled where x has a compelled parent that the head lacks, or the head a parent that
/// x lacks; else only those from x's own compelled parents are, since reversing one would close a cycle.
Pdag essential_graph(const Dag& dag) {
    const std::size_t n = dag.variables();
    const std::vector<Var> order = topological_order(dag);
    std::vector<std::size_t> rank(n);
    for (std::size_t at = 0; at < n; ++at) rank[order[at]] = at;

    std::vector<WideSet> compelled(n, WideSet(n));  // per head: the tails of its compelled arcs
    for (const Var y : order) {
        const WideSet& tails = dag.parents(y);
        if (tails.empty()) continue;
        const Var x =
            *std::max_element(tails.begin(), tails.end(), [&](Var a, Var b) { return rank[a] < rank[b]; });
        WideSet others = tails;
        others.erase(x);
        const bool all = !compelled[x].subset_of(tails) || !others.subset_of(dag.parents(x));
        compelled[y] = all ? tails : compelled[x];
    }

    Pdag result(n);
    for (const auto& [from, to] : dag.arcs()) {
        if (compelled[to].contains(from)) {
            result.add_directed(from, to);
        } else {
            result.add_undirected(from, to);
        }
    }
    return result;
}

Pdag essential_graph(const Dag& dag, std::span<const std::uint32_t> kinds) {
    Pdag graph = essential_graph(dag);
    Orientation further(dag.variables(), dag.arcs());
    for (const auto& [from, to] : graph.directed_edges()) further.add_arc(from, to);
    bool more = false;
    for (const auto& [from, to] : dag.arcs())
        if (graph.undirected(from).contains(to) && kinds[from] != kinds[to])
            more = further.add_arc(from, to) || more;
    if (!more) return graph;
    further.follow();
    return further.pdag();
}

}  // namespace dagscape
