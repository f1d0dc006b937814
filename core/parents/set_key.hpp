#pragma once

#include <string>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// A set of variables as the key of a hash map. A string keeps up to seven of them without allocating.
using SetKey = std::u16string;
static_assert(sizeof(char16_t) == sizeof(Var));

inline SetKey key_of(Members set) { return {set.begin(), set.end()}; }
inline std::vector<Var> members_of(const SetKey& key) { return {key.begin(), key.end()}; }

}  // namespace dagscape
