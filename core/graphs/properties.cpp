#include "graphs/properties.hpp"

#include "error.hpp"

namespace dagscape {

namespace {

template <typename Step>
WideSet reach(std::size_t variables, const WideSet& from, const Step& step) {
    WideSet reached(variables);
    std::vector<Var> open = from.members();
    while (!open.empty()) {
        const Var v = open.back();
        open.pop_back();
        for (const Var next : step(v)) {
            if (reached.contains(next)) continue;
            reached.insert(next);
            open.push_back(next);
        }
    }
    return reached;
}

}  // namespace

WideSet ancestors(const Dag& dag, const WideSet& of) {
    return reach(dag.variables(), of, [&](Var v) -> const WideSet& { return dag.parents(v); });
}

WideSet descendants(const Dag& dag, const WideSet& of) {
    return reach(dag.variables(), of, [&](Var v) -> const WideSet& { return dag.children(v); });
}

WideSet spouses(const Dag& dag, Var v) {
    WideSet result(dag.variables());
    for (const Var child : dag.children(v)) result |= dag.parents(child);
    result.erase(v);
    return result;
}

WideSet markov_blanket(const Dag& dag, Var v) { return dag.parents(v) | dag.children(v) | spouses(dag, v); }

std::vector<std::array<Var, 3>> v_structures(const Dag& dag) {
    std::vector<std::array<Var, 3>> result;
    for (std::size_t c = 0; c < dag.variables(); ++c) {
        const std::vector<Var> parents = dag.parents(static_cast<Var>(c)).members();
        for (std::size_t i = 0; i < parents.size(); ++i)
            for (std::size_t j = i + 1; j < parents.size(); ++j)
                if (!dag.adjacent(parents[i], parents[j]))
                    result.push_back({parents[i], static_cast<Var>(c), parents[j]});
    }
    return result;
}

std::vector<Arc> covered_arcs(const Dag& dag) {
    std::vector<Arc> result;
    for (const auto& [from, to] : dag.arcs()) {
        WideSet family = dag.parents(from);
        family.insert(from);
        if (dag.parents(to) == family) result.emplace_back(from, to);
    }
    return result;
}

std::vector<Arc> moral_edges(const Dag& dag) {
    std::vector<Arc> result;
    for (std::size_t a = 0; a < dag.variables(); ++a)
        for (const Var b : markov_blanket(dag, static_cast<Var>(a)))
            if (a < b) result.emplace_back(static_cast<Var>(a), b);
    return result;
}

/// Reachability along active trails (Koller and Friedman 2009, Algorithm 3.1).
bool d_separated(const Dag& dag, const WideSet& a, const WideSet& b, const WideSet& given) {
    const std::size_t n = dag.variables();
    const WideSet opened = ancestors(dag, given) | given;  // colliders here let a trail pass
    enum Arrival { from_child, from_parent };
    std::array<WideSet, 2> visited{WideSet(n), WideSet(n)};
    std::vector<std::pair<Var, Arrival>> open;
    for (const Var v : a) open.emplace_back(v, from_child);
    while (!open.empty()) {
        const auto [v, arrival] = open.back();
        open.pop_back();
        if (visited[arrival].contains(v)) continue;
        visited[arrival].insert(v);
        if (!given.contains(v)) {
            if (b.contains(v)) return false;
            for (const Var child : dag.children(v)) open.emplace_back(child, from_parent);
        }
        const bool up = arrival == from_child ? !given.contains(v) : opened.contains(v);
        if (up)
            for (const Var parent : dag.parents(v)) open.emplace_back(parent, from_child);
    }
    return true;
}

std::size_t structural_hamming_distance(const Pdag& a, const Pdag& b) {
    if (a.variables() != b.variables()) throw Error(ErrorKind::graph, "the graphs have different variables");
    std::size_t twice = 0;
    for (std::size_t i = 0; i < a.variables(); ++i) {
        const Var v = static_cast<Var>(i);
        const WideSet same = (a.parents(v) & b.parents(v)) | (a.children(v) & b.children(v)) |
                             (a.undirected(v) & b.undirected(v));
        twice += ((a.adjacent(v) | b.adjacent(v)) - same).size();
    }
    return twice / 2;
}

}  // namespace dagscape
