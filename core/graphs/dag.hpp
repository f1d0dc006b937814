#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "varset/wide_set.hpp"

namespace dagscape {

/// An arc or edge between two variables; for an arc, from first to second.
using Arc = std::pair<Var, Var>;

/// An acyclic directed graph.
class Dag {
  public:
    /// Without arcs.
    explicit Dag(std::size_t variables);
    /// Throws on an arc out of range or from a variable to itself, and on a cycle.
    Dag(std::size_t variables, const std::vector<Arc>& arcs);

    std::size_t variables() const { return parents_.size(); }
    const WideSet& parents(Var v) const { return parents_[v]; }
    const WideSet& children(Var v) const { return children_[v]; }
    bool has(Var from, Var to) const { return children_[from].contains(to); }
    bool adjacent(Var a, Var b) const { return has(a, b) || has(b, a); }
    /// Ascending.
    std::vector<Arc> arcs() const;

    /// The caller sees to it that no cycle arises.
    void add(Var from, Var to);

    friend bool operator==(const Dag& a, const Dag& b) { return a.parents_ == b.parents_; }

  private:
    std::vector<WideSet> parents_;
    std::vector<WideSet> children_;
};

/// Parents before children; among those that may come next, the lowest number first.
std::vector<Var> topological_order(const Dag& dag);

/// The variables along some directed cycle of the arcs, or none if they are acyclic.
std::vector<Var> find_cycle(std::size_t variables, const std::vector<Arc>& arcs);

}  // namespace dagscape
