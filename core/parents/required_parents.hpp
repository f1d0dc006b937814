#pragma once

#include "parents/constraints.hpp"
#include "parents/parent_lists.hpp"
#include "scores/scorer.hpp"

namespace dagscape {

/// Gives a child that a limit left without any set its required parents: the least that any search needs.
inline void keep_required(ParentLists& lists, const Scorer& scorer, const Constraints& constraints) {
    for (std::size_t v = 0; v < lists.variables(); ++v) {
        if (lists.lists[v].size() > 0) continue;
        const std::vector<Var> required = constraints.required[v].members();
        lists.lists[v].append(scorer.local(static_cast<Var>(v), required), required);
    }
}

}  // namespace dagscape
