#include "search/exact/order_graph/heuristics/priced_cut.hpp"

#include <algorithm>

#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

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
std::vector<PricedCut<Set>> priced_cuts(const CutMultipliers& multipliers, const OrderCosts<Set>& costs) {
    using Cost = typename OrderCosts<Set>::Cost;
    constexpr Cost most = OrderCosts<Set>::never / 4;
    std::vector<PricedCut<Set>> priced;
    Cost sum = 0;
    for (std::size_t at = 0; at < multipliers.size(); ++at) {
        const Cut& own = multipliers.families().cut(multipliers.cuts()[at]);
        const double value = multipliers.values()[at];
        if (own.members.empty() || (own.table.empty() && own.least == 0)) continue;
        const double greatest = own.table.empty() ? 1 : *std::max_element(own.table.begin(), own.table.end());
        const Cost size = costs.units(value * greatest * static_cast<double>(own.members.size()));
        if (size > most - sum) continue;
        sum += size;
        PricedCut<Set> cut(own, value, costs);
        if (cut.need(costs.all()) > 0) priced.push_back(std::move(cut));
    }
    return priced;
}

template class PricedCut<VarSet>;
template class PricedCut<FixedSet<2>>;
template class PricedCut<FixedSet<4>>;
template std::vector<PricedCut<VarSet>> priced_cuts(const CutMultipliers&, const OrderCosts<VarSet>&);
template std::vector<PricedCut<FixedSet<2>>> priced_cuts(const CutMultipliers&,
                                                         const OrderCosts<FixedSet<2>>&);
template std::vector<PricedCut<FixedSet<4>>> priced_cuts(const CutMultipliers&,
                                                         const OrderCosts<FixedSet<4>>&);

}  // namespace dagscape
