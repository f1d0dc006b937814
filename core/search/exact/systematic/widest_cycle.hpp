#pragma once

#include <cstddef>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

struct Arc {
    Var parent, child;
};

/// An arc and what it costs to do without it: what counts first, and what decides among equals.
struct DearArc {
    double cost, cost_among_equals;
    Arc arc;
};

/// Finds the cycle whose cheapest arc is the dearest: breaking it costs more than breaking any other.
class WidestCycle {
  public:
    explicit WidestCycle(std::size_t variables) : out_(variables), into_(variables), reached_by_(variables) {}

    /// Empty if there is no cycle. Puts the arcs in order, dear ones first, ties by child, then parent; of
    /// the cycles with the same cheapest arc it is a shortest one.
    std::vector<DearArc> find(std::vector<DearArc>& arcs);

  private:
    /// Whether the first so many arcs have no cycle.
    bool acyclic(const std::vector<DearArc>& arcs, std::size_t count);
    /// An arc with a shortest way back from its child to its parent, along the arcs before it.
    std::vector<DearArc> closed_by(const std::vector<DearArc>& arcs, std::size_t last);

    std::vector<std::vector<std::size_t>> out_;  // arcs by parent
    std::vector<std::size_t> into_;              // arcs left, by child
    std::vector<std::size_t> reached_by_;        // arcs, by child
    std::vector<Var> queue_;
};

/// Leaves out arcs that can lie on no cycle since, again and again, an end has no way on or back.
void trim(std::vector<DearArc>& arcs, std::size_t variables);

}  // namespace dagscape
