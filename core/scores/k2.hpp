#pragma once

#include "log_gamma.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Log marginal likelihood with one imagined case in every cell (Cooper and Herskovits 1992).
/// Equivalent networks may score differently.
class K2 final : public Score {
  public:
    double cell(double n, double /*combinations*/) const override { return log_gamma(n + 1); }
    bool equivalent() const override { return false; }
    double given_cell(double n, std::uint32_t child_arity) const override {
        return log_rising(child_arity, n);
    }
    bool new_states_are_even() const override { return true; }
};

}  // namespace dagscape
