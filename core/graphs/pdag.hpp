#pragma once

#include <vector>

#include "graphs/dag.hpp"

namespace dagscape {

/// A graph whose edges are directed or undirected; an essential graph is one.
class Pdag {
  public:
    explicit Pdag(std::size_t variables);
    /// Throws on an edge out of range or from a variable to itself, and on two edges between one pair.
    Pdag(std::size_t variables, const std::vector<Arc>& directed, const std::vector<Arc>& undirected);

    std::size_t variables() const { return parents_.size(); }
    const WideSet& parents(Var v) const { return parents_[v]; }
    const WideSet& children(Var v) const { return children_[v]; }
    /// Joined by an undirected edge.
    const WideSet& undirected(Var v) const { return undirected_[v]; }
    WideSet adjacent(Var v) const { return parents_[v] | children_[v] | undirected_[v]; }

    void add_directed(Var from, Var to);
    void add_undirected(Var a, Var b);

    /// Ascending.
    std::vector<Arc> directed_edges() const;
    /// Ascending, each once with its lower end first.
    std::vector<Arc> undirected_edges() const;

    friend bool operator==(const Pdag& a, const Pdag& b) {
        return a.parents_ == b.parents_ && a.undirected_ == b.undirected_;
    }

  private:
    std::vector<WideSet> parents_;
    std::vector<WideSet> children_;
    std::vector<WideSet> undirected_;
};

}  // namespace dagscape
