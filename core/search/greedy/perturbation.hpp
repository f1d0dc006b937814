#pragma once

#include "random.hpp"
#include "search/greedy/greedy_state.hpp"

namespace dagscape {

/// Wanders among equivalent networks, which are as good where the score is equivalent, but have other
/// neighbors: draws so many arcs, and reverses those that are covered (Castelo and Kočka 2003).
void wander(GreedyState& state, std::size_t draws, Random& random);

/// Shakes a network that no move improves, so that a climb from there may end elsewhere.
///
/// First it wanders, with two draws for each variable. Then a few variables lose all their arcs, from one to
/// `most` of them or to four times as many; and in half of the shakes an arc drawn among all pairs is added,
/// removed or reversed. Arcs that constraints require stay.
void perturb(GreedyState& state, std::size_t most, Random& random);

}  // namespace dagscape
