#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "error.hpp"
#include "search/exact/gap.hpp"
#include "varset/fixed_set.hpp"

namespace dagscape {

/// The most variables of a component whose orders are searched with multipliers.
inline constexpr std::size_t most_for_order_proof = 256;

/// Calls `on` with an empty set that is wide enough.
template <typename On>
auto with_width(std::size_t variables, const On& on) {
    if (variables > most_for_order_proof)
        throw Error(ErrorKind::parameter, "at most 256 variables can be searched by their orders, got " +
                                              std::to_string(variables));
    if (variables <= FixedSet<1>::most) return on(FixedSet<1>());
    if (variables <= FixedSet<2>::most) return on(FixedSet<2>());
    return on(FixedSet<4>());
}

inline void check_incumbent(const Gap& gap) {
    if (!(gap.regret() < std::numeric_limits<double>::infinity()))
        throw Error(ErrorKind::parameter, "a search over orders with multipliers begins with a network");
}

}  // namespace dagscape
