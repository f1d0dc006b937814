#pragma once

#include "independence/independence_test.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// How the degrees of freedom of a test are counted.
enum class Degrees {
    declared,  // all free parameters: for counts (r_x − 1)(r_y − 1) Π r_S over declared states
    adjusted,  // as far as the rows leave them free: for counts, over the states that occur together
};

/// The likelihood-ratio test that x and y are independent given a set S.
///
/// The statistic is 2 (h(xyS) + h(S) − h(xS) − h(yS)), with h the log-likelihood's function of a set, which
/// the scorer keeps; for counts that is G² = 2 Σ n ln(n n_S / (n_xS n_yS)). The degrees of freedom are the
/// same difference of the numbers of parameters.
///
/// A test is not done where there are fewer rows than wanted for each parameter of the joint distribution of
/// x, y and S and one more: for counts, for each cell (the heuristic power size of Aliferis et al., JMLR
/// 2010).
class LikelihoodRatioTest final : public IndependenceTest {
  public:
    /// The scorer must be that of a log-likelihood without penalty.
    LikelihoodRatioTest(const Scorer& likelihood, double alpha, double rows_per_cell, Degrees degrees)
        : IndependenceTest(alpha),
          likelihood_(likelihood),
          rows_per_cell_(rows_per_cell),
          degrees_(degrees) {}

    std::size_t variables() const override { return likelihood_.variables(); }
    Dependence operator()(Var x, Var y, Members given) const override;

  private:
    const Scorer& likelihood_;
    double rows_per_cell_;
    Degrees degrees_;
};

}  // namespace dagscape
