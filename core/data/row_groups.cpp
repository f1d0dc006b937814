#include "data/row_groups.hpp"

#include <algorithm>
#include <limits>

namespace dagscape {

namespace {

constexpr std::uint32_t unnumbered = std::numeric_limits<std::uint32_t>::max();

/// Numbers the pairs (group, code) by first appearance, with a slot for every possible pair.
template <typename Codes>
std::uint32_t number_by_slot(std::vector<std::uint32_t>& group, const Codes& codes, std::size_t arity,
                             std::size_t pairs) {
    thread_local std::vector<std::uint32_t> slots;
    slots.assign(pairs, unnumbered);
    std::uint32_t next = 0;
    for (std::size_t row = 0; row < group.size(); ++row) {
        std::uint32_t& slot = slots[group[row] * arity + codes[row]];
        if (slot == unnumbered) slot = next++;
        group[row] = slot;
    }
    return next;
}

/// Numbers the pairs in ascending order, for columns of so many states that slots would not fit.
template <typename Codes>
std::uint32_t number_by_sorting(std::vector<std::uint32_t>& group, const Codes& codes, std::size_t arity) {
    std::vector<std::uint64_t> pairs(group.size());
    for (std::size_t row = 0; row < group.size(); ++row)
        pairs[row] = std::uint64_t{group[row]} * arity + codes[row];
    std::vector<std::uint64_t> distinct = pairs;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::size_t row = 0; row < group.size(); ++row)
        group[row] = static_cast<std::uint32_t>(
            std::lower_bound(distinct.begin(), distinct.end(), pairs[row]) - distinct.begin());
    return static_cast<std::uint32_t>(distinct.size());
}

}  // namespace

void RowGroups::spread(const Column& column) {
    std::visit(
        [&](const auto& codes) {
            const std::uint32_t arity = column.arity;
            for (std::size_t row = 0; row < codes.size(); ++row) group[row] = group[row] * arity + codes[row];
        },
        column.codes);
    bound *= column.arity;
}

void RowGroups::split(const Column& column) {
    const std::size_t pairs = bound * column.arity;
    bound = std::visit(
        [&](const auto& codes) {
            return pairs <= 65536 + 64 * group.size() ? number_by_slot(group, codes, column.arity, pairs)
                                                      : number_by_sorting(group, codes, column.arity);
        },
        column.codes);
}

}  // namespace dagscape
