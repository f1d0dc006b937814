#include "scores/cholesky_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "clones.hpp"

namespace dagscape {

namespace {

/// Columns of a block that are computed together.
constexpr std::size_t tile = 8;
/// Columns from which on a block is worth looking at which others are asked for.
constexpr std::size_t wide = 64;

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
    while (list_.size() > size) {
        spare_.push_back(std::move(levels_.back()));
        levels_.pop_back();
        list_.pop_back();
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
    needed(v, below);
    // Columns in tiles, so that the rows before are read once for several.
    for (std::size_t from = first; from < end; from += tile) {
        const std::size_t last_of_tile = std::min(from + tile, end);
        const auto row_of = [&](std::size_t column) {
            return rows_.data() + (last.rows + column - first) * count_;
        };
        for (std::size_t column = from; column < last_of_tile; ++column)
            for (const auto& [begin, count] : needed_)
                std::copy_n(function_.row(column) + begin, count, row_of(column) + begin);
        const auto take_out = [&](std::size_t i, std::size_t column) {
            const double* other = rows_.data() + i * count_;
            if (other[column] == 0) return;  // as within a block that came first
            for (const auto& [begin, count] : needed_)
                subtract(row_of(column) + begin, other + begin, other[column], count);
        };
        for (std::size_t i = 0; i < next.rows; ++i)
            for (std::size_t column = from; column < last_of_tile; ++column) take_out(i, column);
        for (std::size_t column = from; column < last_of_tile; ++column) {
            const double pivot = std::max(next.left[column], function_.least_pivot());
            for (std::size_t i = last.rows + from - first; i < next.rows; ++i) take_out(i, column);
            for (const auto& [begin, count] : needed_)
                finish(row_of(column) + begin, next.left.data() + begin, 1 / std::sqrt(pivot), count);
            ++next.rows;
            next.log_determinant += std::log(pivot);
            next.smallest = std::min(next.smallest, pivot);
        }
    }
    smallest_asked_ = 1;
    levels_.push_back(std::move(next));
    list_.push_back(v);
}

/// What is known of the list's own columns nobody asks, so a wide block goes without.
void CholeskyRows::needed(Var v, std::size_t below) {
    const ColumnBlocks& blocks = function_.blocks();
    needed_.clear();
    const auto add = [&](std::size_t begin, std::size_t end) {
        if (begin >= end) return;
        if (!needed_.empty() && needed_.back().first + needed_.back().second == begin)
            needed_.back().second += end - begin;
        else
            needed_.emplace_back(begin, end - begin);
    };
    if (blocks.width(v) < wide) {
        add(0, below);
    } else {
        for (std::size_t i = 0; i < blocks.variables() && blocks.begin[i] < below; ++i)
            if (std::find(list_.begin(), list_.end(), static_cast<Var>(i)) == list_.end())
                add(blocks.begin[i], std::min(below, blocks.begin[i + 1]));
    }
    if (blocks.begin[v] >= below) add(blocks.begin[v], blocks.begin[v + 1]);
}

/// Less what the rows tell of the columns of a block, as in `log_left`, read along the rows.
void CholeskyRows::common_of(std::size_t first, std::size_t width) {
    std::fill(block_.begin(), block_.end(), 0.0);
    for (std::size_t from = 0; from < width; from += tile)
        for (std::size_t k = 0; k < columns(); ++k) {
            const double* row = rows_.data() + k * count_ + first;
            for (std::size_t i = from; i < std::min(from + tile, width); ++i)
                subtract(block_.data() + i * width, row, row[i], i);
        }
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
    if (width >= wide)
        common_of(first, width);
    else
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
