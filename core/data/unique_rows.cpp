#include "data/unique_rows.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "data/row_groups.hpp"

namespace dagscape {

namespace {

/// Rows with equal hashes, in groups numbered by first appearance.
struct HashedRows {
    explicit HashedRows(const Table& table);

    std::vector<std::uint32_t> group;  // of each row
    std::vector<std::size_t> first;    // row of each group
};

HashedRows::HashedRows(const Table& table) : group(table.rows()) {
    std::vector<std::uint64_t> hashes(table.rows(), 0);
    for (std::size_t v = 0; v < table.variables(); ++v)
        std::visit(
            [&](const auto& codes) {
                for (std::size_t row = 0; row < codes.size(); ++row)
                    hashes[row] = hashes[row] * 0xd6e8feb86659fd93 + codes[row];
            },
            table.column(static_cast<Var>(v)).codes);
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> slots(2 * std::bit_ceil(table.rows() + 1), none);
    const int shift = std::countl_zero(slots.size()) + 1;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::size_t at = hashes[row] * 0x9e3779b97f4a7c15 >> shift;
        while (slots[at] != none && hashes[first[slots[at]]] != hashes[row]) at = (at + 1) % slots.size();
        if (slots[at] == none) {
            slots[at] = static_cast<std::uint32_t>(first.size());
            first.push_back(row);
        }
        group[row] = slots[at];
    }
}

bool equal_within_groups(const Table& table, const HashedRows& rows) {
    for (std::size_t v = 0; v < table.variables(); ++v) {
        const bool equal = std::visit(
            [&](const auto& codes) {
                for (std::size_t row = 0; row < codes.size(); ++row)
                    if (codes[row] != codes[rows.first[rows.group[row]]]) return false;
                return true;
            },
            table.column(static_cast<Var>(v)).codes);
        if (!equal) return false;
    }
    return true;
}

/// The groups of equal rows. Hashes are checked: different rows that share one make it split rows instead.
std::vector<std::uint32_t> equal_rows(const Table& table) {
    HashedRows hashed(table);
    if (equal_within_groups(table, hashed)) return std::move(hashed.group);
    RowGroups rows(table.rows());
    for (std::size_t v = 0; v < table.variables() && rows.bound < table.rows(); ++v)
        rows.split(table.column(static_cast<Var>(v)));
    return std::move(rows.group);
}

}  // namespace

Table unique_rows(const Table& table) {
    const std::vector<std::uint32_t> group = equal_rows(table);
    std::vector<std::size_t> place(table.rows(), table.rows());  // of a group in the result; none yet
    std::vector<std::size_t> first;                              // row of each group
    std::vector<std::uint32_t> weights;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::size_t& at = place[group[row]];
        if (at == table.rows()) {
            at = first.size();
            first.push_back(row);
            weights.push_back(0);
        }
        weights[at] += table.weights().empty() ? 1 : table.weights()[row];
    }

    std::vector<Column> columns;
    for (std::size_t v = 0; v < table.variables(); ++v) {
        const Column& column = table.column(static_cast<Var>(v));
        columns.push_back(std::visit(
            [&](const auto& codes) {
                std::remove_cvref_t<decltype(codes)> kept;
                kept.reserve(first.size());
                for (const std::size_t row : first) kept.push_back(codes[row]);
                return Column{std::move(kept), column.arity};
            },
            column.codes));
    }
    return Table(std::move(columns), std::move(weights));
}

}  // namespace dagscape
