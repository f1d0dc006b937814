#include "search/exact/order_graph/whole_costs.hpp"

#include <algorithm>
#include <cmath>

namespace dagscape {

namespace {

/// A power of two, so that nothing is rounded but what is less than a unit; sums of regrets may be rounded
/// themselves, which the limit must not mind.
double unit_for(double most) {
    int exponent = 0;
    std::frexp(most * (1 + 1e-12), &exponent);
    return std::ldexp(1, exponent - static_cast<int>(WholeCosts::limit_bits));
}

}  // namespace

WholeCosts::WholeCosts(const Regrets& regrets, std::span<const Var> numbering, double most)
    : unit_(unit_for(most)), children_(numbering.size()) {
    std::vector<Var> number(numbering.size());
    for (std::size_t v = 0; v < numbering.size(); ++v) number[numbering[v]] = static_cast<Var>(v);
    for (std::size_t v = 0; v < numbering.size(); ++v) {
        Child& child = children_[v];
        for (std::size_t at = 0; at < regrets.sets(numbering[v]); ++at) {
            const double regret = regrets.regret_at(numbering[v], at);
            if (!(regret <= most)) break;
            VarSet set;
            for (const Var parent : regrets.set(numbering[v], at)) set = set | number[parent];
            const Cost cost = units(regret);
            child.sets.add(set, cost);
            if (cost > 0) continue;
            ++child.free_sets;
            for (const Var parent : set)
                children_[parent].frees = children_[parent].frees | static_cast<Var>(v);
        }
        child.sets.close(never);
    }
}

WholeCosts::Cost WholeCosts::units(double regret) const {
    const double units = std::floor(regret / unit_);
    return units < static_cast<double>(never) ? static_cast<Cost>(std::max(units, 0.0)) : never;
}

VarSet WholeCosts::with_free(VarSet placed, std::vector<Var>& order) const {
    for (bool more = true; more;) {
        more = false;
        for (const Var child : all() - placed) {
            if (!is_free(child, placed)) continue;
            order.push_back(child);
            placed = placed | child;
            more = true;
        }
    }
    return placed;
}

}  // namespace dagscape
