#pragma once

#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"
#include "random.hpp"

namespace dagscape {

/// The graph in which every variable has its best candidate set, cycles or not, and what each of its arcs is
/// worth (Perez and Mauá, JIDM 2016, section 5, Eq. 6 and 8).
///
/// An arc is worth what the child loses without that parent: with the best of its sets among the parents that
/// remain, since a pruned list need not hold just those that remain.
class BestParentGraph {
  public:
    struct WeightedArc {
        Var from, to;
        double weight;
    };
    /// Lists must be sorted. Once stopped, arcs that are left count as worth nothing.
    BestParentGraph(const ParentLists& parents, Control& control);
    BestParentGraph(std::size_t variables, std::vector<WeightedArc> arcs)
        : variables_(variables), arcs_(std::move(arcs)) {}

    std::size_t variables() const { return variables_; }
    /// By child, then parent.
    const std::vector<WeightedArc>& arcs() const { return arcs_; }

    /// Arcs whose removal leaves no cycle, about as little worth as possible (the paper's Algorithm 4): as
    /// long as there is a cycle, takes the least weight on it off all its arcs, and removes those that have
    /// none left; then puts back, dearest first, those that close no cycle. None of the rest can be put back.
    /// Once stopped, all arcs to a lower variable are removed before that, dear or not.
    std::vector<std::size_t> feedback_arcs(Control& control) const;

  private:
    std::size_t variables_;
    std::vector<WeightedArc> arcs_;
};

}  // namespace dagscape
