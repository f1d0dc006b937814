#include "search/exact/regrets.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "error.hpp"

namespace dagscape {

Regrets::Regrets(const ParentLists& parents) {
    if (parents.variables() > VarSet::most)
        throw Error(ErrorKind::parameter, "at most 64 variables can be searched by their orders, got " +
                                              std::to_string(parents.variables()));
    children_.reserve(parents.variables());
    for (const ParentList& list : parents.lists) {
        assert(list.size() > 0);
        Child child;
        child.sets.reserve(list.size());
        for (std::size_t at = 0; at < list.size(); ++at) {
            const VarSet set = VarSet::of(list.parents(at));
            child.sets.add(set, list.score(0) - list.score(at));
            child.candidates = child.candidates | set;
        }
        child.sets.close(std::numeric_limits<double>::infinity());
        children_.push_back(std::move(child));
    }
}

std::size_t Regrets::bytes_for(const ParentLists& parents) {
    return parents.sets() * (sizeof(std::uint64_t) + sizeof(double)) +
           parents.variables() * (2 * fit_block * sizeof(std::uint64_t) + sizeof(Child));
}

std::optional<Regrets> Regrets::within_limits(const ParentLists& parents, Control& control) {
    control.charge(bytes_for(parents));
    if (control.stopped()) return std::nullopt;
    return Regrets(parents);
}

Regrets::Chosen Regrets::along(std::span<const Var> order) const {
    Chosen chosen{std::vector<std::uint32_t>(variables()), 0};
    VarSet placed;
    for (const Var child : order) {
        chosen.places[child] = place(child, placed);
        chosen.regret += regret_at(child, chosen.places[child]);
        placed = placed | child;
    }
    return chosen;
}

}  // namespace dagscape
