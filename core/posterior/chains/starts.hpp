#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posterior/chains/weighted_lists.hpp"
#include "random.hpp"

namespace dagscape {

/// Networks for chains to begin with, far apart from each other: the place of every variable's parent set.
/// Each throws where no network can be built from the lists.

/// Variables one after another in a random order, each with as few parents as it may have.
std::vector<std::uint32_t> emptiest_network(const WeightedLists& lists, Random& random);
/// The same with any of a variable's sets, all alike: mostly as many parents as there may be.
std::vector<std::uint32_t> random_network(const WeightedLists& lists, Random& random);
/// Each variable with its heaviest set among those before it in an order.
std::vector<std::uint32_t> best_in_order(const WeightedLists& lists, std::span<const Var> order);
/// A network given by the parents of each variable, ascending; throws where a set is not in the lists.
std::vector<std::uint32_t> places_of(const WeightedLists& lists,
                                     const std::vector<std::vector<Var>>& parents);

}  // namespace dagscape
