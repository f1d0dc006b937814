#include "graphs/dag.hpp"

#include <functional>
#include <queue>
#include <string>

#include "error.hpp"

namespace dagscape {

namespace {

void check(std::size_t variables, const std::vector<Arc>& arcs) {
    for (const auto& [from, to] : arcs) {
        if (from >= variables || to >= variables)
            throw Error(ErrorKind::graph, "an arc joins " + std::to_string(from) + " and " +
                                              std::to_string(to) + ", but there are only " +
                                              std::to_string(variables) + " variables");
        if (from == to)
            throw Error(ErrorKind::graph, "variable " + std::to_string(from) + " has an arc to itself");
    }
}

}  // namespace

Dag::Dag(std::size_t variables) : parents_(variables, WideSet(variables)), children_(parents_) {}

Dag::Dag(std::size_t variables, const std::vector<Arc>& arcs) : Dag(variables) {
    check(variables, arcs);
    if (const std::vector<Var> cycle = find_cycle(variables, arcs); !cycle.empty())
        throw Error(ErrorKind::graph,
                    "the arcs form a cycle of " + std::to_string(cycle.size()) + " variables");
    for (const auto& [from, to] : arcs) add(from, to);
}

void Dag::add(Var from, Var to) {
    children_[from].insert(to);
    parents_[to].insert(from);
}

std::vector<Arc> Dag::arcs() const {
    std::vector<Arc> result;
    for (std::size_t from = 0; from < variables(); ++from)
        for (const Var to : children_[from]) result.emplace_back(static_cast<Var>(from), to);
    return result;
}

std::vector<Var> topological_order(const Dag& dag) {
    std::vector<std::size_t> waiting(dag.variables());  // parents not placed yet
    std::priority_queue<Var, std::vector<Var>, std::greater<>> ready;
    for (std::size_t v = 0; v < dag.variables(); ++v) {
        waiting[v] = dag.parents(static_cast<Var>(v)).size();
        if (waiting[v] == 0) ready.push(static_cast<Var>(v));
    }
    std::vector<Var> order;
    order.reserve(dag.variables());
    while (!ready.empty()) {
        const Var next = ready.top();
        ready.pop();
        order.push_back(next);
        for (const Var child : dag.children(next))
            if (--waiting[child] == 0) ready.push(child);
    }
    return order;
}

std::vector<Var> find_cycle(std::size_t variables, const std::vector<Arc>& arcs) {
    check(variables, arcs);
    std::vector<WideSet> parents(variables, WideSet(variables));
    std::vector<WideSet> children = parents;
    for (const auto& [from, to] : arcs) {
        children[from].insert(to);
        parents[to].insert(from);
    }
    // Take away variables without parents left; what stays has a parent that stays, each of them.
    std::vector<std::size_t> waiting(variables);
    std::vector<Var> ready;
    for (std::size_t v = 0; v < variables; ++v) {
        waiting[v] = parents[v].size();
        if (waiting[v] == 0) ready.push_back(static_cast<Var>(v));
    }
    while (!ready.empty()) {
        const Var gone = ready.back();
        ready.pop_back();
        for (const Var child : children[gone])
            if (--waiting[child] == 0) ready.push_back(child);
    }
    std::size_t start = 0;
    while (start < variables && waiting[start] == 0) ++start;
    if (start == variables) return {};

    // So going from parent to parent among them must come back to where it was.
    std::vector<Var> path;
    std::vector<std::size_t> seen_at(variables, variables);
    Var here = static_cast<Var>(start);
    while (seen_at[here] == variables) {
        seen_at[here] = path.size();
        path.push_back(here);
        for (const Var parent : parents[here]) {
            if (waiting[parent] > 0) {
                here = parent;
                break;
            }
        }
    }
    return {path.rbegin(), path.rend() - static_cast<std::ptrdiff_t>(seen_at[here])};
}

}  // namespace dagscape
