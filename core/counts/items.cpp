#include "counts/items.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <numeric>

namespace dagscape {

namespace {

template <typename Code>
void add_counts(const std::vector<Code>& codes, std::vector<std::uint32_t>& counts) {
    for (const Code code : codes) ++counts[code];
}
/// Four counts of each state in turn: a count need not wait for the one before, which is often the same.
void add_counts(const std::vector<std::uint8_t>& codes, std::vector<std::uint32_t>& counts) {
    std::array<std::array<std::uint32_t, 256>, 4> parts{};
    for (std::size_t row = 0; row < codes.size(); ++row) ++parts[row % 4][codes[row]];
    for (const auto& part : parts)
        for (std::size_t state = 0; state < std::min(counts.size(), part.size()); ++state)
            counts[state] += part[state];
}

std::vector<std::uint32_t> state_counts(const Column& column, const std::vector<std::uint32_t>& weights) {
    std::vector<std::uint32_t> counts(column.arity, 0);
    std::visit(
        [&](const auto& codes) {
            if (weights.empty()) return add_counts(codes, counts);
            for (std::size_t row = 0; row < codes.size(); ++row) counts[codes[row]] += weights[row];
        },
        column.codes);
    return counts;
}

/// Bit i of the result: whether byte i, from the lowest, is this one.
std::uint64_t equal_bytes(std::uint64_t bytes, std::uint8_t byte) {
    constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
    const std::uint64_t other = bytes ^ byte * std::uint64_t{0x0101010101010101};
    const std::uint64_t equal = ~(((other & low) + low) | other | low);  // the highest bit of such bytes
    return (equal >> 7) * 0x0102040810204080 >> 56;
}

/// Sets the bits of rows with a state, eight rows at a time.
void set_bits(const std::vector<std::uint8_t>& codes, std::size_t state, std::uint64_t* words) {
    std::size_t row = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; row + 8 <= codes.size(); row += 8) {
            std::uint64_t bytes;
            std::memcpy(&bytes, codes.data() + row, 8);
            words[row / 64] |= equal_bytes(bytes, static_cast<std::uint8_t>(state)) << (row % 64);
        }
    }
    for (; row < codes.size(); ++row) words[row / 64] |= std::uint64_t{codes[row] == state} << (row % 64);
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
    find_classes();
}

ItemOrder::ItemOrder(const ItemOrder& all, std::span<const std::size_t> positions) : cases(all.cases) {
    first.push_back(0);
    for (const std::size_t position : positions) {
        variable.push_back(all.variable[position]);
        common.push_back(all.common[position]);
        for (std::size_t item = all.before(position); item < all.before(position + 1); ++item)
            count.push_back(all.count[item]);
        first.push_back(count.size());
    }
    find_classes();
}

void ItemOrder::find_classes() {
    for (std::size_t v = 0; v < positions(); ++v)
        if (v == 0 || states(v) != states(v - 1)) classes.push_back(v);
    classes.push_back(positions());
}

ItemBitmaps::ItemBitmaps(const Table& table, const ItemOrder& item_order)
    : order(item_order),
      rows(table.rows()),
      words((table.rows() + 63) / 64),
      bitmaps(order.items() * words, 0) {
    assert(table.weights().empty());
    constexpr std::size_t few = 16;  // states, for each of which all rows are looked at
    for (std::size_t position = 0; position < order.positions(); ++position) {
        const Column& column = table.column(order.variable[position]);
        const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&column.codes);
        if (bytes && order.states(position) <= few) {
            for (std::size_t state = 0; state < order.states(position); ++state)
                if (state != order.common[position])
                    set_bits(*bytes, state, bitmaps.data() + order.item(position, state) * words);
            continue;
        }
        std::visit(
            [&](const auto& codes) {
                for (std::size_t row = 0; row < codes.size(); ++row)
                    if (codes[row] != order.common[position])
                        bitmaps[order.item(position, codes[row]) * words + row / 64] |= std::uint64_t{1}
                                                                                        << (row % 64);
            },
            column.codes);
    }
}

}  // namespace dagscape
