#include "scores/conditional_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "data/row_groups.hpp"
#include "error.hpp"
#include "scores/column_blocks.hpp"

namespace dagscape {

namespace {

/// Moments of all numbers are kept for sets of states with no more of them than this: four megabytes.
constexpr std::size_t most_moments = std::size_t{1} << 19;
constexpr std::size_t memo_bytes = std::size_t{1} << 29;

std::size_t place(std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; }

std::uint64_t key_of(Members set) {
    std::uint64_t key = 0x9e3779b97f4a7c15;
    for (const Var v : set) {
        key = (key ^ v) * 0xd6e8feb86659fd93;
        key ^= key >> 32;
    }
    return key;
}

/// Turns a covariance into its factor, and returns the log determinant.
double factorize(std::vector<double>& matrix, std::size_t size) {
    double log_determinant = 0;
    for (std::size_t i = 0; i < size; ++i) {
        double pivot = matrix[place(i, i)];
        for (std::size_t j = 0; j < i; ++j) {
            double entry = matrix[place(i, j)];
            for (std::size_t k = 0; k < j; ++k) entry -= matrix[place(i, k)] * matrix[place(j, k)];
            matrix[place(i, j)] = entry /= matrix[place(j, j)];
            pivot -= entry * entry;
        }
        pivot = std::max(pivot, least_own_share / 2);
        matrix[place(i, i)] = std::sqrt(pivot);
        log_determinant += std::log(pivot);
    }
    return log_determinant;
}

/// tr(Σ⁻¹ M) for a factor of Σ: M is reduced from both sides.
double trace_of_ratio(const std::vector<double>& factor, const std::vector<double>& moments,
                      std::size_t size) {
    double trace = 0;
    std::vector<double> column(size), solved(size);
    for (std::size_t c = 0; c < size; ++c) {
        // The c-th column of L⁻¹ M, then the c-th entry of L⁻ᵀ of it.
        for (std::size_t i = 0; i < size; ++i) {
            double left = moments[i >= c ? place(i, c) : place(c, i)];
            for (std::size_t k = 0; k < i; ++k) left -= factor[place(i, k)] * solved[k];
            solved[i] = left / factor[place(i, i)];
        }
        for (std::size_t i = size; i-- > c;) {
            double left = solved[i];
            for (std::size_t k = i + 1; k < size; ++k) left -= factor[place(k, i)] * column[k];
            column[i] = left / factor[place(i, i)];
        }
        trace += column[c];
    }
    return trace;
}

}  // namespace

ConditionalGaussian::ConditionalGaussian(std::shared_ptr<const MixedTable> table)
    : table_(std::move(table)),
      price_(std::log(table_->cases()) / 2),
      memo_(memo_bytes / (table_->rows() * sizeof(std::uint32_t) + most_moments)) {
    const std::size_t rows = table_->rows();
    for (std::size_t i = 0; i < table_->variables(); ++i) {
        const auto v = static_cast<Var>(i);
        place_.push_back(numbers_.size());
        if (!table_->is_number(v)) continue;
        // Squares of the largest doubles would overflow.
        std::vector<double> values = table_->numbers(v);
        double largest = 0, sum = 0, squares = 0;
        for (const double value : values) largest = std::max(largest, std::abs(value));
        for (double& value : values) sum += value = largest > 0 ? value / largest : 0;
        for (double& value : values) value -= sum / static_cast<double>(rows);
        for (const double value : values) squares += value * value;
        const double deviation = std::sqrt(squares / static_cast<double>(rows));
        const auto [low, high] = std::minmax_element(table_->numbers(v).begin(), table_->numbers(v).end());
        const bool varies = *low != *high && deviation > 0;
        for (double& value : values) value = varies ? value / deviation : 0;
        log_deviation_.push_back(varies ? std::log(largest) + std::log(deviation) : 0);
        ridge_.push_back(varies ? least_own_share : 1);
        numbers_.push_back(std::move(values));
    }
    const std::size_t count = numbers_.size();
    overall_.assign(place(count, 0), 0.0);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::size_t row = 0; row < rows; ++row) sum += numbers_[i][row] * numbers_[j][row];
            overall_[place(i, j)] = sum / static_cast<double>(rows) + (i == j ? ridge_[i] : 0);
        }
}

/// As for counts, with as many roundings more as a cell's covariance has.
double ConditionalGaussian::rounding() const { return std::ldexp(SetFunction::rounding(), 4); }

double ConditionalGaussian::combinations(Members set) const {
    double product = 1;
    for (const Var v : set)
        if (!table_->is_number(v)) product *= table_->states(v).arity;
    if (product > 1e290)
        throw Error(ErrorKind::parameter, "a set of " + std::to_string(set.size()) +
                                              " variables has more than 1e290 value combinations");
    return product;
}

double ConditionalGaussian::parameters(Members set) const {
    double numbers = 0;
    for (const Var v : set) numbers += table_->is_number(v) ? 1 : 0;
    const double cells = combinations(set);
    return cells - 1 + cells * numbers * (numbers + 3) / 2;
}

