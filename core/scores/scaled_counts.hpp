#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "scores/score.hpp"

namespace dagscape {

/// A score of rows each of which counts for as much as `unit` of a case: rows that tell less than as many
/// independent ones would, or weights that are whole numbers of small units.
///
/// Counts are multiplied, not scores: N rows of unit u are u N cases, and the score is that of u N cases.
/// With u > 1, `new_states_are_even` would not follow, and is not asked for.
class ScaledCounts final : public Score {
  public:
    /// The score of all cases, u N of them.
    ScaledCounts(std::shared_ptr<const Score> score, double unit) : score_(std::move(score)), unit_(unit) {
        for (const auto& alternative : score_->alternatives(1))
            alternatives_.push_back(std::make_shared<ScaledCounts>(alternative, unit));
    }

    double cell(double n, double combinations) const override {
        return score_->cell(n * unit_, combinations);
    }
    bool cell_uses_combinations() const override { return score_->cell_uses_combinations(); }
    double constant(double combinations) const override { return score_->constant(combinations); }
    std::span<const std::shared_ptr<const Score>> alternatives(std::size_t size) const override {
        return std::span(alternatives_).first(score_->alternatives(size).size());
    }
    bool equivalent() const override { return score_->equivalent(); }
    double given_cell(double n, std::uint32_t child_arity) const override {
        return score_->given_cell(n * unit_, child_arity);
    }

    double unit() const override { return unit_; }
    double price() const override { return score_->price(); }
    bool charges_combinations() const override { return score_->charges_combinations(); }
    /// Of a first case of which u is seen: as a function of u its logarithm is convex, 0 at none and at most
    /// −ln r at one, so at most −u ln r.
    bool new_states_are_even() const override { return unit_ <= 1 && score_->new_states_are_even(); }

  private:
    std::shared_ptr<const Score> score_;
    double unit_;
    std::vector<std::shared_ptr<const Score>> alternatives_;
};

}  // namespace dagscape
