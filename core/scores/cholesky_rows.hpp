#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "scores/determinant_function.hpp"

namespace dagscape {

/// Rows of a Cholesky factor for a growing list of variables, each over many columns at once: so the log
/// determinant of the list with any one more variable is at hand.
///
/// Row i has, for column c, what is left of c's covariance with the i-th column of the list once those before
/// it are taken out, scaled; the sum of its squares over rows is what the list tells of c.
class CholeskyRows {
  public:
    explicit CholeskyRows(const DeterminantFunction& function);

    /// Back to a list of so many variables.
    void shorten(std::size_t size);
    /// Adds a variable. Columns from `below` on are not asked for any more, save those of the variable.
    void push(Var v, std::size_t below);

    std::size_t columns() const { return levels_.back().rows; }
    /// Of the list, scales included.
    double log_determinant() const { return levels_.back().log_determinant; }
    double offset() const { return levels_.back().offset; }
    double smallest_pivot() const { return levels_.back().smallest; }

    /// The log determinant of the list with v, less that of the list, for a variable not in it.
    double log_determinant_of(Var v) { return log_left(v); }
    /// The least pivot of all variables asked for since the last one was pushed.
    double smallest_asked() const { return smallest_asked_; }
    /// The i-th row, by column: those of variables that came before, too, only where its own is narrow.
    const double* row(std::size_t i) const { return rows_.data() + i * count_; }
    /// What the list leaves of each column, as a share of its variance.
    const double* left() const { return levels_.back().left.data(); }

  private:
    struct Level {
        std::size_t rows = 0;
        double log_determinant = 0, offset = 0, smallest = 1;
        std::vector<double> left;
    };
    void needed(Var v, std::size_t below);
    double log_left(Var v);
    void common_of(std::size_t first, std::size_t width);

    const DeterminantFunction& function_;
    std::size_t count_;  // columns of all variables
    std::vector<Level> levels_;
    double smallest_asked_ = 1;
    std::vector<Var> list_;
    std::vector<std::pair<std::size_t, std::size_t>> needed_;  // columns that a push computes: from, how many
    std::vector<double> rows_;                                 // one after the other, each of all columns
    std::vector<Level> spare_;   // levels that were left, whose memory is used again
    std::vector<double> block_;  // of one variable of several columns
};

}  // namespace dagscape
