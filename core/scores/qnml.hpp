#pragma once

#include "scores/entropy.hpp"
#include "scores/multinomial_regret.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Quotient normalized maximum likelihood (Silander, Leppä-aho, Jääsaari and Roos 2018): a set is
/// scored as one variable with as many states as it has combinations, and pays that one's regret.
/// The N ln N of a set's likelihood cancels in every difference and is left out.
class Qnml final : public Score {
  public:
    explicit Qnml(std::uint32_t cases) : cases_(cases), h_(cases) {}

    double joint(Counts counts, double combinations) const override {
        const auto regret = [&] { return multinomial_regret(cases_, combinations); };
        const double* kept = regrets_.get(combinations, regret);
        return h_(counts) - (kept ? *kept : regret());
    }

  private:
    double cases_;
    CellEntropy h_;
    Keyed<double> regrets_;
};

}  // namespace dagscape
