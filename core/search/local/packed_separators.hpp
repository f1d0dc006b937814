#pragma once

#include <string>
#include <string_view>

#include "search/local/local_method.hpp"

namespace dagscape {

using Separators = decltype(Potential::separators);

/// What separates variables from a target, as bytes for another process: there are as many sets as variables.
///
/// For each set the variable that it separates, its size and its members: 16 bits each, the low byte first.
std::string packed(const Separators& separators);

/// The sets that were packed, checked to be of so many variables. Throws where the bytes are no such sets.
Separators unpacked_separators(std::string_view bytes, std::size_t variables);

}  // namespace dagscape
