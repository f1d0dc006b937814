#include "counts/row_partition.hpp"

#include <algorithm>

#include "data/row_groups.hpp"
#include "data/unique_rows.hpp"

namespace dagscape {

namespace {

/// A weight costs a load for each row: worth it once a fifth of the rows is gone.
Table collapsed(const Table& table) {
    Table unique = unique_rows(table);
    return unique.rows() * 5 < table.rows() * 4 ? std::move(unique) : table;
}

void histogram(const std::vector<std::uint32_t>& cell, const std::vector<std::uint32_t>& weights,
               std::vector<std::uint32_t>& counts) {
    if (weights.empty()) {
        for (const std::uint32_t c : cell) ++counts[c];
    } else {
        for (std::size_t row = 0; row < cell.size(); ++row) counts[cell[row]] += weights[row];
    }
}

}  // namespace

RowPartition::RowPartition(const Table& table) : table_(collapsed(table)) {}

void RowPartition::count(Members set, std::vector<std::uint32_t>& counts) const {
    // Enough cells that few sets need renumbering, few enough that clearing them costs no more than
    // walking the rows.
    const std::size_t most_at_once = std::clamp<std::size_t>(4 * table_.rows(), 4096, std::size_t{1} << 31);
    thread_local RowGroups cells;
    cells.group.assign(table_.rows(), 0);
    cells.bound = 1;
    for (const Var v : set) {
        const Column& column = table_.column(v);
        if (cells.bound * column.arity <= most_at_once) {
            cells.spread(column);
        } else {
            cells.split(column);
        }
    }
    counts.assign(cells.bound, 0);
    histogram(cells.group, table_.weights(), counts);
    std::erase(counts, 0u);
}

}  // namespace dagscape
