#pragma once

#include "scores/multinomial_regret.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Quotient normalized maximum likelihood (Silander, Leppä-aho, Jääsaari and Roos 2018): a set is
/// scored as one variable with as many states as it has combinations, and pays that one's regret.
/// The N ln N of a set's likelihood cancels in every difference and is left out.
class Qnml final : public Score {
  public:
    explicit Qnml(std::uint32_t cases) : cases_(cases) {}
    double cell(double n, double /*combinations*/) const override { return n_log_n(n); }
    double constant(double combinations) const override { return -multinomial_regret(cases_, combinations); }

  private:
    double cases_;
};

}  // namespace dagscape
