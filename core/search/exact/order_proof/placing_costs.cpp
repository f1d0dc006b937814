#include "search/exact/order_proof/placing_costs.hpp"

#include <algorithm>
#include <cmath>

#include "search/exact/free_moves.hpp"
#include "search/exact/gap.hpp"
#include "varset/fixed_set.hpp"

namespace dagscape {

template <typename Set>
PlacingCosts<Set>::PlacingCosts(const Families& families, double most) : children_(families.variables()) {
    int exponent = 0;
    std::frexp(most * (1 + 1e-12), &exponent);
    unit_ = std::ldexp(1, exponent - bits);
    for (std::size_t v = 0; v < children_.size(); ++v) {
        const Var variable = static_cast<Var>(v);
        Child& child = children_[v];
        std::vector<Set> sets;
        Set occurring;
        std::size_t largest = 0;
        for (std::size_t at = 0; at < families.kept_sets(variable).size(); ++at) {
            const double regret = families.regret(families.kept_column(variable, at));
            if (!(regret <= most)) break;  // they rise
            const Set& set = sets.emplace_back(kept_set<Set>(families, variable, at));
            child.costs.push_back(units(regret));
            occurring = occurring | set;
            largest = std::max(largest, set.size());
            if (child.costs.back() > 0) continue;
            child.free_sets.push_back(set);
            for (const Var parent : set) children_[parent].frees = children_[parent].frees | variable;
        }
        child.fit = FitColumns(children_.size(), std::vector<Var>(occurring.begin(), occurring.end()),
                               largest, sets.size());
        for (std::size_t at = 0; at < sets.size(); ++at)
            child.fit.put(static_cast<std::uint32_t>(at), std::vector<Var>(sets[at].begin(), sets[at].end()));
    }
}

template <typename Set>
std::size_t PlacingCosts<Set>::bytes_for(const Families& families) {
    std::size_t bytes = families.variables() * sizeof(Child);
    for (std::size_t v = 0; v < families.variables(); ++v) {
        const std::size_t sets = families.kept_sets(static_cast<Var>(v)).size();
        bytes += sets * (sizeof(Cost) + sizeof(Set)) + FitColumns::bytes_for(families.variables(), sets);
    }
    return bytes;
}

template <typename Set>
auto PlacingCosts<Set>::units(double regret) const -> Cost {
    const double units = std::floor(regret / unit_);
    return units < static_cast<double>(never) ? static_cast<Cost>(std::max(units, 0.0)) : never;
}

template <typename Set>
auto PlacingCosts<Set>::limit(double regret) const -> Cost {
    const double units = std::ceil((regret - Gap::tolerance / 2) / unit_);
    return units < static_cast<double>(never) ? static_cast<Cost>(std::max(units, 0.0)) : never;
}

template <typename Set>
bool PlacingCosts<Set>::possible() const {
    return std::none_of(children_.begin(), children_.end(),
                        [](const Child& child) { return child.costs.empty(); });
}

template <typename Set>
auto PlacingCosts<Set>::below(Cost limit, Var child, const Set& placed) const -> Cost {
    const Child& own = children_[child];
    const auto end = static_cast<std::uint32_t>(std::lower_bound(own.costs.begin(), own.costs.end(), limit) -
                                                own.costs.begin());
    const std::uint32_t at = own.fit.first(0, end, placed.words());
    return at < end ? own.costs[at] : never;
}

template <typename Set>
bool PlacingCosts<Set>::is_free(Var child, const Set& placed) const {
    const std::vector<Set>& sets = children_[child].free_sets;
    return std::any_of(sets.begin(), sets.end(), [&](const Set& set) { return set.subset_of(placed); });
}

template <typename Set>
Set PlacingCosts<Set>::with_free(Set placed, Set maybe) const {
    return with_free_moves(
        placed, maybe, [&](Var child, const Set& available) { return is_free(child, available); },
        [&](Var child) { return children_[child].frees; });
}

template <typename Set>
void PlacingCosts<Set>::free_order(Set placed, const Set& all, std::vector<Var>& order) const {
    for (bool more = true; more;) {
        more = false;
        const Set left = all - placed;
        for (const Var child : left) {
            if (!is_free(child, placed)) continue;
            order.push_back(child);
            placed = placed | child;
            more = true;
        }
    }
}

template class PlacingCosts<FixedSet<1>>;
template class PlacingCosts<FixedSet<2>>;
template class PlacingCosts<FixedSet<4>>;

}  // namespace dagscape
