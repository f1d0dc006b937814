#pragma once

#include <atomic>
#include <cstdint>

#include "independence/freedom.hpp"
#include "scores/scorer.hpp"

namespace dagscape {

/// What a test of conditional independence came to.
struct Dependence {
    double statistic = 0;
    double freedom = 0;
    double log_p = 0;  // ln of the probability of so much dependence by chance
    bool done = true;  // whether there were rows enough
};

/// The likelihood-ratio test that x and y are independent given a set S.
///
/// The statistic is G² = 2 Σ n ln(n n_S / (n_xS n_yS)) = 2 (h(xyS) + h(S) − h(xS) − h(yS)), with h the
/// log-likelihood's function of a set, which the scorer keeps. Degrees of freedom are counted over declared
/// states, whether they occur or not, or adjusted to those that do.
///
/// A test is not done where there are fewer rows per cell, r_x r_y Π r_S of them, than wanted (the heuristic
/// power size of Aliferis et al., JMLR 2010).
class G2Test {
  public:
    /// The scorer must be that of the log-likelihood.
    G2Test(const Scorer& likelihood, double alpha, double rows_per_cell, Degrees degrees);

    std::size_t variables() const { return likelihood_.table().variables(); }
    /// `given` ascending, without x and y.
    Dependence operator()(Var x, Var y, Members given) const;
    /// Whether the test shows dependence: it was done, and p is at most alpha.
    bool dependent(const Dependence& test) const { return test.done && test.log_p <= log_alpha_; }
    /// Whether the test finds them independent: it was done, and p is above alpha.
    bool independent(const Dependence& test) const { return test.done && test.log_p > log_alpha_; }

    std::uint64_t tests() const { return tests_.load(std::memory_order_relaxed); }

  private:
    const Scorer& likelihood_;
    double log_alpha_;
    double rows_per_cell_;
    Degrees degrees_;
    mutable std::atomic<std::uint64_t> tests_ = 0;
};

}  // namespace dagscape
