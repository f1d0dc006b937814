#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "log_gamma.hpp"
#include "scores/log_risings.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// Log marginal likelihood of a set's cases under a Dirichlet prior that spreads `ess` cases evenly over its
/// combinations; an infinite `ess` makes all combinations equally probable. As a whole, and so comparable
/// between values of `ess`: N ln N is about the largest term that the differences of sets take out again, and
/// ln N! is added to every set, so that `ess` 1 has BDeu's values.
class DirichletLikelihood final : public Score {
  public:
    DirichletLikelihood(double ess, double cases)
        : ess_(ess), constant_(log_rising(1, cases) - (std::isfinite(ess) ? log_rising(ess, cases) : 0)) {}

    double cell(double n, double combinations) const override {
        return std::isfinite(ess_) ? log_rising(ess_ / combinations, n) : -n * std::log(combinations);
    }
    bool cell_uses_combinations() const override { return true; }
    double constant(double /*combinations*/) const override { return constant_; }

  private:
    double ess_, constant_;
};

/// The Dirichlet likelihood of every set with the sample size that makes its cases most probable:
///
///     J(S) = max over e of ln P(cases of S | Dirichlet, e),   local(X | P) = J(P ∪ {X}) − J(P).
///
/// One size for all columns takes rare events that never meet for related if it is large, and even columns
/// for related if it is small; here each set has its own. Equivalent networks score the same. It is no
/// marginal likelihood: its exponential is a weight.
///
/// Sets of two variables and more choose among ½, 1, ..., 64; single columns also 256, 1024 and ∞. With ∞ for
/// larger sets too, two even columns would never be told apart: J(XY) ≥ J(X) + J(Y) for any number of rows.
///
/// A set's likelihood has a single peak as a function of e (Levin and Reeds 1977), which is all that a search
/// for the best of the grid needs.
///
/// Bounds: J(P ∪ {X}) has a size e that P may choose too, so that local(X | P) ≤ max over e of BDeu_e(X | P),
/// of which `new_states_are_even` holds for every e.
class FittedDirichlet final : public Score {
  public:
    explicit FittedDirichlet(double cases)
        : most_counts_(static_cast<std::size_t>(std::min(cases, 65535.0)) + 1) {
        for (const double ess : sizes) grid_.push_back(std::make_shared<DirichletLikelihood>(ess, cases));
    }

    std::span<const std::shared_ptr<const Score>> alternatives(std::size_t size) const override {
        return std::span(grid_).first(size > 1 ? for_many : grid_.size());
    }
    void alternative_cells(double combinations, std::size_t counts, std::size_t stride,
                           double* values) const override {
        std::call_once(summing_, [&] { risings_.emplace(most_counts_); });
        if (stride != LogRisings::width || counts > most_counts_)
            return Score::alternative_cells(combinations, counts, stride, values);
        double starts[for_many];
        for (std::size_t i = 0; i < for_many; ++i) starts[i] = sizes[i] / combinations;
        risings_->fill(starts, counts, values);
    }
    /// Of the size 1, which stands in where one formula is wanted.
    double cell(double n, double combinations) const override { return grid_[1]->cell(n, combinations); }
    bool cell_uses_combinations() const override { return true; }
    bool new_states_are_even() const override { return true; }

    static constexpr std::array sizes = {
        0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0, 1024.0, std::numeric_limits<double>::infinity()};

    /// The size that makes the counts of a set of so many variables most probable; the largest finite one
    /// stands for ∞, under which rows would say nothing of the parameters.
    double best_size(std::span<const double> counts, double combinations, std::size_t size) const {
        const auto choices = alternatives(size);
        double best = sizes[0], most = -std::numeric_limits<double>::infinity();
        for (std::size_t place = 0; place < choices.size(); ++place) {
            double value = choices[place]->constant(combinations);
            for (const double n : counts)
                if (n > 0) value += choices[place]->cell(n, combinations);
            if (value > most) most = value, best = std::isfinite(sizes[place]) ? sizes[place] : best;
        }
        return best;
    }

  private:
    static constexpr std::size_t for_many = 8;  // up to 64
    std::vector<std::shared_ptr<const Score>> grid_;
    // Made where all counts of a table are asked for.
    std::size_t most_counts_;
    mutable std::once_flag summing_;
    mutable std::optional<LogRisings> risings_;
};

}  // namespace dagscape
