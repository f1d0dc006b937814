#pragma once

#include "independence/independence_test.hpp"
#include "search/local/local_method.hpp"

namespace dagscape {

/// Max-min parents and children (Tsamardinos, Brown and Aliferis, The max-min hill-climbing Bayesian network
/// structure learning algorithm, Machine Learning 2006).
///
/// A variable's dependence on the target is the least that any set of those chosen so far leaves, by its p.
/// The variable with the greatest is chosen next, until the others are all separated; then every one chosen
/// is tried again with the others. Spouses as in MMMB (2003).
class Mmpc final : public LocalMethod {
  public:
    Mmpc(const IndependenceTest& test, std::size_t max_conditioning)
        : test_(test), max_conditioning_(max_conditioning) {}

    /// The paper's MMPC-bar, without the correction for symmetry.
    Potential neighbors(Var target, Control& control) const override;
    PotentialSpouses spouses(Var target, const Surroundings& around, Control& control) const override;
    bool either_spouse() const override { return false; }

  private:
    const IndependenceTest& test_;
    std::size_t max_conditioning_;
};

}  // namespace dagscape
