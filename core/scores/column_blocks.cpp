#include "scores/column_blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <variant>

#include "clones.hpp"
#include "error.hpp"

namespace dagscape {

namespace {

constexpr std::size_t lanes = 8;
/// What is left of a column, as a share of its size, once others are taken out: less is rounding.
constexpr double least_left = 1e-6;
/// Their matrix takes two gigabytes.
constexpr std::size_t most_columns = 16384;

/// Sums in as many lanes, so that it runs side by side and yet always adds in the same order.
DAGSCAPE_CLONES double product(const double* a, const double* b, std::size_t count) {
    std::array<double, lanes> sums{};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
    double total = 0;
    for (; i < count; ++i) total += a[i] * b[i];
    for (const double sum : sums) total += sum;
    return total;
}

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
    return std::sqrt(product(values.data(), values.data(), values.size()) /
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
                const double share =
                    product(values.data(), other.data(), values.size()) / static_cast<double>(values.size());
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

double add_states(Block& block, const Column& column) {
    std::vector<std::size_t> counts(column.arity, 0);
    std::visit(
        [&](const auto& codes) {
            for (const auto code : codes) ++counts[code];
        },
        column.codes);
    const std::size_t commonest =
        static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    double log_scale = 0;
    for (std::size_t state = 0; state < counts.size(); ++state) {
        if (state == commonest || counts[state] == 0) continue;
        Values indicator(column.rows());
        std::visit(
            [&](const auto& codes) {
                for (std::size_t i = 0; i < codes.size(); ++i) indicator[i] = codes[i] == state ? 1.0 : 0.0;
            },
            column.codes);
        if (const double left = block.add(std::move(indicator)); left > 0) log_scale += std::log(left);
    }
    return log_scale;
}

}  // namespace

ColumnBlocks column_blocks(const MixedTable& table, std::size_t degree) {
    ColumnBlocks blocks;
    blocks.rows = table.rows();
    blocks.begin.push_back(0);
    std::vector<Values> columns;
    const auto too_many = [&](std::size_t count) {
        return Error(ErrorKind::data, "the table makes " + std::to_string(count) +
                                          " columns of numbers or more, states of variables among them; the "
                                          "most is " +
                                          std::to_string(most_columns));
    };
    for (std::size_t i = 0; i < table.variables(); ++i) {
        const auto v = static_cast<Var>(i);
        if (!table.is_number(v) && columns.size() + table.states(v).arity > most_columns + 1)
            throw too_many(columns.size() + table.states(v).arity);
        Block block;
        blocks.log_scale.push_back(table.is_number(v) ? add_numbers(block, table.numbers(v), degree)
                                                      : add_states(block, table.states(v)));
        for (Values& column : block.columns) columns.push_back(std::move(column));
        if (columns.size() > most_columns) throw too_many(columns.size());
        blocks.begin.push_back(columns.size());
    }
    const std::size_t count = columns.size();
    blocks.matrix.assign(count * count, 0.0);
    constexpr std::size_t tile = 32;  // columns that stay near while they meet as many others
    for (std::size_t from = 0; from < count; from += tile)
        for (std::size_t below = 0; below <= from; below += tile)
            for (std::size_t i = from; i < std::min(from + tile, count); ++i)
                for (std::size_t j = below; j < std::min(below + tile, i); ++j) {
                    const double r = product(columns[i].data(), columns[j].data(), blocks.rows) /
                                     static_cast<double>(blocks.rows);
                    blocks.matrix[i * count + j] = blocks.matrix[j * count + i] = r;
                }
    for (std::size_t v = 0; v < blocks.variables(); ++v)
        for (std::size_t i = blocks.begin[v]; i < blocks.begin[v + 1]; ++i)
            for (std::size_t j = blocks.begin[v]; j < blocks.begin[v + 1]; ++j)
                blocks.matrix[i * count + j] = i == j ? 1.0 : 0.0;
    return blocks;
}

}  // namespace dagscape
