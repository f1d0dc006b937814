#pragma once

#include <string>

#include "error.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

/// Calls `work` with the smallest kind of set that holds so many variables.
template <typename Work>
auto with_sets_for(std::size_t variables, const Work& work) {
    if (variables <= VarSet::most) return work.template operator()<VarSet>();
    if (variables <= FixedSet<2>::most) return work.template operator()<FixedSet<2>>();
    if (variables <= FixedSet<8>::most) return work.template operator()<FixedSet<8>>();
    if (variables <= FixedSet<40>::most) return work.template operator()<FixedSet<40>>();
    throw Error(ErrorKind::parameter, "search over equivalence classes is for at most " +
                                          std::to_string(FixedSet<40>::most) + " variables, got " +
                                          std::to_string(variables));
}

}  // namespace dagscape
