#pragma once

#include <algorithm>
#include <vector>

#include "varset/wide_set.hpp"

namespace dagscape {

/// Which parent sets each child may have: all required parents, only allowed ones, not too many.
struct Constraints {
    /// None but the number of parents.
    Constraints(std::size_t variables, std::size_t most)
        : required(variables, WideSet(variables)),
          allowed(required),
          max_parents(variables, most),
          known_limit(variables, variables) {
        WideSet all(variables);
        for (std::size_t v = 0; v < variables; ++v) all.insert(static_cast<Var>(v));
        for (std::size_t child = 0; child < variables; ++child) {
            allowed[child] = all;
            allowed[child].erase(static_cast<Var>(child));
        }
    }

    std::vector<WideSet> required;  // by child
    std::vector<WideSet> allowed;
    std::vector<std::size_t> max_parents;  // of knowledge and of the search, whichever is less
    std::vector<std::size_t> known_limit;  // of knowledge alone: part of the question, not of the search

    void limit(Var child, std::size_t most) {
        known_limit[child] = most;
        max_parents[child] = std::min(max_parents[child], most);
    }
    /// Leaves the child only these parents to choose from, of those it had.
    void keep(Var child, Members parents) {
        WideSet kept(allowed.size());
        for (const Var parent : parents) kept.insert(parent);
        allowed[child] &= kept;
    }
    bool allows(Var child, Members parents) const {
        if (parents.size() > max_parents[child]) return false;
        std::size_t needed = required[child].size();
        for (const Var parent : parents) {
            if (!allowed[child].contains(parent)) return false;
            if (required[child].contains(parent)) --needed;
        }
        return needed == 0;
    }
    /// Whether every set of up to so many parents is fine.
    bool free(Var child, std::size_t size) const {
        return size <= max_parents[child] && required[child].empty() &&
               allowed[child].size() + 1 == allowed.size();
    }
};

}  // namespace dagscape
