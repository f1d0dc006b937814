#pragma once

#include <cstddef>

namespace dagscape {

/// Σ a[i] b[i], in as many sums side by side as a machine adds together, so always in the same order.
double lane_product(const double* a, const double* b, std::size_t count);

}  // namespace dagscape
