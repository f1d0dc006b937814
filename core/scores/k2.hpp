#pragma once

#include "scores/count_table.hpp"
#include "scores/log_gamma.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Log marginal likelihood with one imagined case in every cell (Cooper and Herskovits 1992).
/// Equivalent networks may score differently.
class K2 final : public Score {
  public:
    explicit K2(std::uint32_t cases)
        : log_factorial_([](double n) { return log_gamma(n + 1); }, cases), by_arity_(cases) {}

    double joint(Counts counts, double /*combinations*/) const override {
        return sum_over(counts, log_factorial_);
    }
    double given(Counts counts, double /*combinations*/, std::uint32_t child_arity) const override {
        const double r = child_arity;
        return by_arity_.sum(counts, r, [r](double n) { return log_rising(r, n); });
    }
    bool equivalent() const override { return false; }

  private:
    CountTable log_factorial_;
    CountTables by_arity_;
};

}  // namespace dagscape
