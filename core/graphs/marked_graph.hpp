#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "varset/wide_set.hpp"

namespace dagscape {

/// What an end of an edge shows: a tail or a head where all graphs of a class agree, else a circle.
enum class Mark : std::uint8_t { none, circle, tail, head };

/// An edge with the marks at its first and at its second variable.
using MarkedEdge = std::tuple<Var, Var, Mark, Mark>;

/// A graph with a mark at either end of each edge: an ancestral graph, or what many of them share.
class MarkedGraph {
  public:
    explicit MarkedGraph(std::size_t variables);
    /// Throws on an edge out of range, from a variable to itself or without marks, and on two edges between
    /// one pair.
    MarkedGraph(std::size_t variables, const std::vector<MarkedEdge>& edges);

    std::size_t variables() const { return adjacent_.size(); }
    const WideSet& adjacent(Var v) const { return adjacent_[v]; }
    /// The neighbors whose edge has a head at v.
    const WideSet& heads(Var v) const { return heads_[v]; }
    /// The neighbors whose edge has a tail at v.
    const WideSet& tails(Var v) const { return tails_[v]; }
    /// The neighbors whose edge has a circle at v.
    WideSet circles(Var v) const { return adjacent_[v] - heads_[v] - tails_[v]; }
    /// The neighbors with a tail at themselves and a head at v.
    const WideSet& parents(Var v) const { return parents_[v]; }

    bool adjacent(Var a, Var b) const { return adjacent_[a].contains(b); }
    bool directed(Var from, Var to) const { return parents_[to].contains(from); }
    /// The mark at `at` of its edge with `other`.
    Mark mark(Var at, Var other) const;
    void set_mark(Var at, Var other, Mark mark);
    void add(Var a, Var b, Mark at_a, Mark at_b);

    /// Ascending, each once with its lower end first.
    std::vector<MarkedEdge> edges() const;

    friend bool operator==(const MarkedGraph& a, const MarkedGraph& b) {
        return a.adjacent_ == b.adjacent_ && a.heads_ == b.heads_ && a.tails_ == b.tails_;
    }

  private:
    void see_parent(Var a, Var b);

    std::vector<WideSet> adjacent_, heads_, tails_, parents_;
};

}  // namespace dagscape
