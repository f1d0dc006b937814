#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "search/exact/component.hpp"
#include "search/exact/gap.hpp"

namespace dagscape {

/// Looks for a good network by iterated insertion from several random orders, to cut with: on most data it
/// is the optimum. The effort depends on the number of variables alone, so the same seed gives the same
/// network on every machine. Returns how many swaps it tried.
std::uint64_t find_incumbent(const Component& component, std::uint64_t seed, Gap& gap, Control& control);

/// Climbs from a given order; for networks rounded from fractional ones.
void improve_order(const Component& component, std::vector<Var> order, std::uint64_t seed, Gap& gap,
                   Control& control);

}  // namespace dagscape
