#pragma once

#include <array>
#include <vector>

#include "graphs/pdag.hpp"

namespace dagscape {

/// Directs the edges of a skeleton one by one, each with what follows from it.
///
/// What follows is told by Meek's four rules (Causal inference and causal explanation with background
/// knowledge, UAI 1995): no further v-structure and no cycle may arise. Where directions that were asked for
/// contradict each other, a v-structure more is taken; a cycle never.
class Orientation {
  public:
    /// Each edge once, in either order. Throws on one out of range or from a variable to itself.
    Orientation(std::size_t variables, const std::vector<Arc>& skeleton);

    std::size_t variables() const { return adjacent_.size(); }

    /// Directs a -> b, if that is an edge without the other direction and no cycle arises; says whether it
    /// has that direction now. What follows is left for later.
    bool add_arc(Var a, Var b);
    /// Directs a -> c <- b, if both are edges, neither has the other direction and no cycle arises; says
    /// whether it did. What follows is left for later, so that it cannot stand in the way of other colliders.
    /// With `join`, edges that the skeleton lacks are added to it.
    bool add_collider(Var a, Var c, Var b, bool join = false);
    /// Directs all that follows from the directions so far.
    void follow();
    /// Directs the rest: as long as an edge is free, the first by its lower and then its other end is
    /// directed from lower to higher, or the other way if that would close a cycle, with what follows.
    void finish();

    Pdag pdag() const;
    /// Once all is directed.
    Dag dag() const;

  private:
    bool free(Var a, Var b) const { return free_[a].contains(b); }
    bool joined(Var a, Var b) const { return adjacent_[a].contains(b); }
    /// Takes the other direction where this one would close a cycle.
    void direct(Var from, Var to);
    void follow_from(Var from, Var to);

    std::vector<WideSet> adjacent_, free_, parents_, children_;
    std::vector<WideSet> below_;  // descendants
    std::vector<Arc> news_;       // arcs whose consequences are still to be drawn
};

}  // namespace dagscape
