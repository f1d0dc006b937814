#pragma once

#include <cstddef>

#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

/// Calls `work` with the smallest kind of set that holds so many variables. A wider set costs time and
/// memory in proportion, and each kind is the whole search compiled again.
template <typename Work>
auto with_sets_for(std::size_t variables, const Work& work) {
    if (variables <= VarSet::most) return work.template operator()<VarSet>();
    if (variables <= FixedSet<2>::most) return work.template operator()<FixedSet<2>>();
    if (variables <= FixedSet<8>::most) return work.template operator()<FixedSet<8>>();
    if (variables <= FixedSet<16>::most) return work.template operator()<FixedSet<16>>();
    if (variables <= FixedSet<40>::most) return work.template operator()<FixedSet<40>>();
    if (variables <= FixedSet<80>::most) return work.template operator()<FixedSet<80>>();
    if (variables <= FixedSet<160>::most) return work.template operator()<FixedSet<160>>();
    if (variables <= FixedSet<400>::most) return work.template operator()<FixedSet<400>>();
    static_assert(max_variables <= FixedSet<1024>::most);
    return work.template operator()<FixedSet<1024>>();
}

/// The memory that a search takes at most, but for the cache that searches share: the graph and the one
/// before it, what is below each variable, what each variable's steps turn, and a move for every pair.
inline std::size_t class_search_bytes(std::size_t variables) {
    const std::size_t set = with_sets_for(variables, []<typename Set>() { return sizeof(Set); });
    constexpr std::size_t sets_per_variable = 12, move = 16;
    return variables * (sets_per_variable * set + variables * move);
}

}  // namespace dagscape
