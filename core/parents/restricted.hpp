#pragma once

#include "parents/constraints.hpp"
#include "parents/parent_lists.hpp"

namespace dagscape {

/// The sets that constraints allow. They cannot bring back sets that a selection left out: after pruning,
/// required parents may need such sets, forbidden ones and limits never do, since what rules a set in leaves
/// its subsets in, which were the reason to leave it out.
inline ParentLists restricted(const ParentLists& parents, const Constraints& constraints) {
    ParentLists rest;
    rest.exhaustive = parents.exhaustive;
    rest.exhaustive_to = parents.exhaustive_to;
    for (std::size_t child = 0; child < parents.variables(); ++child) {
        const ParentList& list = parents.lists[child];
        ParentList kept;
        for (std::size_t at = 0; at < list.size(); ++at)
            if (constraints.allows(static_cast<Var>(child), list.parents(at)))
                kept.append(list.score(at), list.parents(at));
        kept.sort();
        rest.lists.push_back(std::move(kept));
    }
    return rest;
}

}  // namespace dagscape
