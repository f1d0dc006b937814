#include "search/exact/order_graph/heuristics/cut_potential.hpp"

#include <algorithm>
#include <cassert>

#include "search/exact/order_graph/heuristics/heuristics.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

namespace {

class CutKind final : public AnyWidth<CutKind> {
  public:
    std::string_view name() const override { return "cuts"; }
    bool from_multipliers() const override { return true; }
    template <typename Set>
    Made<Set> make(const Given<Set>& given) const {
        assert(given.multipliers != nullptr);
        return std::make_unique<CutPotential<Set>>(*given.multipliers, given.costs);
    }
};

}  // namespace

const HeuristicKind& cut_heuristic() {
    static const CutKind kind;
    return kind;
}

template <typename Set>
CutPotential<Set>::CutPotential(const CutMultipliers& multipliers, const OrderCosts<Set>& costs)
    : cuts_(priced_cuts(multipliers, costs)),
      cuts_of_(costs.variables()),
      least_(costs.variables(), OrderCosts<Set>::limit),  // no network is wanted that costs more
      falls_(costs.variables()),
      sums_(costs.variables()),
      bounds_(costs.variables()) {
    for (std::size_t at = 0; at < cuts_.size(); ++at)
        for (const Var v : cuts_[at].listed()) cuts_of_[v].push_back(static_cast<std::uint32_t>(at));
    for (std::size_t v = 0; v < costs.variables(); ++v) {
        const Var child = static_cast<Var>(v);
        for (std::size_t at = 0; at < costs.sets(child); ++at) {
            const Set parents = costs.set(child, at);
            Cost reduced = costs.cost_at(child, at);
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
    return std::max<Cost>(sum, 0);
}

template <typename Set>
auto CutPotential<Set>::expand(const Set& left) -> std::span<const Cost> {
    left_ = left;
    falls_ = least_;
    Cost sum = 0;
    for (const Var v : left) sum += least_[v];
    for (const PricedCut<Set>& cut : cuts_) sum += cut.add_falls(left, falls_);
    for (const Var v : left) {
        sums_[v] = sum - falls_[v];
        bounds_[v] = std::max<Cost>(sums_[v], 0);
    }
    return bounds_;
}

template <typename Set>
auto CutPotential<Set>::bound_after(Var child, const Set& left) const -> Cost {
    Cost sum = sums_[child];
    Set now = left_ - child;
    const Set freed = now - left;
    for (const Var v : freed) {
        sum -= fall(now, v);
        now = now - v;
    }
    return std::max<Cost>(sum, 0);
}

template <typename Set>
auto CutPotential<Set>::fall(const Set& left, Var placed) const -> Cost {
    Cost sum = least_[placed];
    const Set after = left - placed;
    for (const std::uint32_t number : cuts_of_[placed])
        sum += cuts_[number].need(left) - cuts_[number].need(after);
    return sum;
}

template class CutPotential<VarSet>;
template class CutPotential<FixedSet<2>>;
template class CutPotential<FixedSet<4>>;

}  // namespace dagscape
