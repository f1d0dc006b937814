#include "counts/items.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace dagscape {

namespace {

std::vector<std::uint32_t> state_counts(const Column& column, const std::vector<std::uint32_t>& weights) {
    std::vector<std::uint32_t> counts(column.arity, 0);
    std::visit(
        [&](const auto& codes) {
            for (std::size_t row = 0; row < codes.size(); ++row)
                counts[codes[row]] += weights.empty() ? 1 : weights[row];
        },
        column.codes);
    return counts;
}

}  // namespace

ItemOrder::ItemOrder(const Table& table)
    : cases(table.cases()), variable(table.variables()), position_of(table.variables()) {
    std::iota(variable.begin(), variable.end(), Var{0});
    std::stable_sort(variable.begin(), variable.end(),
                     [&](Var a, Var b) { return table.arity(a) < table.arity(b); });
    first.push_back(0);
    for (std::size_t position = 0; position < variable.size(); ++position) {
        position_of[variable[position]] = position;
        const Column& column = table.column(variable[position]);
        const std::vector<std::uint32_t> counts = state_counts(column, table.weights());
        common.push_back(
            static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin()));
        first.push_back(first.back() + column.arity - 1);
        for (std::size_t state = 0; state < column.arity; ++state)
            if (state != common.back()) count.push_back(counts[state]);
    }
}

ItemBitmaps::ItemBitmaps(const Table& table, const ItemOrder& item_order)
    : order(item_order),
      rows(table.rows()),
      words((table.rows() + 63) / 64),
      bitmaps(order.items() * words, 0) {
    assert(table.weights().empty());
    for (std::size_t position = 0; position < order.positions(); ++position) {
        std::visit(
            [&](const auto& codes) {
                for (std::size_t row = 0; row < codes.size(); ++row)
                    if (codes[row] != order.common[position])
                        bitmaps[order.item(position, codes[row]) * words + row / 64] |= std::uint64_t{1}
                                                                                        << (row % 64);
            },
            table.column(order.variable[position]).codes);
    }
}

}  // namespace dagscape
