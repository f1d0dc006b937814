#pragma once

#include <cmath>
#include <string>

#include "error.hpp"
#include "log_gamma.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Log marginal likelihood under a Dirichlet prior that spreads `ess` cases evenly over the value
/// combinations (Buntine 1991; Heckerman, Geiger and Chickering 1995).
class Bdeu final : public Score {
  public:
    explicit Bdeu(double ess) : ess_(ess) {
        if (!(ess > 0) || !std::isfinite(ess))
            throw Error(ErrorKind::parameter, "ess must be a positive number, got " + std::to_string(ess));
    }
    double cell(double n, double combinations) const override { return log_rising(ess_ / combinations, n); }
    bool cell_uses_combinations() const override { return true; }
    bool new_states_are_even() const override { return true; }

  private:
    double ess_;
};

}  // namespace dagscape
