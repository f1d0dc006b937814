#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dagscape {

/// A variable is its column number. Two bytes, since sets of them are stored by the million.
using Var = std::uint16_t;

inline constexpr std::size_t max_variables = 65535;

/// A small set of variables, as its members in ascending order.
using Members = std::span<const Var>;

}  // namespace dagscape
