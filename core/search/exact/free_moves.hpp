#pragma once

#include "varset/var.hpp"

namespace dagscape {

/// Places, after these, all that costs nothing then, until nothing is left that does. `maybe` has all that
/// may cost nothing at first; `is_free` tells of a variable whether it does after those placed, and `frees`
/// which ones a variable may make free of cost.
template <typename Set, typename IsFree, typename Frees>
Set with_free_moves(Set placed, Set maybe, const IsFree& is_free, const Frees& frees) {
    while (!maybe.empty()) {
        const Var child = maybe.lowest();
        maybe = maybe - child;
        if (!is_free(child, placed)) continue;
        placed = placed | child;
        maybe = (maybe | frees(child)) - placed;
    }
    return placed;
}

}  // namespace dagscape
