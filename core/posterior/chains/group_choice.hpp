#pragma once

#include <array>
#include <span>
#include <vector>

#include "posterior/chains/weighted_lists.hpp"
#include "random.hpp"

namespace dagscape {

/// Chooses variables whose parents are drawn anew together: mostly such as may be each other's parents.
///
/// How well two variables go together depends on the lists, and on what a chain has seen while it was on its
/// way, which it forgets; not on the network at hand, else what a move does would depend on where it starts,
/// and it would have to be mended for that.
class GroupChoice {
  public:
    /// By the lists alone: two variables go together if the best set with one as a parent of the other is
    /// not much lighter than the best of all.
    explicit GroupChoice(const WeightedLists& lists);
    /// Likewise, but mostly by how often variables were joined: u→v at u × n + v.
    GroupChoice seen(const std::vector<double>& arcs) const;

    std::size_t variables() const { return variables_; }
    /// A group of so many variables, each once; as many as there are, if they are fewer. Replaces what is in
    /// `group`.
    void draw(std::size_t size, std::vector<Var>& group, Random& random) const;
    /// How often y is drawn beside x, compared with others.
    double affinity(Var x, Var y) const;

  private:
    void add_up();
    Var partner(Var x, Random& random) const;

    std::size_t variables_;
    std::vector<double> affinities_;  // by pair, symmetric
    std::vector<double> sums_;        // by variable: of those up to each, and a bit for all
};

}  // namespace dagscape
