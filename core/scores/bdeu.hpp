#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "error.hpp"
#include "scores/count_table.hpp"
#include "scores/log_gamma.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Log marginal likelihood under a Dirichlet prior that spreads `ess` cases evenly over the value
/// combinations (Buntine 1991; Heckerman, Geiger and Chickering 1995).
class Bdeu final : public Score {
  public:
    // Tables are kept for each number of combinations, so they stop at counts that large sets have.
    Bdeu(std::uint32_t cases, double ess) : ess_(ess), tables_(std::min(cases, 4095u)) {
        if (!(ess > 0) || !std::isfinite(ess))
            throw Error(ErrorKind::parameter, "ess must be a positive number, got " + std::to_string(ess));
    }
    double joint(Counts counts, double combinations) const override {
        const double alpha = ess_ / combinations;
        return tables_.sum(counts, combinations, [alpha](double n) { return log_rising(alpha, n); });
    }

  private:
    double ess_;
    CountTables tables_;
};

}  // namespace dagscape
