#pragma once

#include <limits>

namespace dagscape {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace dagscape
