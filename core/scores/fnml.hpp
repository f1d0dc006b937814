#pragma once

#include "scores/multinomial_regret.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Factorized normalized maximum likelihood (Silander, Roos, Kontkanen and Myllymäki 2008): each
/// parent configuration with n cases pays the regret ln C(n, r) of a child with r states.
/// Equivalent networks may score differently.
class Fnml final : public Score {
  public:
    double cell(double n, double /*combinations*/) const override { return n_log_n(n); }
    bool equivalent() const override { return false; }
    double given_cell(double n, std::uint32_t child_arity) const override {
        return n_log_n(n) + multinomial_regret(n, child_arity);
    }
};

}  // namespace dagscape
