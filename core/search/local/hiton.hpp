#pragma once

#include "independence/independence_test.hpp"
#include "search/local/local_method.hpp"

namespace dagscape {

/// HITON (Aliferis, Tsamardinos and Statnikov 2003), semi-interleaved, as in Aliferis, Statnikov,
/// Tsamardinos, Mani and Koutsoukos, Local causal and Markov blanket induction, JMLR 2010, part I.
///
/// Variables that depend on the target come one by one, the strongest dependence first. One that some set of
/// those kept so far separates from the target is left out at once; when all have come, every one kept is
/// tried again with the others.
class Hiton final : public LocalMethod {
  public:
    Hiton(const IndependenceTest& test, std::size_t max_conditioning)
        : test_(test), max_conditioning_(max_conditioning) {}

    /// HITON-PC without the correction for symmetry.
    Potential neighbors(Var target, Control& control) const override;
    PotentialSpouses spouses(Var target, const Surroundings& around, Control& control) const override;
    bool either_spouse() const override { return false; }

  private:
    const IndependenceTest& test_;
    std::size_t max_conditioning_;
};

}  // namespace dagscape
