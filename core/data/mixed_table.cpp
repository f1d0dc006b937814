#include "data/mixed_table.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "error.hpp"

namespace dagscape {

namespace {

std::size_t length(const MixedTable::AnyColumn& column) {
    if (const auto* states = std::get_if<Column>(&column)) return states->rows();
    return std::get<std::vector<double>>(column).size();
}

}  // namespace

MixedTable::MixedTable(std::vector<AnyColumn> columns, double unit)
    : columns_(std::move(columns)), unit_(unit) {
    if (!(unit_ > 0)) throw Error(ErrorKind::data, "a row must count for something");
    if (columns_.empty()) throw Error(ErrorKind::data, "the table has no columns");
    if (columns_.size() > max_variables)
        throw Error(ErrorKind::data, "the table has " + std::to_string(columns_.size()) +
                                         " columns; the most is " + std::to_string(max_variables));
    rows_ = length(columns_.front());
    if (rows_ == 0) throw Error(ErrorKind::data, "the table has no rows");
    for (std::size_t v = 0; v < columns_.size(); ++v) {
        if (length(columns_[v]) != rows_)
            throw Error(ErrorKind::data, "column " + std::to_string(v) + " has " +
                                             std::to_string(length(columns_[v])) + " rows, column 0 has " +
                                             std::to_string(rows_));
        if (const auto* states = std::get_if<Column>(&columns_[v])) {
            static_cast<void>(Table({*states}));  // refuses codes beyond the states
            continue;
        }
        for (const double value : std::get<std::vector<double>>(columns_[v]))
            if (!std::isfinite(value))
                throw Error(ErrorKind::data,
                            "column " + std::to_string(v) + " has a value that is no finite number");
    }
}

}  // namespace dagscape