double ConditionalGaussian::joint(Members set) const {
    std::vector<Var> states;
    std::vector<std::size_t> chosen;
    double value = -cost(set);
    for (const Var v : set) {
        if (table_->is_number(v)) {
            chosen.push_back(place_[v]);
            value -= cases() * log_deviation_[place_[v]];
        } else {
            states.push_back(v);
        }
    }
    const auto found = cells(states);
    double likelihood = 0;
    for (const std::uint32_t n : found->counts)
        likelihood += n * std::log(n / static_cast<double>(table_->rows()));
    if (!chosen.empty()) likelihood += fit(*found, chosen);
    return value + table_->unit() * likelihood;
}

std::shared_ptr<const ConditionalGaussian::Cells> ConditionalGaussian::cells(Members states) const {
    const std::uint64_t key = key_of(states);
    const auto same = [&](const Cells& other) {
        return std::equal(other.set.begin(), other.set.end(), states.begin(), states.end());
    };
    if (auto known = memo_.find(key, same)) return known;
    auto made = std::make_shared<Cells>();
    made->set.assign(states.begin(), states.end());
    RowGroups groups(table_->rows());
    for (const Var v : states) groups.split(table_->states(v));
    made->of_row = std::move(groups.group);
    for (const std::uint32_t cell : made->of_row) {
        if (cell >= made->counts.size()) made->counts.resize(cell + 1, 0);
        ++made->counts[cell];
    }
    const std::size_t all = numbers_.size();
    if (all > 0 && made->counts.size() * place(all, 0) <= most_moments) {
        std::vector<std::size_t> every(all);
        for (std::size_t i = 0; i < all; ++i) every[i] = i;
        add_moments(*made, every);
    }
    memo_.keep(key, made);
    return made;
}

/// Means first: moments about them lose no digits where a cell is narrow and far off.
void ConditionalGaussian::add_moments(Cells& cells, const std::vector<std::size_t>& chosen) const {
    const std::size_t count = chosen.size(), each = place(count, 0), rows = table_->rows();
    cells.means.assign(cells.counts.size() * count, 0.0);
    cells.moments.assign(cells.counts.size() * each, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double>& values = numbers_[chosen[i]];
        for (std::size_t row = 0; row < rows; ++row)
            cells.means[cells.of_row[row] * count + i] += values[row];
    }
    for (std::size_t cell = 0; cell < cells.counts.size(); ++cell)
        for (std::size_t i = 0; i < count; ++i) cells.means[cell * count + i] /= cells.counts[cell];
    std::vector<double> off(count);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t cell = cells.of_row[row];
        const double* mean = cells.means.data() + cell * count;
        double* moments = cells.moments.data() + cell * each;
        for (std::size_t i = 0; i < count; ++i) off[i] = numbers_[chosen[i]][row] - mean[i];
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j <= i; ++j) *moments++ += off[i] * off[j];
    }
}

double ConditionalGaussian::fit(const Cells& cells, const std::vector<std::size_t>& chosen) const {
    const std::size_t size = chosen.size();
    Cells own;  // where moments of all numbers are not at hand
    std::vector<std::size_t> at = chosen;
    const Cells* from = &cells;
    std::size_t all = numbers_.size();
    if (cells.moments.empty()) {
        own.of_row = cells.of_row;
        own.counts = cells.counts;
        add_moments(own, chosen);
        for (std::size_t i = 0; i < size; ++i) at[i] = i;
        from = &own;
        all = size;
    }
    const double per_row = static_cast<double>(size) * std::log(2 * std::numbers::pi);
    double sum = 0, rows_of_small = 0;
    Triangle matrix(place(size, 0)), small(place(size, 0), 0.0);
    for (std::size_t cell = 0; cell < from->counts.size(); ++cell) {
        const double n = from->counts[cell];
        const double* moments = from->moments.data() + cell * place(all, 0);
        const double* mean = from->means.data() + cell * all;
        const bool few = from->counts[cell] < 2 * (size + 2);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const double moment = moments[place(at[i], at[j])];
                if (few) {
                    small[place(i, j)] += moment + n * mean[at[i]] * mean[at[j]];
                } else {
                    matrix[place(i, j)] = moment / n + (i == j ? ridge_[chosen[i]] : 0);
                }
            }
        if (few) {
            rows_of_small += n;
        } else {
            sum -= n / 2 * (per_row + static_cast<double>(size) + factorize(matrix, size));
        }
    }
    if (rows_of_small > 0) {
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j <= i; ++j) matrix[place(i, j)] = overall_[place(chosen[i], chosen[j])];
        const double log_determinant = factorize(matrix, size);
        sum -= (rows_of_small * (per_row + log_determinant) + trace_of_ratio(matrix, small, size)) / 2;
    }
    return sum;
}

}  // namespace dagscape
