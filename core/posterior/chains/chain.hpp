#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "control.hpp"
#include "posterior/chains/acyclic_patterns.hpp"
#include "posterior/chains/group_choice.hpp"
#include "posterior/chains/known_jumps.hpp"
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
    /// Jumps that are tried in a round, if there are any to choose from: one for each so many variables.
    /// Mostly the network does not obey the order to jump from, which is soon seen.
    std::uint64_t jump_variables = 16;
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
    std::uint64_t jumps_tried = 0, jumps_taken = 0;
};

/// Runs a chain of networks whose distribution nears the posterior, from a network given by its places.
/// What it does depends on the jumps, its seed and stream alone. Ends early where `control` stops it.
ChainFound run_chain(const WeightedLists& lists, const GroupChoice& choice, std::span<const Jump> jumps,
                     const std::vector<std::uint32_t>& start, const ChainOptions& options, std::uint64_t seed,
                     std::uint64_t stream, Control& control);

}  // namespace dagscape
