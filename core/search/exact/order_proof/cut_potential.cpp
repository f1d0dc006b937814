#include "search/exact/order_proof/cut_potential.hpp"

#include <algorithm>

#include "varset/fixed_set.hpp"

namespace dagscape {

template <typename Set>
CutPotential<Set>::CutPotential(const Families& families, const std::vector<PricedCut<Set>>& cuts,
                                const Costs& costs)
    : cuts_(cuts), cuts_of_(families.variables()), least_(families.variables(), Costs::never) {
    for (std::size_t at = 0; at < cuts_.size(); ++at)
        for (const Var v : cuts_[at].listed()) cuts_of_[v].push_back(static_cast<std::uint32_t>(at));
    for (std::size_t v = 0; v < families.variables(); ++v) {
        const Var child = static_cast<Var>(v);
        for (std::size_t at = 0; at < costs.costs(child).size(); ++at) {
            const Set parents = kept_set<Set>(families, child, at);
            Cost reduced = costs.costs(child)[at];
            for (const std::uint32_t number : cuts_of_[v]) reduced -= cuts_[number].taken(child, parents);
            least_[v] = std::min(least_[v], reduced);
        }
    }
}

template <typename Set>
auto CutPotential<Set>::bound(const Set& left) const -> Cost {
    Cost sum = 0;
    for (const Var v : left) sum += least_[v];
    for (const PricedCut<Set>& cut : cuts_) sum += cut.need(left);
    return sum;
}

template <typename Set>
void CutPotential<Set>::falls(const Set& left, std::span<Cost> by) const {
    std::copy(least_.begin(), least_.end(), by.begin());
    for (const PricedCut<Set>& cut : cuts_) cut.add_falls(left, by);
}

template <typename Set>
auto CutPotential<Set>::fall(const Set& left, Var placed) const -> Cost {
    Cost sum = least_[placed];
    const Set after = left - placed;
    for (const std::uint32_t number : cuts_of_[placed])
        sum += cuts_[number].need(left) - cuts_[number].need(after);
    return sum;
}

template class CutPotential<FixedSet<1>>;
template class CutPotential<FixedSet<2>>;
template class CutPotential<FixedSet<4>>;

}  // namespace dagscape
