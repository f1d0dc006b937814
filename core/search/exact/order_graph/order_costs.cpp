#include "search/exact/order_graph/order_costs.hpp"

#include <algorithm>
#include <cmath>

#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

namespace {

/// A power of two, so that nothing is rounded but what is less than a unit; sums of regrets may be rounded
/// themselves, which the limit must not mind.
double unit_for(double most, unsigned bits) {
    int exponent = 0;
    std::frexp(most * (1 + 1e-12), &exponent);
    return std::ldexp(1, exponent - static_cast<int>(bits));
}

std::vector<Var> members(const auto& set) { return {set.begin(), set.end()}; }

}  // namespace

template <typename Set>
OrderCosts<Set>::OrderCosts(const Choices& choices, std::span<const Var> numbering, double most)
    : unit_(unit_for(most, limit_bits)), children_(numbering.size()) {
    std::vector<Var> number(numbering.size());
    for (std::size_t v = 0; v < numbering.size(); ++v) number[numbering[v]] = static_cast<Var>(v);
    for (std::size_t v = 0; v < numbering.size(); ++v) {
        Child& child = children_[v];
        Set occurring;
        std::size_t largest = 0;
        for (std::size_t at = 0; at < choices.sets(numbering[v]); ++at) {
            const double regret = choices.regret(numbering[v], at);
            if (!(regret <= most)) break;
            Set old, set;
            choices.copy(numbering[v], at, old.words());
            for (const Var parent : old) set = set | number[parent];
            const Cost cost = units(regret);
            child.sets.add(set, cost);
            occurring = occurring | set;
            largest = std::max(largest, set.size());
            if (cost > 0) continue;
            ++child.free_sets;
            for (const Var parent : set)
                children_[parent].frees = children_[parent].frees | static_cast<Var>(v);
        }
        child.sets.close(never);
        const std::size_t count = child.sets.size();
        if (count < many_sets) continue;
        child.columns = FitColumns(numbering.size(), members(occurring), largest, count);
        for (std::size_t at = 0; at < count; ++at)
            child.columns.put(static_cast<std::uint32_t>(at), members(child.sets.set(at)));
    }
}

template <typename Set>
std::size_t OrderCosts<Set>::bytes_for(const Choices& choices) {
    std::size_t bytes = choices.variables() * sizeof(Child);
    for (std::size_t v = 0; v < choices.variables(); ++v) {
        const std::size_t sets = choices.sets(static_cast<Var>(v));
        bytes += fit_rows(sets) * (sizeof(Set) + sizeof(Cost));
        if (sets >= many_sets) bytes += FitColumns::bytes_for(choices.variables(), sets);
    }
    return bytes;
}

template <typename Set>
bool OrderCosts<Set>::possible() const {
    return std::all_of(children_.begin(), children_.end(),
                       [](const Child& child) { return child.sets.size() > 0; });
}

template <typename Set>
auto OrderCosts<Set>::units(double regret) const -> Cost {
    const double units = std::floor(regret / unit_);
    return units < static_cast<double>(never) ? static_cast<Cost>(std::max(units, 0.0)) : never;
}

template <typename Set>
auto OrderCosts<Set>::useless(double regret) const -> Cost {
    // One more, since units are rounded down: what costs as much is surely not better.
    return std::min(units(regret - Gap::tolerance / 2) + 1, limit + 1);
}

template <typename Set>
double OrderCosts<Set>::proven(double regret) const {
    // If there is no network at all, both are infinite.
    const double rounded = this->regret(static_cast<Cost>(variables()));
    const bool fine = rounded <= std::max(Gap::tolerance / 2, same_score_at(regret) - same_score);
    return fine ? regret : regret - rounded;
}

template <typename Set>
Set OrderCosts<Set>::with_free(Set placed, std::vector<Var>& order) const {
    for (bool more = true; more;) {
        more = false;
        const Set left = all() - placed;
        for (const Var child : left) {
            if (!is_free(child, placed)) continue;
            order.push_back(child);
            placed = placed | child;
            more = true;
        }
    }
    return placed;
}

template <typename Set>
Set OrderCosts<Set>::may_be_freed_by(Var child) const {
    Set reached = children_[child].frees;
    for (Set next = reached; !next.empty();) {
        const Var v = next.lowest();
        const Set fresh = children_[v].frees - reached;
        reached = reached | fresh;
        next = (next - v) | fresh;
    }
    return reached - child;
}

template class OrderCosts<VarSet>;
template class OrderCosts<FixedSet<2>>;
template class OrderCosts<FixedSet<4>>;

}  // namespace dagscape
