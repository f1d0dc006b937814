#pragma once

#include <vector>

#include "graphs/pdag.hpp"

namespace dagscape {

/// An essential graph that is searched from: the sets of each variable's parents, children and undirected
/// neighbors, small enough to be copied, and the steps to a neighboring class.
///
/// After a step the graph is made anew from what defines the class: which pairs are adjacent, and the
/// v-structures. Every other direction follows by Meek's rules (Meek, UAI 1995).
template <typename Set>
class Essential {
  public:
    explicit Essential(std::size_t variables)
        : parents_(variables), children_(variables), neighbors_(variables), adjacent_(variables) {}
    explicit Essential(const Pdag& graph) : Essential(graph.variables()) {
        for (const auto& [from, to] : graph.directed_edges()) direct(from, to);
        for (const auto& [a, b] : graph.undirected_edges()) join(a, b);
    }

    std::size_t variables() const { return parents_.size(); }
    const Set& parents(Var v) const { return parents_[v]; }
    const Set& children(Var v) const { return children_[v]; }
    /// Joined by an undirected edge.
    const Set& neighbors(Var v) const { return neighbors_[v]; }
    const Set& adjacent(Var v) const { return adjacent_[v]; }

    bool clique(const Set& set) const {
        for (const Var v : set)
            if (!(set - v).subset_of(adjacent_[v])) return false;
        return true;
    }
    /// Adds x → y with the undirected neighbors `heads` of y turned toward it: Chickering's Insert(x, y,
    /// T), which must be valid.
    void insert(Var x, Var y, const Set& heads) {
        direct(x, y);
        for (const Var t : heads) orient(t, y);
        complete();
    }
    /// Removes the edge between x and y, and turns their common undirected neighbors `tails` away from them:
    /// Chickering's Delete(x, y, H), which must be valid.
    void remove(Var x, Var y, const Set& tails) {
        cut(x, y);
        for (const Var h : tails) {
            orient(y, h);
            if (neighbors_[x].contains(h)) orient(x, h);
        }
        complete();
    }

    Pdag pdag() const {
        Pdag graph(variables());
        for (std::size_t v = 0; v < variables(); ++v) {
            for (const Var child : children_[v]) graph.add_directed(static_cast<Var>(v), child);
            for (const Var other : neighbors_[v])
                if (other > v) graph.add_undirected(static_cast<Var>(v), other);
        }
        return graph;
    }
    friend bool operator==(const Essential& a, const Essential& b) {
        return a.parents_ == b.parents_ && a.neighbors_ == b.neighbors_;
    }

  private:
    void direct(Var from, Var to) {
        parents_[to] = parents_[to] | from;
        children_[from] = children_[from] | to;
        adjacent_[to] = adjacent_[to] | from;
        adjacent_[from] = adjacent_[from] | to;
    }
    void join(Var a, Var b) {
        neighbors_[a] = neighbors_[a] | b;
        neighbors_[b] = neighbors_[b] | a;
        adjacent_[a] = adjacent_[a] | b;
        adjacent_[b] = adjacent_[b] | a;
    }
    void cut(Var a, Var b) {
        for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
            parents_[one] = parents_[one] - other;
            children_[one] = children_[one] - other;
            neighbors_[one] = neighbors_[one] - other;
            adjacent_[one] = adjacent_[one] - other;
        }
    }
    /// Directs an undirected edge.
    void orient(Var from, Var to) {
        neighbors_[from] = neighbors_[from] - to;
        neighbors_[to] = neighbors_[to] - from;
        parents_[to] = parents_[to] | from;
        children_[from] = children_[from] | to;
    }

    /// Keeps the directions of v-structures alone, then lets the others follow.
    void complete() {
        for (std::size_t v = 0; v < variables(); ++v) children_[v] = Set();
        for (std::size_t v = 0; v < variables(); ++v) {
            Set fixed;  // parents in a v-structure
            for (const Var parent : parents_[v])
                if (!(parents_[v] - parent).subset_of(adjacent_[parent])) fixed = fixed | parent;
            parents_[v] = fixed;
            for (const Var parent : fixed) children_[parent] = children_[parent] | static_cast<Var>(v);
        }
        for (std::size_t v = 0; v < variables(); ++v)
            neighbors_[v] = adjacent_[v] - parents_[v] - children_[v];
        follow();
    }
    void follow() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < variables(); ++i) {
                const Var a = static_cast<Var>(i);
                const Set around = neighbors_[a];
                for (const Var b : around)
                    if (follows(a, b)) orient(a, b), changed = true;
            }
        }
    }
    /// Whether the undirected edge a – b must be a → b, by Meek's first three rules.
    bool follows(Var a, Var b) const {
        if (!parents_[a].subset_of(adjacent_[b])) return true;  // c → a, not adjacent to b
        if (children_[a].intersects(parents_[b])) return true;  // a → c → b
        const Set between = neighbors_[a] & parents_[b];        // a – c → b ← d – a, c and d not adjacent
        for (const Var c : between)
            if (!(between - c).subset_of(adjacent_[c])) return true;
        return false;
    }

    std::vector<Set> parents_, children_, neighbors_, adjacent_;
};

}  // namespace dagscape
