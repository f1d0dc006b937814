#pragma once

#include "scores/entropy.hpp"
#include "scores/multinomial_regret.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Factorized normalized maximum likelihood (Silander, Roos, Kontkanen and Myllymäki 2008): each
/// parent configuration with n cases pays the regret ln C(n, r) of a child with r states.
/// Equivalent networks may score differently.
class Fnml final : public Score {
  public:
    explicit Fnml(std::uint32_t cases) : h_(cases), by_arity_(cases) {}

    double joint(Counts counts, double /*combinations*/) const override { return h_(counts); }
    double given(Counts counts, double /*combinations*/, std::uint32_t child_arity) const override {
        const double r = child_arity;
        return h_(counts) + by_arity_.sum(counts, r, [r](double n) { return multinomial_regret(n, r); });
    }
    bool equivalent() const override { return false; }

  private:
    CellEntropy h_;
    CountTables by_arity_;
};

}  // namespace dagscape
