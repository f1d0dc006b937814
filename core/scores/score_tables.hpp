#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "counts/counter.hpp"
#include "scores/at_peak.hpp"
#include "scores/count_table.hpp"
#include "scores/keyed.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// A score for a number of cases, with the values of its formulas at whole counts kept in tables.
/// Safe to use from several threads.
class ScoreTables {
  public:
    ScoreTables(std::shared_ptr<const Score> score, std::uint32_t cases)
        : score_(std::move(score)),
          // Where there is a table for each number of combinations, keep the counts large sets have.
          largest_(score_->cell_uses_combinations() ? std::min(cases, 4095u) : cases),
          cases_(cases),
          scale_(std::exp2(62 - std::ceil(std::log2(cases * (std::log(cases + 1.0) + 2000) + 2)))) {
        for (const auto& alternative : score_->alternatives(1))
            alternatives_.push_back(std::make_unique<const ScoreTables>(alternative, cases));
    }

    const Score& score() const { return *score_; }

    /// Of a set of so many variables, from its counts and how many value combinations it has.
    double joint(Counts counts, double combinations, std::size_t size) const {
        if (const std::size_t places = score_->alternatives(size).size(); places > 0)
            return at_peak(places, [&](std::size_t place) {
                return alternatives_[place]->joint(counts, combinations, size);
            });
        const double key = score_->cell_uses_combinations() ? combinations : 0;
        const auto cell = [this, combinations](double n) { return score_->cell(n, combinations); };
        return sum(counts, cells_, key, cell, largest_) + constant(combinations);
    }
    double constant(double combinations) const {
        const auto make = [&] { return score_->constant(combinations); };
        const double* kept = constants_.get(combinations, make);
        return kept ? *kept : make();
    }
    /// The same whatever the order of the counts, of which some may be zero: terms are added as whole numbers
    /// of a unit so small that rounding to it loses no more than sums of doubles do.
    double joint_in_any_order(Counts counts, double combinations, std::size_t size) const {
        if (const std::size_t places = score_->alternatives(size).size(); places > 0)
            return at_peak(places, [&](std::size_t place) {
                return alternatives_[place]->joint_in_any_order(counts, combinations, size);
            });
        const double key = score_->cell_uses_combinations() ? combinations : 0;
        const auto cell = [this, combinations](double n) { return score_->cell(n, combinations); };
        const CountTable* table = cells_.get(key, [&] { return CountTable(cell, largest_); });
        std::int64_t units = 0;
        for (const std::uint32_t n : counts)
            if (n > 0) units += static_cast<std::int64_t>((table ? (*table)(n) : cell(n)) * scale_);
        return static_cast<double>(units) / scale_ + constant(combinations);
    }
    /// For scores that are not equivalent; the others use `joint`.
    double given(Counts counts, std::uint32_t child_arity) const {
        const auto cell = [this, child_arity](double n) { return score_->given_cell(n, child_arity); };
        return sum(counts, given_cells_, child_arity, cell, cases_);
    }

  private:
    template <typename Term>
    static double sum(Counts counts, const Keyed<CountTable>& tables, double key, const Term& term,
                      std::uint32_t largest) {
        const CountTable* table = tables.get(key, [&] { return CountTable(term, largest); });
        return table ? sum_over(counts, *table) : sum_over(counts, term);
    }

    std::shared_ptr<const Score> score_;
    std::uint32_t largest_;
    std::uint32_t cases_;
    double scale_;  // units in 1: every sum of terms is below 2^62 of them
    Keyed<CountTable> cells_;
    Keyed<CountTable> given_cells_;
    Keyed<double> constants_;
    std::vector<std::unique_ptr<const ScoreTables>> alternatives_;
};

}  // namespace dagscape
