#include "scores/column_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "error.hpp"
#include "scores/lane_product.hpp"
#include "scores/normal_scores.hpp"

namespace dagscape {

namespace {

/// What is left of a column, as a share of its size, once others are taken out: less is rounding.
constexpr double least_left = 1e-6;
/// Their matrix takes 17 gigabytes. Whether there is as much free is for the caller to see.
constexpr std::size_t most_columns = 46340;

using Values = std::vector<double>;

double mean(const Values& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

void center(Values& values) {
    const double middle = mean(values);
    for (double& value : values) value -= middle;
}

/// The root of the mean square.
double size(const Values& values) {
    return std::sqrt(lane_product(values.data(), values.data(), values.size()) /
                     static_cast<double>(values.size()));
}

/// The columns of one block as they grow.
class Block {
  public:
    /// Takes out the mean and the columns before, and scales to variance 1; returns by what, or 0 where
    /// nothing is left of the column.
    double add(Values values) {
        const double before = size(values);
        center(values);
        for (int pass = 0; pass < 2; ++pass) {  // once leaves rounding errors of what was taken out
            for (const Values& other : columns) {
                const double share = lane_product(values.data(), other.data(), values.size()) /
                                     static_cast<double>(values.size());
                for (std::size_t i = 0; i < values.size(); ++i) values[i] -= share * other[i];
            }
            center(values);
        }
        const double left = size(values);
        if (!(left > least_left * before)) return 0;
        for (double& value : values) value /= left;
        columns.push_back(std::move(values));
        return left;
    }

    std::vector<Values> columns;
};

double add_numbers(Block& block, const Values& numbers, std::size_t degree) {
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    if (*low == *high) return 0;
    // Squares of the largest doubles would overflow, and of the smallest vanish.
    const double largest = std::max(std::abs(*low), std::abs(*high));
    Values scaled(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) scaled[i] = numbers[i] / largest;
    center(scaled);
    const double deviation = size(scaled);
    if (!(deviation > 0)) return 0;  // they differ by less than rounding
    for (double& value : scaled) value /= deviation;
    const Values first = scaled;
    const double left = block.add(std::move(scaled));
    for (std::size_t power = 2; power <= degree; ++power) {
        Values next = block.columns.back();
        for (std::size_t i = 0; i < next.size(); ++i) next[i] *= first[i];
        if (block.add(std::move(next)) == 0) break;  // as many values as powers: no more can be told
    }
    return std::log(largest) + std::log(deviation) + std::log(left);
}

/// The indicators of a column's states, made uncorrelated and of variance 1.
///
/// With p the shares of the states, indicator / √p has the covariance I − √p √pᵀ. A reflection H takes √p to
/// the first axis; all other rows of H · indicators / √p are what is wanted, and are never written out:
/// covariances with other columns are sums by state, reflected.
class StateBlock {
  public:
    explicit StateBlock(const Column& column) : codes_(column.rows()) {
        std::vector<std::size_t> counts(column.arity, 0);
        std::visit(
            [&](const auto& codes) {
                for (const auto code : codes) ++counts[code];
            },
            column.codes);
        std::vector<std::uint32_t> number(column.arity, 0);  // of those that occur
        for (std::size_t state = 0; state < counts.size(); ++state) {
            if (counts[state] == 0) continue;
            number[state] = static_cast<std::uint32_t>(root_.size());
            root_.push_back(std::sqrt(static_cast<double>(counts[state]) / static_cast<double>(rows())));
        }
        std::visit(
            [&](const auto& codes) {
                for (std::size_t i = 0; i < codes.size(); ++i) codes_[i] = number[codes[i]];
            },
            column.codes);
    }

    std::size_t rows() const { return codes_.size(); }
    std::size_t states() const { return root_.size(); }
    std::size_t width() const { return states() - 1; }
    /// Half the log determinant of the covariance of all indicators but one, whichever it is.
    double log_scale() const {
        double sum = 0;
        for (const double root : root_) sum += std::log(root);
        return sum;
    }

    /// Covariances with a column of mean 0: the first of the values returned is no column's.
    Values with(const Values& column) const {
        Values sums(states(), 0.0);
        for (std::size_t i = 0; i < rows(); ++i) sums[codes_[i]] += column[i];
        for (std::size_t s = 0; s < states(); ++s) sums[s] /= static_cast<double>(rows()) * root_[s];
        reflect(sums.data(), 1);
        return sums;
    }
    /// Covariances with another column's, a row for each of its own; the first row and column are no one's.
    Values with(const StateBlock& other) const {
        Values shares(states() * other.states(), 0.0);
        for (std::size_t i = 0; i < rows(); ++i) shares[codes_[i] * other.states() + other.codes_[i]] += 1;
        for (std::size_t s = 0; s < states(); ++s)
            for (std::size_t t = 0; t < other.states(); ++t)
                shares[s * other.states() + t] /= static_cast<double>(rows()) * root_[s] * other.root_[t];
        for (std::size_t s = 0; s < states(); ++s) other.reflect(shares.data() + s * other.states(), 1);
        for (std::size_t t = 1; t < other.states(); ++t) reflect(shares.data() + t, other.states());
        return shares;
    }

  private:
    /// H = I − 2 u uᵀ / uᵀu with u = √p + e₀, on values that are so far apart.
    void reflect(double* values, std::size_t stride) const {
        double along = values[0];
        for (std::size_t s = 0; s < states(); ++s) along += root_[s] * values[s * stride];
        along /= 1 + root_[0];  // uᵀu = 2 (1 + √p₀)
        values[0] -= (1 + root_[0]) * along;
        for (std::size_t s = 1; s < states(); ++s) values[s * stride] -= root_[s] * along;
    }

    std::vector<std::uint32_t> codes_;
    Values root_;  // √p
};

}  // namespace

ColumnBlocks column_blocks(const MixedTable& table, std::size_t degree, NumbersAs as) {
    ColumnBlocks blocks;
    blocks.rows = table.rows();
    blocks.cases = table.cases();
    blocks.begin.push_back(0);
    std::vector<Values> columns;     // of numbers
    std::vector<std::size_t> place;  // of each among all
    std::vector<std::pair<std::size_t, StateBlock>> states;
    for (std::size_t i = 0; i < table.variables(); ++i) {
        const auto v = static_cast<Var>(i);
        std::size_t count = blocks.begin.back();
        if (table.is_number(v)) {
            Block block;
            const Values& numbers = table.numbers(v);
            blocks.log_scale.push_back(
                add_numbers(block, as == NumbersAs::values ? numbers : normal_scores(numbers), degree));
            for (Values& column : block.columns) {
                columns.push_back(std::move(column));
                place.push_back(count++);
            }
        } else {
            states.emplace_back(count, StateBlock(table.states(v)));
            blocks.log_scale.push_back(states.back().second.log_scale());
            count += states.back().second.width();
        }
        if (count > most_columns)
            throw Error(ErrorKind::data,
                        "the table makes " + std::to_string(count) +
                            " columns of numbers or more, states of variables among them; the most is " +
                            std::to_string(most_columns));
        blocks.begin.push_back(count);
    }
    const std::size_t count = blocks.columns();
    blocks.matrix.assign(count * count, 0.0);
    const auto set = [&](std::size_t i, std::size_t j, double covariance) {
        blocks.matrix[i * count + j] = blocks.matrix[j * count + i] = covariance;
    };
    constexpr std::size_t tile = 32;  // columns that stay near while they meet as many others
    for (std::size_t from = 0; from < columns.size(); from += tile)
        for (std::size_t below = 0; below <= from; below += tile)
            for (std::size_t i = from; i < std::min(from + tile, columns.size()); ++i)
                for (std::size_t j = below; j < std::min(below + tile, i); ++j)
                    set(place[i], place[j],
                        lane_product(columns[i].data(), columns[j].data(), blocks.rows) /
                            static_cast<double>(blocks.rows));
    for (std::size_t one = 0; one < states.size(); ++one) {
        const auto& [begin, block] = states[one];
        for (std::size_t j = 0; j < columns.size(); ++j) {
            const Values found = block.with(columns[j]);
            for (std::size_t s = 1; s < found.size(); ++s) set(begin + s - 1, place[j], found[s]);
        }
        for (std::size_t other = 0; other < one; ++other) {
            const auto& [start, beside] = states[other];
            const Values found = block.with(beside);
            for (std::size_t s = 1; s < block.states(); ++s)
                for (std::size_t t = 1; t < beside.states(); ++t)
                    set(begin + s - 1, start + t - 1, found[s * beside.states() + t]);
        }
    }
    for (std::size_t v = 0; v < blocks.variables(); ++v)
        for (std::size_t i = blocks.begin[v]; i < blocks.begin[v + 1]; ++i)
            for (std::size_t j = blocks.begin[v]; j < blocks.begin[v + 1]; ++j)
                blocks.matrix[i * count + j] = i == j ? 1.0 : 0.0;
    return blocks;
}

}  // namespace dagscape
