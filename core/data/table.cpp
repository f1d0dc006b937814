#include "data/table.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "error.hpp"

namespace dagscape {

std::size_t Column::rows() const {
    return std::visit([](const auto& values) { return values.size(); }, codes);
}

namespace {

std::uint32_t largest_code(const Column& column) {
    return std::visit(
        [](const auto& values) {
            return values.empty()
                       ? 0u
                       : static_cast<std::uint32_t>(*std::max_element(values.begin(), values.end()));
        },
        column.codes);
}

std::uint32_t count_cases(std::size_t rows, const std::vector<std::uint32_t>& weights) {
    std::uint64_t total = weights.empty() ? rows : 0;
    for (const std::uint32_t weight : weights) {
        if (weight == 0) throw Error(ErrorKind::data, "a row has weight 0; leave such rows out");
        total += weight;
    }
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw Error(ErrorKind::data,
                    "the table has " + std::to_string(total) + " cases; the most is 4294967295");
    return static_cast<std::uint32_t>(total);
}

}  // namespace

Table::Table(std::vector<Column> columns, std::vector<std::uint32_t> weights)
    : columns_(std::move(columns)), weights_(std::move(weights)) {
    if (columns_.empty()) throw Error(ErrorKind::data, "the table has no columns");
    if (columns_.size() > max_variables)
        throw Error(ErrorKind::data, "the table has " + std::to_string(columns_.size()) +
                                         " columns; the most is " + std::to_string(max_variables));
    rows_ = columns_.front().rows();
    if (rows_ == 0) throw Error(ErrorKind::data, "the table has no rows");
    for (std::size_t v = 0; v < columns_.size(); ++v) {
        const Column& column = columns_[v];
        if (column.rows() != rows_)
            throw Error(ErrorKind::data, "column " + std::to_string(v) + " has " +
                                             std::to_string(column.rows()) + " rows, column 0 has " +
                                             std::to_string(rows_));
        if (column.arity > 65536)
            throw Error(ErrorKind::data, "column " + std::to_string(v) + " has " +
                                             std::to_string(column.arity) + " states; the most is 65536");
        if (largest_code(column) >= column.arity)
            throw Error(ErrorKind::data, "column " + std::to_string(v) + " has the code " +
                                             std::to_string(largest_code(column)) + " but only " +
                                             std::to_string(column.arity) + " states");
    }
    if (!weights_.empty() && weights_.size() != rows_)
        throw Error(ErrorKind::data, "there are " + std::to_string(weights_.size()) + " weights for " +
                                         std::to_string(rows_) + " rows");
    cases_ = count_cases(rows_, weights_);
}

void refuse_too_many(std::size_t size) {
    throw Error(ErrorKind::parameter,
                "a set of " + std::to_string(size) + " variables has more than 1e300 value combinations");
}

double Table::combinations(Members set) const {
    return combinations_of(set, [this](Var v) { return arity(v); });
}

}  // namespace dagscape
