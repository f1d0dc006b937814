#pragma once

#include <cstdint>
#include <vector>

#include "search/order/initial_orders.hpp"
#include "search/order/iterated_climb.hpp"

namespace dagscape {

/// How many of a variable's sets are searched. All lists together may have 40 million: more gain nothing, and
/// take time; their tables must fit the memory, and be built in a tenth of the time that is left, unless they
/// have 1,000 sets of each variable or fewer. 0 if the memory has no room for any.
std::size_t longest_list(const ParentLists& parents, std::size_t threads, const Control& control);

struct OrderSearchOptions {
    InitialOrder init = InitialOrder::fas;
    /// Swaps of neighbors as published, or insertion with a population.
    bool insertion = true;
    std::uint64_t restarts = 20;
    std::uint64_t most_steps = 500;  // of a climb by swaps
    std::uint64_t generations = 50;  // of the population, each of `children` orders
    std::uint64_t seed = 0;
    std::size_t threads = 1;
    bool blocks = false;       // are moved as well, with insertion
    std::uint64_t first = 0;   // restart, by number: its stream of the seed
    std::vector<Var> start{};  // the order that restart 0 begins with, if any
};

/// Where a restart ended, as it travels: who has the same lists can go on from there.
struct RestartedOrder {
    std::vector<Var> order;
    double initial_score;
    std::uint64_t steps, swaps;
};

struct OrderSearchResult {
    OrderFound best;  // with places in the whole lists
    /// By restart, those that were begun; the first 10,000 of them.
    struct Restart {
        double initial_score, score;
        std::uint64_t steps;
    };
    std::vector<Restart> restarts;
    std::uint64_t restarts_begun = 0;
    std::uint64_t sets_left_out = 0;  // of lists that were too long to be searched whole
    std::uint64_t generations = 0;
    std::uint64_t swaps = 0;
};

/// Search over orders of the variables, each with its best sets among those before it.
///
/// Climbs from several initial orders. By swaps it ends there (Perez and Mauá 2016). With insertion the
/// orders found become a population (Lee and van Beek, Metaheuristics for score-and-search Bayesian network
/// structure learning, 2017): in each generation some pairs are crossed, a part of the variables keeping
/// their positions from one and the rest coming in the order of the other, and the children climb, are shaken
/// and climb again; the best of all stay. Every restart and every child draws from a stream of its own, so
/// that the number of threads changes nothing. Ends early when time is over, with the best so far;
/// generations also end when every variable has its best set, since nothing can be better.
///
/// Lists that are too long for the memory or the time are cut short, see `longest_list`.
///
/// `restarted`: what `order_restarts` gave, all or some of it; no restart is done then.
OrderSearchResult order_search(const ParentLists& parents, const OrderSearchOptions& options,
                               Control& control, const std::vector<RestartedOrder>& restarted = {});

/// Only the restarts. At least one is given, stopped or not.
std::vector<RestartedOrder> order_restarts(const ParentLists& parents, const OrderSearchOptions& options,
                                           Control& control);

}  // namespace dagscape
