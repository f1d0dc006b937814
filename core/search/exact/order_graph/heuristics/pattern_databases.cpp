#include "search/exact/order_graph/heuristics/pattern_databases.hpp"

#include <algorithm>
#include <limits>

#include "clones.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

namespace {

constexpr std::uint32_t highest = std::numeric_limits<std::uint32_t>::max();

/// From the cost of each set of parents to the least among its subsets.
DAGSCAPE_CLONES void spread(std::uint32_t* __restrict least, std::size_t bits) {
    for (std::size_t bit = 0; bit < bits; ++bit) {
        const std::size_t step = std::size_t{1} << bit;
        for (std::size_t from = 0; from < std::size_t{1} << bits; from += 2 * step) {
            std::uint32_t* __restrict without = least + from;
            std::uint32_t* __restrict with = without + step;
            for (std::size_t i = 0; i < step; ++i) with[i] = std::min(with[i], without[i]);
        }
    }
}

/// The number without one of its bits, those above moved down.
std::size_t squeeze(std::size_t number, std::size_t bit) {
    const std::size_t low = (std::size_t{1} << bit) - 1;
    return (number & low) | (number >> 1 & ~low);
}

}  // namespace

template <typename Set>
PatternDatabases<Set>::PatternDatabases(const ReducedCosts<Set>& costs, std::span<const std::size_t> sizes,
                                        Control& control) {
    unsigned shift = 0;
    for (const std::size_t size : sizes) {
        ChargedArray<std::uint32_t> least = fill(costs, shift, size, control);
        if (!least) return;
        patterns_.push_back({shift, (std::uint64_t{1} << size) - 1, std::move(least)});
        shift += static_cast<unsigned>(size);
    }
}

template <typename Set>
std::uint64_t PatternDatabases<Set>::sets() const {
    std::uint64_t sum = 0;
    for (const Pattern& pattern : patterns_) sum += pattern.least.size();
    return sum;
}

template <typename Set>
ChargedArray<std::uint32_t> PatternDatabases<Set>::fill(const ReducedCosts<Set>& costs, unsigned shift,
                                                        std::size_t size, Control& control) {
    const std::size_t count = std::size_t{1} << size, half = count / 2, group = count - 1;
    ChargedArray<std::uint32_t> least(count, control);
    // For each child, by the other variables of the group that are there.
    ChargedArray<std::uint32_t> child_costs(size * half, control);
    if (!least || !child_costs) return {};
    std::fill(child_costs.begin(), child_costs.end(), highest);
    for (std::size_t x = 0; x < size; ++x) {
        const auto& child = costs.child(static_cast<Var>(shift + x));
        std::uint32_t* of_child = child_costs.data() + x * half;
        for (std::size_t at = 0; at < child.sets.size(); ++at) {
            std::uint32_t& here = of_child[squeeze(bits_from(child.sets[at], shift) & group, x)];
            here = std::min(here, child.costs[at]);
        }
        spread(of_child, size - 1);
        if (control.stopped()) return {};
    }
    for (std::size_t left = 1; left < count; ++left) {
        std::uint64_t best = highest;
        for (const Var x : VarSet(left)) {
            const std::size_t there = squeeze(group & ~left, x);
            best = std::min(
                best, std::uint64_t{least[left & ~(std::size_t{1} << x)]} + child_costs[x * half + there]);
        }
        least[left] = static_cast<std::uint32_t>(best);
    }
    return least;
}

template class PatternDatabases<VarSet>;
template class PatternDatabases<FixedSet<2>>;
template class PatternDatabases<FixedSet<4>>;

}  // namespace dagscape
