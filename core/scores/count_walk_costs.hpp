#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/table.hpp"

namespace dagscape {

/// What it takes to count all sets of a size: the one place where ways of counting are compared. Constants
/// are nanoseconds measured on one core of an AVX-512 machine; only their ratios matter.
class CountWalkCosts {
  public:
    /// `distinct`: rows left when equal ones are collapsed. Of sets larger than `most`, costs are those of
    /// sets of `most`.
    CountWalkCosts(const Table& table, std::size_t distinct, std::size_t most)
        : rows_(static_cast<double>(table.rows())),
          distinct_(static_cast<double>(distinct)),
          sets_(most + 1, 0),
          cells_(most + 1, 0),
          choices_(most + 1, 0) {
        // Sums over all sets of a size of the products of arities are elementary symmetric polynomials.
        sets_[0] = cells_[0] = choices_[0] = 1;
        for (std::size_t v = 0; v < table.variables(); ++v) {
            const double r = table.arity(static_cast<Var>(v));
            for (std::size_t size = most; size > 0; --size) {
                sets_[size] += sets_[size - 1];
                cells_[size] += cells_[size - 1] * r;
                choices_[size] += choices_[size - 1] * (r - 1);
            }
        }
    }

    /// Counts that bitmaps keep of sets of this size.
    double choices(std::size_t size) const { return choices_[capped(size)]; }

    double bitmaps(std::size_t size) const {
        size = capped(size);
        // Packing halves the rows with every level, about, until a word is left.
        const double words =
            std::max(1.0, rows_ / 64 / std::exp2(std::max(0.0, static_cast<double>(size) - 3)));
        return cells_[size - 1] * 12 + cells_[size] * 1.2 + choices_[size] * (3 + 0.15 * words);
    }
    double rows(std::size_t size) const {
        size = capped(size);
        const double occupied = std::min(cells_[size], 2 * distinct_ * sets_[size]);
        return distinct_ * (4 * sets_[size - 1] + 1.7 * sets_[size]) + 2 * occupied;
    }
    /// One set on its own.
    double single(std::size_t size) const { return 200 + distinct_ * (1 + 0.6 * static_cast<double>(size)); }

  private:
    std::size_t capped(std::size_t size) const { return std::min(size, sets_.size() - 1); }

    double rows_, distinct_;
    std::vector<double> sets_, cells_, choices_;
};

}  // namespace dagscape
