#include "scores/entropy_given_others.hpp"

#include <algorithm>
#include <cstdint>

#include "data/row_groups.hpp"
#include "data/unique_rows.hpp"
#include "scores/score.hpp"

namespace dagscape {

namespace {

/// Σ n ln n over the groups of rows that agree in both groupings.
double sum_over_pairs(const RowGroups& a, const RowGroups& b, const std::vector<std::uint32_t>& weights) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs;
    pairs.reserve(weights.size());
    for (std::size_t row = 0; row < weights.size(); ++row)
        pairs.emplace_back(std::uint64_t{a.group[row]} << 32 | b.group[row], weights[row]);
    std::sort(pairs.begin(), pairs.end());
    double sum = 0;
    for (std::size_t at = 0; at < pairs.size();) {
        const std::uint64_t pair = pairs[at].first;
        double n = 0;
        for (; at < pairs.size() && pairs[at].first == pair; ++at) n += pairs[at].second;
        sum += n_log_n(n);
    }
    return sum;
}

}  // namespace

/// Rows agree in all variables but X if they agree in those before it and in those after it. Groups of the
/// first kind grow along the variables, and of the second kind back from the end; where either tells all
/// distinct rows apart, X has nothing left to tell. In wide tables that is so for all but the ends.
std::vector<double> entropy_given_others(const Table& table) {
    const Table distinct = unique_rows(table);
    const std::size_t n = distinct.variables();
    double everything = 0;
    for (const std::uint32_t weight : distinct.weights()) everything += n_log_n(weight);

    std::vector<RowGroups>
        after;  // the last variable's first; none beyond the first that tells all rows apart
    after.emplace_back(distinct.rows());
    while (after.size() < n && after.back().bound < distinct.rows()) {
        RowGroups next = after.back();
        next.split(distinct.column(static_cast<Var>(n - after.size())));
        after.push_back(std::move(next));
    }

    std::vector<double> result(n, 0);
    RowGroups before(distinct.rows());
    for (std::size_t x = 0; x < n && before.bound < distinct.rows(); ++x) {
        const std::size_t behind = n - 1 - x;  // variables after x
        if (behind < after.size() && after[behind].bound < distinct.rows())
            result[x] = sum_over_pairs(before, after[behind], distinct.weights()) - everything;
        before.split(distinct.column(static_cast<Var>(x)));
    }
    return result;
}

}  // namespace dagscape
