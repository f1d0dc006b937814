#pragma once

#include <numeric>
#include <optional>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// The children whose lists a selection makes, ascending; all where none are named. The others' stay empty.
inline std::vector<Var> chosen_children(const std::optional<std::vector<Var>>& named, std::size_t variables) {
    if (named) return *named;
    std::vector<Var> all(variables);
    std::iota(all.begin(), all.end(), Var{0});
    return all;
}

}  // namespace dagscape
