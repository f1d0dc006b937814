#pragma once

#include <cmath>

#include "scores/multinomial_regret.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Quotient normalized maximum likelihood (Silander, Leppä-aho, Jääsaari and Roos 2018): a set is
/// scored as one variable with as many states as it has combinations, and pays that one's regret.
/// The N ln N of a set's likelihood cancels in every difference and is left out.
class Qnml final : public Score {
  public:
    /// Of parts of a case, as many whole ones as come nearest.
    explicit Qnml(double cases) : cases_(std::round(cases)) {}
    double cell(double n, double /*combinations*/) const override { return n_log_n(n); }
    double constant(double combinations) const override { return -multinomial_regret(cases_, combinations); }
    /// ln C(N, K) is convex in ln K, so that ln C(N, rq) − ln C(N, q) never falls with q. For C(N, K) is
    /// N!/N^N times the coefficient of z^N in B(z)^K with B = 1 / (1 − T), T being the tree function
    /// (Szpankowski 1998). ln B = T + T²/2 + ... has no negative coefficient, nor, therefore, has
    /// B^K = exp(K ln B) as a polynomial in K; and ln Σ c e^(jt) with c ≥ 0 is convex in t = ln K.
    bool charges_combinations() const override { return true; }

  private:
    double cases_;
};

}  // namespace dagscape
