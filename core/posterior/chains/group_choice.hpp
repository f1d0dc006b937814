#pragma once

#include <array>
#include <span>
#include <vector>

#include "posterior/chains/weighted_lists.hpp"
#include "random.hpp"

namespace dagscape {

/// Chooses variables whose parents are drawn anew together: mostly such as may be each other's parents.
///
/// How well two variables go together is known from the lists before a chain begins, and depends on no
/// network: else what moves do would depend on where they start, and they would have to be mended for it.
class GroupChoice {
  public:
    explicit GroupChoice(const WeightedLists& lists);

    std::size_t variables() const { return variables_; }
    /// A group of so many variables, each once; as many as there are, if they are fewer. Replaces what is in
    /// `group`.
    void draw(std::size_t size, std::vector<Var>& group, Random& random) const;
    /// How often y is drawn beside x, compared with others.
    double affinity(Var x, Var y) const;

  private:
    Var partner(Var x, Random& random) const;

    std::size_t variables_;
    std::vector<double> sums_;  // by variable: affinities of those up to each
};

}  // namespace dagscape
