#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "parents/constraints.hpp"
#include "search/order/initial_orders.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

struct GrownSearchOptions {
    InitialOrder init = InitialOrder::fas;
    std::uint64_t restarts = 1;
    /// Shakes in a row that may gain nothing.
    std::uint64_t patience = 0;
    std::uint64_t seed = 0;
    std::size_t threads = 1;
    std::uint64_t first = 0;   // restart, by number: its stream of the seed
    std::vector<Var> start{};  // the order that restart 0 begins with, if any
};

struct GrownSearchResult {
    std::vector<Var> order;
    std::vector<std::vector<Var>> parents;  // by variable
    double score = 0;
    struct Restart {
        double initial_score, score;
        std::uint64_t shakes;
    };
    std::vector<Restart> restarts;  // by number, the first 10,000 of those that were begun
    std::uint64_t restarts_begun = 0;
    std::uint64_t looks = 0;      // at positions
    std::uint64_t nodes = 0;      // of the trees, at which variables were tried
    std::uint64_t clearings = 0;  // of the trees, when memory was used up
};

/// Best order score search (Andrews and others, NeurIPS 2023): every variable in turn, in random order, moves
/// to where it is best, by the parents that all grow among those before them, until none gains. Then a few
/// variables are moved at random, those around them settle, and what is worse is taken back, until `patience`
/// such attempts in a row gain nothing, and no variable does. What is found is polished; see there.
///
/// Restarts share the trees and come one after another, each from a stream of its own; threads share the work
/// of each, and their number changes nothing. Of equal ends the first is taken. Ends early when time or
/// memory is over, with the best so far.
GrownSearchResult grown_search(const Scorer& scorer, const Constraints& constraints,
                               const GrownSearchOptions& options, Control& control);

}  // namespace dagscape
