#include "search/exact/order_proof/priced_cut.hpp"

#include <algorithm>

#include "varset/fixed_set.hpp"

namespace dagscape {

template <typename Set>
PricedCut<Set>::PricedCut(const Cut& cut, double multiplier, const Costs& costs) : listed_(cut.members) {
    for (const Var v : listed_) members_ = members_ | v;
    if (cut.table.empty()) {
        least_ = cut.least;
        amount_ = costs.units(multiplier);
        return;
    }
    products_.resize(cut.table.size());
    for (std::size_t at = 0; at < products_.size(); ++at)
        products_[at] = costs.units(multiplier * cut.table[at]);
    // Least over all subsets: a family can have any of the members placed, or fewer.
    const std::size_t size = listed_.size(), sets = std::size_t{1} << size;
    std::vector<Cost> within = products_;
    for (std::size_t x = 0; x < size; ++x)
        for (std::size_t set = 0; set < sets; ++set)
            for (std::size_t bit = 1; bit < sets; bit <<= 1)
                if ((set & bit) != 0)
                    within[x * sets + set] = std::min(within[x * sets + set], within[x * sets + (set ^ bit)]);
    needs_.assign(sets, 0);
    for (std::size_t left = 1; left < sets; ++left) {
        Cost least = Costs::never;
        for (std::size_t x = 0; x < size; ++x)
            if ((left >> x & 1) != 0)
                least = std::min(least,
                                 needs_[left ^ (std::size_t{1} << x)] + within[x * sets + (sets - 1 - left)]);
        needs_[left] = least;
    }
}

template <typename Set>
std::vector<PricedCut<Set>> priced_cuts(const Families& families, std::span<const std::uint32_t> cuts,
                                        std::span<const double> multipliers, const PlacingCosts<Set>& costs) {
    using Cost = typename PlacingCosts<Set>::Cost;
    constexpr Cost most = PlacingCosts<Set>::never / 4;
    std::vector<PricedCut<Set>> priced;
    Cost sum = 0;
    for (std::size_t at = 0; at < cuts.size(); ++at) {
        const Cut& own = families.cut(cuts[at]);
        if (own.members.empty() || (own.table.empty() && own.least == 0)) continue;
        const double greatest = own.table.empty() ? 1 : *std::max_element(own.table.begin(), own.table.end());
        const Cost size = costs.units(multipliers[at] * greatest * static_cast<double>(own.members.size()));
        if (size > most - sum) continue;
        sum += size;
        PricedCut<Set> cut(own, multipliers[at], costs);
        if (cut.need(Set::first(families.variables())) > 0) priced.push_back(std::move(cut));
    }
    return priced;
}

template class PricedCut<FixedSet<1>>;
template class PricedCut<FixedSet<2>>;
template class PricedCut<FixedSet<4>>;
template std::vector<PricedCut<FixedSet<1>>> priced_cuts(const Families&, std::span<const std::uint32_t>,
                                                         std::span<const double>,
                                                         const PlacingCosts<FixedSet<1>>&);
template std::vector<PricedCut<FixedSet<2>>> priced_cuts(const Families&, std::span<const std::uint32_t>,
                                                         std::span<const double>,
                                                         const PlacingCosts<FixedSet<2>>&);
template std::vector<PricedCut<FixedSet<4>>> priced_cuts(const Families&, std::span<const std::uint32_t>,
                                                         std::span<const double>,
                                                         const PlacingCosts<FixedSet<4>>&);

}  // namespace dagscape
