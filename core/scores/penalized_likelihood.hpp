#pragma once

#include <cmath>

#include "scores/entropy.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Maximum log-likelihood less a price for each free parameter.
///
/// A child with r states and q parent configurations has (r − 1) q = rq − q parameters: a
/// difference of the two sets' combinations, so the price too is a function of one set.
class PenalizedLikelihood : public Score {
  public:
    double joint(Counts counts, double combinations) const final {
        return h_(counts) - price_ * combinations;
    }

  protected:
    PenalizedLikelihood(std::uint32_t cases, double price) : h_(cases), price_(price) {}

  private:
    CellEntropy h_;
    double price_;
};

/// The maximum log-likelihood itself. It never falls when a parent is added.
class LogLikelihood final : public PenalizedLikelihood {
  public:
    explicit LogLikelihood(std::uint32_t cases) : PenalizedLikelihood(cases, 0) {}
};

/// Akaike's information criterion, as LL − parameters.
class Aic final : public PenalizedLikelihood {
  public:
    explicit Aic(std::uint32_t cases) : PenalizedLikelihood(cases, 1) {}
};

/// The Bayesian information criterion, as LL − (ln N / 2) parameters; minus the MDL cost.
class Bic final : public PenalizedLikelihood {
  public:
    explicit Bic(std::uint32_t cases) : PenalizedLikelihood(cases, std::log(cases) / 2) {}
};

}  // namespace dagscape
