#pragma once

#include <span>
#include <vector>

#include "search/exact/integer_program/families.hpp"

namespace dagscape {

/// Clusters that a fractional solution violates, by local search: beginning at each variable and each pair
/// that are parent and child with some weight, the variable joins or leaves that lowers the weight without a
/// parent in the cluster most. Quick, and misses some; `violated_clusters` searches exactly.
std::vector<Cut> climbed_clusters(const Families& families, std::span<const Families::Column> columns,
                                  std::span<const double> x, double by_at_least);

}  // namespace dagscape
