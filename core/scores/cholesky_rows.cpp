#include "scores/cholesky_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "clones.hpp"

namespace dagscape {

namespace {

/// target −= factor · row.
DAGSCAPE_CLONES void subtract(double* target, const double* row, double factor, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) target[c] -= factor * row[c];
}

/// Scales a row, and takes its squares off what is left.
DAGSCAPE_CLONES void finish(double* row, double* left, double factor, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) {
        row[c] *= factor;
        left[c] -= row[c] * row[c];
    }
}

}  // namespace

CholeskyRows::CholeskyRows(const DeterminantFunction& function)
    : function_(function), count_(function.blocks().columns()), levels_(1) {
    levels_.front().left.assign(count_, 1.0);
}

void CholeskyRows::shorten(std::size_t size) {
    while (size_ > size) {
        spare_.push_back(std::move(levels_.back()));
        levels_.pop_back();
        --size_;
        smallest_asked_ = 1;
    }
}

void CholeskyRows::push(Var v, std::size_t below) {
    const ColumnBlocks& blocks = function_.blocks();
    Level next;
    if (!spare_.empty()) {
        next = std::move(spare_.back());
        spare_.pop_back();
    }
    const Level& last = levels_.back();
    const std::size_t first = blocks.begin[v], end = blocks.begin[v + 1];
    next.rows = last.rows;
    next.log_determinant = last.log_determinant + function_.log_scale(v);
    next.offset = last.offset + function_.terms().offset[v];
    next.smallest = last.smallest;
    next.left.resize(count_);
    std::copy_n(last.left.begin(), below, next.left.begin());
    if (first >= below)
        std::copy(last.left.begin() + static_cast<std::ptrdiff_t>(first),
                  last.left.begin() + static_cast<std::ptrdiff_t>(end),
                  next.left.begin() + static_cast<std::ptrdiff_t>(first));
    if (rows_.size() < (next.rows + end - first) * count_) rows_.resize((next.rows + end - first) * count_);
    for (std::size_t column = first; column < end; ++column) {
        const double pivot = std::max(next.left[column], function_.least_pivot());
        double* row = rows_.data() + next.rows * count_;
        const double* covariance = function_.row(column);
        const double factor = 1 / std::sqrt(pivot);
        const auto compute = [&](std::size_t from, std::size_t count) {
            std::copy_n(covariance + from, count, row + from);
            for (std::size_t i = 0; i < next.rows; ++i) {
                const double* other = rows_.data() + i * count_;
                if (other[column] == 0) continue;  // as within a block that came first
                subtract(row + from, other + from, other[column], count);
            }
            finish(row + from, next.left.data() + from, factor, count);
        };
        compute(0, below);
        if (first >= below) compute(first, end - first);
        ++next.rows;
        next.log_determinant += std::log(pivot);
        next.smallest = std::min(next.smallest, pivot);
    }
    smallest_asked_ = 1;
    levels_.push_back(std::move(next));
    ++size_;
}

double CholeskyRows::log_left(Var v) {
    const ColumnBlocks& blocks = function_.blocks();
    const std::size_t first = blocks.begin[v], width = blocks.width(v), rows = columns();
    const double* left = levels_.back().left.data();
    if (width == 1) {
        const double pivot = std::max(left[first], function_.least_pivot());
        smallest_asked_ = std::min(smallest_asked_, pivot);
        return std::log(pivot) + function_.log_scale(v);
    }
    // What is left of a block: its own covariance, which has no correlations, less what the rows tell.
    block_.resize(width * width);
    for (std::size_t i = 0; i < width; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < rows; ++k) {
                const double* row = rows_.data() + k * count_ + first;
                sum += row[i] * row[j];
            }
            block_[i * width + j] = -sum;
        }
    double log_determinant = function_.log_scale(v);
    for (std::size_t i = 0; i < width; ++i) {
        double pivot = left[first + i];
        for (std::size_t j = 0; j < i; ++j) {
            double entry = block_[i * width + j];
            for (std::size_t k = 0; k < j; ++k) entry -= block_[i * width + k] * block_[j * width + k];
            block_[i * width + j] = entry /= block_[j * width + j];
            pivot -= entry * entry;
        }
        pivot = std::max(pivot, function_.least_pivot());
        smallest_asked_ = std::min(smallest_asked_, pivot);
        block_[i * width + i] = std::sqrt(pivot);
        log_determinant += std::log(pivot);
    }
    return log_determinant;
}

}  // namespace dagscape
