#include "search/exact/regrets.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "clones.hpp"
#include "error.hpp"

namespace dagscape {

namespace {

constexpr std::size_t block = 8;

/// The first set without a member among the absent. One without any comes last, so it always ends.
DAGSCAPE_CLONES std::uint32_t first_fit(const std::uint64_t* sets, std::uint64_t absent) {
    for (std::uint32_t from = 0;; from += block) {
        unsigned fits = 0;
        for (std::uint32_t i = 0; i < block; ++i)
            fits |= static_cast<unsigned>((sets[from + i] & absent) == 0) << i;
        if (fits != 0) return from + static_cast<std::uint32_t>(std::countr_zero(fits));
    }
}

}  // namespace

Regrets::Regrets(const ParentLists& parents) {
    if (parents.variables() > VarSet::most)
        throw Error(ErrorKind::parameter, "at most 64 variables can be searched by their orders, got " +
                                              std::to_string(parents.variables()));
    children_.reserve(parents.variables());
    for (const ParentList& list : parents.lists) {
        assert(list.size() > 0);
        Child child;
        child.sets.reserve(list.size() + block);
        child.regrets.reserve(list.size() + 1);
        for (std::size_t at = 0; at < list.size(); ++at) {
            const VarSet set = VarSet::of(list.parents(at));
            child.sets.push_back(set.bits());
            child.regrets.push_back(list.score(0) - list.score(at));
            child.candidates = child.candidates | set;
        }
        // The empty set always fits: it ends every search, with the regret of having found nothing.
        child.sets.resize((list.size() / block + 1) * block);
        child.regrets.push_back(std::numeric_limits<double>::infinity());
        children_.push_back(std::move(child));
    }
}

std::size_t Regrets::bytes_for(const ParentLists& parents) {
    return parents.sets() * (sizeof(std::uint64_t) + sizeof(double)) +
           parents.variables() * (block * sizeof(std::uint64_t) + sizeof(Child));
}

std::uint32_t Regrets::place(Var child, VarSet available) const {
    const std::vector<std::uint64_t>& sets = children_[child].sets;
    const std::uint64_t absent = ~available.bits();
    if ((sets[0] & absent) == 0) return 0;
    return first_fit(sets.data(), absent);
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
