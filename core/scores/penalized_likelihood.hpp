#pragma once

#include "scores/score.hpp"

namespace dagscape {

/// Maximum log-likelihood less a price for each free parameter.
///
/// A child with r states and q parent configurations has (r − 1) q = rq − q parameters: a
/// difference of the two sets' combinations, so the price too is a function of one set.
class PenalizedLikelihood : public Score {
  public:
    double cell(double n, double /*combinations*/) const final { return n_log_n(n); }
    double constant(double combinations) const final { return -price_ * combinations; }
    double price() const final { return price_; }
    bool charges_combinations() const final { return price_ > 0; }

  protected:
    explicit PenalizedLikelihood(double price) : price_(price) {}

  private:
    double price_;
};

/// The maximum log-likelihood itself. It never falls when a parent is added.
class LogLikelihood final : public PenalizedLikelihood {
  public:
    LogLikelihood() : PenalizedLikelihood(0) {}
};

/// Akaike's information criterion, as LL − parameters.
class Aic final : public PenalizedLikelihood {
  public:
    Aic() : PenalizedLikelihood(1) {}
};

/// The Bayesian information criterion, as LL − (ln N / 2) parameters; minus the MDL cost.
class Bic final : public PenalizedLikelihood {
  public:
    explicit Bic(double cases) : PenalizedLikelihood(std::log(cases) / 2) {}
};

}  // namespace dagscape
