#pragma once

#include "random.hpp"
#include "search/greedy/greedy_state.hpp"

namespace dagscape {

/// Shakes a network that no move improves, so that a climb from there may end elsewhere.
///
/// First it wanders among equivalent networks, which are as good but have other neighbours. Then a few
/// variables lose all their arcs, from one to `most` of them or to four times as many; and in half of the
/// shakes an arc drawn among all pairs is added, removed or reversed. Arcs that constraints require stay.
void perturb(GreedyState& state, std::size_t most, Random& random);

}  // namespace dagscape
