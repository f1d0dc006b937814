#pragma once

#include <cstddef>
#include <vector>

#include "data/mixed_table.hpp"

namespace dagscape {

/// Variables as blocks of columns of numbers: how these vary together.
///
/// Within a block columns are uncorrelated and of variance 1; what that took is in the scale.
struct ColumnBlocks {
    std::size_t rows = 0;
    double cases = 0;                // what the rows count for
    std::vector<std::size_t> begin;  // of each variable's columns, and the number of all columns
    std::vector<double> matrix;      // correlations, columns by columns
    std::vector<double> log_scale;   // by variable: half the log determinant of its own covariance

    std::size_t variables() const { return begin.size() - 1; }
    std::size_t columns() const { return begin.back(); }
    std::size_t width(Var v) const { return begin[v + 1] - begin[v]; }
};

/// What stands for a variable of numbers: its values, or the normal scores of their ranks.
enum class NumbersAs { values, normal_scores };

/// A variable of numbers gives its polynomials up to the degree, made uncorrelated one after the other: the
/// first is the variable itself, later ones have variance 1. One of states gives indicators of those that
/// occur, all but one of them; which one changes nothing. What does not vary, or is a sum of columns before
/// it in its block, is left out, so a variable that never changes has no columns.
///
/// A column of states takes no longer for having many of them: its rows are added up by state.
ColumnBlocks column_blocks(const MixedTable& table, std::size_t degree, NumbersAs as = NumbersAs::values);

/// The share of a column's variance that counts as its own, whatever other columns tell of it: so copies and
/// sums of others have a finite score.
inline constexpr double least_own_share = 1e-9;

}  // namespace dagscape
