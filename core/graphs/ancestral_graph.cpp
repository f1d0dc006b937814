#include "graphs/ancestral_graph.hpp"

#include <algorithm>

#include "graphs/extension.hpp"
#include "graphs/pag_rules.hpp"
#include "graphs/pdag.hpp"
#include "graphs/properties.hpp"

namespace dagscape {

namespace {

WideSet only(Var v, std::size_t n) {
    WideSet set(n);
    set.insert(v);
    return set;
}

/// Every variable's ancestors along arrows, or none if they close a cycle.
std::optional<std::vector<WideSet>> ancestors_of_all(const MarkedGraph& graph) {
    const std::size_t n = graph.variables();
    std::vector<Arc> arcs;
    for (Var v = 0; v < n; ++v)
        for (const Var parent : graph.parents(v)) arcs.emplace_back(parent, v);
    if (!find_cycle(n, arcs).empty()) return std::nullopt;
    std::vector<WideSet> above(n, WideSet(n));
    for (const Var v : topological_order(Dag(n, arcs)))
        for (const Var parent : graph.parents(v)) {
            above[v].insert(parent);
            above[v] |= above[parent];
        }
    return above;
}

/// Whether a path of colliders, all above a or b, joins a with b: then nothing separates them.
bool inducing_path(const MarkedGraph& graph, Var a, Var b, const WideSet& above) {
    std::vector<Var> reached;
    WideSet seen(graph.variables());
    const auto go = [&](Var from) {
        for (const Var x : graph.adjacent(from) & above)
            if (graph.heads(x).contains(from) && !seen.contains(x) && x != a && x != b) {
                seen.insert(x);
                reached.push_back(x);
            }
    };
    go(a);
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const Var x = reached[i];
        if (graph.heads(x).contains(b)) return true;
        for (const Var y : graph.heads(x) & above)  // x <-> y
            if (graph.heads(y).contains(x) && !seen.contains(y) && y != a && y != b) {
                seen.insert(y);
                reached.push_back(y);
            }
    }
    return false;
}

/// The unshielded colliders of a graph of heads and tails, on its skeleton; all else circles.
MarkedGraph colliders_alone(const MarkedGraph& ancestral) {
    const std::size_t n = ancestral.variables();
    MarkedGraph graph(n);
    for (const auto& [a, b, at_a, at_b] : ancestral.edges()) graph.add(a, b, Mark::circle, Mark::circle);
    for (Var c = 0; c < n; ++c)
        for (const Var a : ancestral.heads(c)) {
            WideSet apart = ancestral.heads(c) - ancestral.adjacent(a);
            apart.erase(a);
            if (!apart.empty()) graph.set_mark(c, a, Mark::head);
        }
    return graph;
}

}  // namespace

MarkedGraph ancestral_graph(const Dag& dag, const WideSet& hidden) {
    const std::size_t n = dag.variables();
    MarkedGraph graph(n);
    if (hidden.empty()) {
        for (const auto& [from, to] : dag.arcs()) graph.add(from, to, Mark::tail, Mark::head);
        return graph;
    }
    std::vector<WideSet> above;
    for (Var v = 0; v < n; ++v) above.push_back(ancestors(dag, only(v, n)));
    for (Var b = 0; b < n; ++b) {
        if (hidden.contains(b)) continue;
        for (Var a = 0; a < b; ++a) {
            if (hidden.contains(a)) continue;
            if (!dag.adjacent(a, b)) {
                WideSet given = (above[a] | above[b]) - hidden;
                given.erase(a);
                given.erase(b);
                if (d_separated(dag, only(a, n), only(b, n), given)) continue;
            }
            graph.add(a, b, above[b].contains(a) ? Mark::tail : Mark::head,
                      above[a].contains(b) ? Mark::tail : Mark::head);
        }
    }
    return graph;
}

