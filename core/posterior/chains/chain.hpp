#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "control.hpp"
#include "posterior/chains/acyclic_patterns.hpp"
#include "posterior/chains/group_choice.hpp"
#include "posterior/chains/weighted_lists.hpp"

namespace dagscape {

/// How a chain runs.
struct ChainOptions {
    /// A round has a move for each variable, in the mean over its groups.
    std::uint64_t rounds = 10'000;
    /// So many of them come first and are forgotten. Of a chain that is stopped before it has done more than
    /// that, the last two stretches between powers of two count: half to three quarters of its rounds.
    std::uint64_t forgotten = 2'000;
    /// Networks to keep, evenly spread over the rest; at least half as many of a chain that is stopped, if it
    /// has done so many rounds.
    std::uint64_t kept = 500;
    /// How often groups of one, two, ... variables are drawn.
    std::array<double, AcyclicPattern::most> sizes = {0.1, 0.3, 0.5, 0.1};
    /// Seconds that a chain may take.
    double seconds = std::numeric_limits<double>::infinity();
};

/// What a chain saw.
struct ChainFound {
    std::uint64_t rounds = 0;         // that were done, without those forgotten
    bool whole = false;               // all of them
    std::vector<double> arcs;         // u→v at u × n + v: mean probability given the rest of the network
    std::vector<double> ancestors;    // likewise, the share of rounds with a path
    std::vector<std::uint32_t> kept;  // networks, one after another: the place of every parent set
    std::vector<double> log_weights;  // of these
    double start_log_weight = 0, best_log_weight = 0;
    std::uint64_t moves = 0, redrawn = 0, listed = 0;  // as `GroupMove` counts them
};

/// Runs a chain of networks whose distribution nears the posterior, from a network given by its places.
/// What it does depends on its seed and stream alone. Ends early where `control` stops it.
ChainFound run_chain(const WeightedLists& lists, const GroupChoice& choice,
                     const std::vector<std::uint32_t>& start, const ChainOptions& options, std::uint64_t seed,
                     std::uint64_t stream, Control& control);

}  // namespace dagscape
