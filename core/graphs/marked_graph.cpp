#include "graphs/marked_graph.hpp"

#include <string>

#include "error.hpp"

namespace dagscape {

MarkedGraph::MarkedGraph(std::size_t variables)
    : adjacent_(variables, WideSet(variables)), heads_(adjacent_), tails_(adjacent_), parents_(adjacent_) {}

MarkedGraph::MarkedGraph(std::size_t variables, const std::vector<MarkedEdge>& edges)
    : MarkedGraph(variables) {
    for (const auto& [a, b, at_a, at_b] : edges) {
        if (a >= variables || b >= variables || a == b || at_a == Mark::none || at_b == Mark::none ||
            adjacent(a, b))
            throw Error(ErrorKind::graph,
                        "no edge of a marked graph: " + std::to_string(a) + " - " + std::to_string(b));
        add(a, b, at_a, at_b);
    }
}

Mark MarkedGraph::mark(Var at, Var other) const {
    if (!adjacent(at, other)) return Mark::none;
    if (heads_[at].contains(other)) return Mark::head;
    return tails_[at].contains(other) ? Mark::tail : Mark::circle;
}

void MarkedGraph::set_mark(Var at, Var other, Mark mark) {
    heads_[at].erase(other);
    tails_[at].erase(other);
    if (mark == Mark::head) heads_[at].insert(other);
    if (mark == Mark::tail) tails_[at].insert(other);
    see_parent(at, other);
    see_parent(other, at);
}

void MarkedGraph::add(Var a, Var b, Mark at_a, Mark at_b) {
    adjacent_[a].insert(b);
    adjacent_[b].insert(a);
    set_mark(a, b, at_a);
    set_mark(b, a, at_b);
}

std::vector<MarkedEdge> MarkedGraph::edges() const {
    std::vector<MarkedEdge> found;
    for (Var a = 0; a < adjacent_.size(); ++a)
        for (const Var b : adjacent_[a])
            if (a < b) found.emplace_back(a, b, mark(a, b), mark(b, a));
    return found;
}

void MarkedGraph::see_parent(Var a, Var b) {
    if (tails_[a].contains(b) && heads_[b].contains(a))
        parents_[b].insert(a);
    else
        parents_[b].erase(a);
}

}  // namespace dagscape
