#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "control.hpp"
#include "graphs/dag.hpp"
#include "parents/constraints.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

struct HillClimbOptions {
    std::size_t tabu = 100;       // networks that may not be visited again; 0: only moves that gain are taken
    std::uint64_t patience = 15;  // steps without a new best that end the first climb
    bool wander = true;           // among equivalent networks before each step, if the score is equivalent
    std::uint64_t restarts = 0;
    std::size_t perturb = 4;  // variables that lose their arcs at a restart, at most
    std::uint64_t seed = 0;
    std::size_t threads = 1;
};

struct HillClimb {
    std::vector<Arc> arcs;
    double score = 0;
    std::uint64_t steps = 0;      // moves taken by all climbs, without wandering
    std::uint64_t looked_at = 0;  // moves
    std::uint64_t scored = 0;     // families
    std::uint64_t restarts = 0;   // that were begun
    std::uint64_t improved = 0;   // those of them that found a better network
};

/// Greedy search over networks by adding, removing or reversing an arc, with a tabu list (Tsamardinos, Brown
/// and Aliferis 2006).
///
/// Each step takes the best move that does not lead back to one of the networks visited last, even if it
/// loses; after so many steps without a new best, the best one is the result. While steps gain, the search
/// wanders among equivalent networks before each, so that what it can reach does not hang on directions that
/// ties decided (Castelo and Kočka 2003). A restart shakes the best network of all and climbs again, by
/// moves that gain alone (iterated local search); what is as good is taken. Restarts are done
/// in rounds that all begin at the same network: a round is as long as the restarts since the last
/// that found a better one. Each draws from a stream of its own, so threads change nothing.
///
/// `start` must obey the constraints. Nothing is returned where memory is short from the beginning.
std::optional<HillClimb> hill_climbing(const Scorer& scorer, const Constraints& constraints,
                                       const std::vector<Arc>& start, const HillClimbOptions& options,
                                       Control& control);

}  // namespace dagscape
