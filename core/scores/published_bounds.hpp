#pragma once

#include "scores/count_function.hpp"

namespace dagscape {

/// How high larger parent sets can score by the rules of Wu 2010 as they are printed there, for comparisons:
/// its Theorems 3 and 5. `CountBounds` has sharper ones, among them Theorem 6, which the thesis leaves out.
/// For the BIC, without required parents and without a lead.
class PublishedBounds final : public FamilyBounds {
  public:
    explicit PublishedBounds(const CountFunction& function) : function_(function) {}

    /// log(2N / log N), which holds with the outer logarithm in base 2. Of the readings of the inner one the
    /// natural gives the AD-trees of Table 4.1, and the higher limit, so it is sound as well.
    std::size_t most_parents(Var child, Members required, double lead) const override;

    /// A superset pays at least for the parameters of the set, and explains all.
    double superset_bound(Var child, Members parents, std::size_t most) const override;
    bool bounds_quickly() const override { return true; }

  private:
    const CountFunction& function_;
};

}  // namespace dagscape
