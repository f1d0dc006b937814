#pragma once

#include "search/order/iterated_climb.hpp"

namespace dagscape {

/// Order-based greedy search as published (Teyssier and Koller, UAI 2005; Perez and Mauá, JIDM 2016,
/// Algorithm 2): swaps the two neighbors that gain most, until none gains or `most_steps` are done. Ties go
/// to the first position.
struct SwapClimb {
    OrderFound found;
    double initial_score;
    std::uint64_t steps;
};
SwapClimb swap_climb(const OrderLists& lists, std::vector<Var> order, std::uint64_t most_steps,
                     Control& control);

}  // namespace dagscape
