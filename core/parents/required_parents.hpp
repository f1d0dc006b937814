#pragma once

#include "parents/constraints.hpp"
#include "parents/parent_lists.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// Gives each of these children that a limit left without any set its required parents: the least that any
/// search needs.
inline void keep_required(ParentLists& lists, Members children, const Scorer& scorer,
                          const Constraints& constraints) {
    for (const Var v : children) {
        if (lists.lists[v].size() > 0) continue;
        const std::vector<Var> required = constraints.required[v].members();
        lists.lists[v].append(scorer.local(v, required), required);
    }
}

}  // namespace dagscape
