#include "graphs/meek.hpp"

#include <algorithm>
#include <string>

#include "error.hpp"

namespace dagscape {

Orientation::Orientation(std::size_t variables, const std::vector<Arc>& skeleton)
    : adjacent_(variables, WideSet(variables)),
      free_(adjacent_),
      parents_(adjacent_),
      children_(adjacent_),
      below_(adjacent_) {
    for (const auto& [a, b] : skeleton) {
        if (a >= variables || b >= variables || a == b)
            throw Error(ErrorKind::graph,
                        "no edge of a skeleton: " + std::to_string(a) + " - " + std::to_string(b));
        for (std::vector<WideSet>* rows : {&adjacent_, &free_}) {
            (*rows)[a].insert(b);
            (*rows)[b].insert(a);
        }
    }
}

bool Orientation::add_arc(Var a, Var b) {
    if (free(a, b) && !below_[b].contains(a)) direct(a, b);
    return children_[a].contains(b);
}

bool Orientation::add_collider(Var a, Var c, Var b, bool join) {
    const auto possible = [&](Var parent) {
        const bool edge = free(parent, c) || (join && !joined(parent, c));
        return children_[parent].contains(c) || (edge && !below_[c].contains(parent));
    };
    if (a == b || c == a || c == b || !possible(a) || !possible(b)) return false;
    for (const Var parent : {a, b}) {
        if (children_[parent].contains(c)) continue;
        adjacent_[parent].insert(c);
        adjacent_[c].insert(parent);
        direct(parent, c);
    }
    return true;
}

void Orientation::follow() {
    while (!news_.empty()) {
        const auto [from, to] = news_.back();
        news_.pop_back();
        follow_from(from, to);
    }
}

void Orientation::finish() {
    follow();
    for (std::size_t a = 0; a < free_.size(); ++a)
        while (!free_[a].empty()) {
            direct(static_cast<Var>(a), *free_[a].begin());
            follow();
        }
}

void Orientation::direct(Var from, Var to) {
    if (below_[to].contains(from)) std::swap(from, to);
    free_[from].erase(to);
    free_[to].erase(from);
    parents_[to].insert(from);
    children_[from].insert(to);
    WideSet gained = below_[to];
    gained.insert(to);
    for (std::size_t v = 0; v < below_.size(); ++v)
        if (v == from || below_[v].contains(from)) below_[v] |= gained;
    news_.emplace_back(from, to);
}

/// The rules, with the new arc in each place that an arc has in them.
void Orientation::follow_from(Var from, Var to) {
    const auto infer = [&](Var a, Var b) {
        if (free(a, b)) direct(a, b);
    };
    // 1: from -> to - c, from and c apart: to -> c.
    for (const Var c : free_[to] - adjacent_[from]) infer(to, c);
    // 2: a -> b -> c and a - c: a -> c.
    for (const Var c : children_[to] & free_[from]) infer(from, c);
    for (const Var a : parents_[from] & free_[to]) infer(a, to);
    // 3: a - b, a - c -> b, a - d -> b, c and d apart: a -> b.
    for (const Var a : free_[from] & free_[to]) {
        WideSet others = (parents_[to] & free_[a]) - adjacent_[from];
        others.erase(from);
        if (!others.empty()) infer(a, to);
    }
    // 4: a - b, a - c -> d -> b, a and d joined, c and b apart: a -> b.
    for (const Var b : children_[to] - adjacent_[from])
        for (const Var a : (free_[b] & free_[from]) & adjacent_[to]) infer(a, b);
    for (const Var c : parents_[from] - adjacent_[to])
        for (const Var a : (free_[to] & free_[c]) & adjacent_[from]) infer(a, to);
}

Pdag Orientation::pdag() const {
    Pdag graph(adjacent_.size());
    for (std::size_t v = 0; v < adjacent_.size(); ++v) {
        const auto a = static_cast<Var>(v);
        for (const Var b : children_[v]) graph.add_directed(a, b);
        for (const Var b : free_[v])
            if (a < b) graph.add_undirected(a, b);
    }
    return graph;
}

Dag Orientation::dag() const {
    Dag graph(adjacent_.size());
    for (std::size_t v = 0; v < adjacent_.size(); ++v)
        for (const Var child : children_[v]) graph.add(static_cast<Var>(v), child);
    return graph;
}

}  // namespace dagscape
