#pragma once

#include <cstddef>
#include <string>

#include "error.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

/// The most variables of a component whose orders are searched.
inline constexpr std::size_t most_for_orders = 256;

/// Calls `on` with an empty set that is wide enough.
template <typename On>
auto with_width(std::size_t variables, const On& on) {
    if (variables > most_for_orders)
        throw Error(ErrorKind::parameter, "at most 256 variables can be searched by their orders, got " +
                                              std::to_string(variables));
    if (variables <= VarSet::most) return on(VarSet());
    if (variables <= FixedSet<2>::most) return on(FixedSet<2>());
    return on(FixedSet<4>());
}

}  // namespace dagscape
