#pragma once

#include <mutex>
#include <vector>

#include "scores/determinant_function.hpp"

namespace dagscape {

/// How high larger parent sets can score, for penalized likelihoods of numbers: they explain no more than all
/// other variables together do, and pay for one more column at least.
class DeterminantBounds final : public FamilyBounds {
  public:
    explicit DeterminantBounds(const DeterminantFunction& function);

    std::size_t most_parents(Var child, Members required, double lead) const override;
    double superset_bound(Var child, Members parents, std::size_t most) const override;
    bool bounds_quickly() const override { return bounded_; }
    bool has_idle_variables() const override { return has_idle_; }

  private:
    /// The most that a child's likelihood can be, whatever its parents.
    double best_fit(Var child) const;
    void look() const;
    /// What a child pays with parents of so many columns.
    double price(Var child, std::size_t columns) const;

    const DeterminantFunction& function_;
    bool bounded_, has_idle_ = false;
    std::size_t narrowest_ = 0;  // the fewest columns of a variable that has any
    mutable std::once_flag looking_;
    mutable std::vector<double> log_left_;  // by variable: its log determinant given all others
    mutable double error_ = 0;              // so that bounds stay above what they bound
};

}  // namespace dagscape