bool is_maximal_ancestral(const MarkedGraph& graph) {
    const std::size_t n = graph.variables();
    const auto above = ancestors_of_all(graph);
    if (!above) return false;
    bool any_two_heads = false;
    for (const auto& [a, b, at_a, at_b] : graph.edges()) {
        if (at_a == Mark::circle || at_b == Mark::circle) return false;
        if (at_a == Mark::tail && at_b == Mark::tail) return false;
        if (at_a != Mark::head || at_b != Mark::head) continue;
        any_two_heads = true;
        if ((*above)[a].contains(b) || (*above)[b].contains(a)) return false;
    }
    if (!any_two_heads) return true;  // colliders in a row need such an edge
    for (Var b = 0; b < n; ++b)
        for (Var a = 0; a < b; ++a)
            if (!graph.adjacent(a, b) && inducing_path(graph, a, b, (*above)[a] | (*above)[b])) return false;
    return true;
}

MarkedGraph class_of(const MarkedGraph& ancestral) {
    MarkedGraph graph = colliders_alone(ancestral);
    follow_rules(graph, [&](Var, Var middle, Var last) { return ancestral.tails(middle).contains(last); });
    return graph;
}

namespace {

/// How a PAG becomes an ancestral graph.
struct Choice {
    Mark circle;         // what the circle of an edge with one becomes
    bool beside_arrows;  // whether edges with two are directed so that they extend the arrows there
};

/// A PAG without its circles.
std::optional<MarkedGraph> without_circles(const MarkedGraph& pag, const Choice& choice) {
    MarkedGraph member = pag;
    Pdag circles(pag.variables());
    for (const auto& [a, b, at_a, at_b] : pag.edges()) {
        if (at_a == Mark::circle && at_b == Mark::circle) {
            circles.add_undirected(a, b);
            continue;
        }
        if (at_a == Mark::circle) member.set_mark(a, b, at_b == Mark::tail ? Mark::head : choice.circle);
        if (at_b == Mark::circle) member.set_mark(b, a, at_a == Mark::tail ? Mark::head : choice.circle);
        if (!choice.beside_arrows) continue;
        if (member.directed(a, b)) circles.add_directed(a, b);
        if (member.directed(b, a)) circles.add_directed(b, a);
    }
    const std::optional<Dag> directed = consistent_extension(circles);
    if (!directed) return std::nullopt;
    for (const auto& [from, to] : directed->arcs()) {
        member.set_mark(from, to, Mark::tail);
        member.set_mark(to, from, Mark::head);
    }
    return member;
}

}  // namespace

std::optional<MarkedGraph> member_of(const MarkedGraph& pag) {
    std::optional<MarkedGraph> first = without_circles(pag, {Mark::tail, false});
    if (first && is_maximal_ancestral(*first)) return first;
    // That is right for what separations alone say. With knowledge, arrows may close a cycle.
    for (const Choice& choice : {Choice{Mark::tail, true}, {Mark::head, false}, {Mark::head, true}})
        if (auto other = without_circles(pag, choice); other && is_maximal_ancestral(*other)) return other;
    return first;
}

std::vector<Arc> visible_arrows(const MarkedGraph& graph) {
    std::vector<Arc> found;
    for (Var b = 0; b < graph.variables(); ++b)
        for (const Var a : graph.parents(b)) {
            // Back from a along two-headed edges through parents of b, to a variable not joined to b.
            WideSet seen = only(a, graph.variables());
            std::vector<Var> reached{a};
            bool visible = false;
            for (std::size_t i = 0; i < reached.size() && !visible; ++i)
                for (const Var c : graph.heads(reached[i])) {
                    if (c != b && !graph.adjacent(c, b)) {
                        visible = true;
                        break;
                    }
                    if (seen.contains(c) || !graph.directed(c, b) || !graph.heads(c).contains(reached[i]))
                        continue;
                    seen.insert(c);
                    reached.push_back(c);
                }
            if (visible) found.emplace_back(a, b);
        }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace dagscape
