#include "graphs/pdag.hpp"

#include <string>

#include "error.hpp"

namespace dagscape {

Pdag::Pdag(std::size_t variables)
    : parents_(variables, WideSet(variables)), children_(parents_), undirected_(parents_) {}

Pdag::Pdag(std::size_t variables, const std::vector<Arc>& directed, const std::vector<Arc>& undirected)
    : Pdag(variables) {
    const auto check = [&](Var a, Var b) {
        if (a >= variables || b >= variables || a == b)
            throw Error(ErrorKind::graph, "there can be no edge between variables " + std::to_string(a) +
                                              " and " + std::to_string(b) + " of " +
                                              std::to_string(variables));
        if (adjacent(a).contains(b))
            throw Error(ErrorKind::graph, "variables " + std::to_string(a) + " and " + std::to_string(b) +
                                              " are joined by more than one edge");
    };
    for (const auto& [from, to] : directed) {
        check(from, to);
        add_directed(from, to);
    }
    for (const auto& [a, b] : undirected) {
        check(a, b);
        add_undirected(a, b);
    }
}

void Pdag::add_directed(Var from, Var to) {
    children_[from].insert(to);
    parents_[to].insert(from);
}

void Pdag::add_undirected(Var a, Var b) {
    undirected_[a].insert(b);
    undirected_[b].insert(a);
}

std::vector<Arc> Pdag::directed_edges() const {
    std::vector<Arc> result;
    for (std::size_t from = 0; from < variables(); ++from)
        for (const Var to : children_[from]) result.emplace_back(static_cast<Var>(from), to);
    return result;
}

std::vector<Arc> Pdag::undirected_edges() const {
    std::vector<Arc> result;
    for (std::size_t a = 0; a < variables(); ++a)
        for (const Var b : undirected_[a])
            if (a < b) result.emplace_back(static_cast<Var>(a), b);
    return result;
}

}  // namespace dagscape
