#pragma once

#include <cstdint>
#include <vector>

#include "search/order/order_state.hpp"

namespace dagscape {

/// Where a search over orders ended.
struct OrderFound {
    std::vector<Var> order;
    std::vector<std::uint32_t> places;  // by variable, in its list
    double score;
    std::uint64_t swaps;  // looked at
    std::uint64_t climbs = 1;
};

/// Climbs by insertion to a local optimum, then again and again from the best order with a few variables
/// moved at random, of those that have a choice of sets, until `patience` such attempts in a row gain
/// nothing. Begins at `order`.
OrderFound iterated_climb(const OrderLists& lists, std::vector<Var> order, std::size_t patience,
                          std::uint64_t most_swaps, std::uint64_t seed, Control& control,
                          bool blocks = false);

}  // namespace dagscape
