#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "random.hpp"
#include "search/wide/sparse_network.hpp"

namespace dagscape {

struct ShakeOptions {
    std::size_t reach = 12;   // variables around the one shaken that are looked at, at most
    std::size_t perturb = 3;  // of these that lose their arcs, at most; in one shake of four, twice as many
    bool wander = true;       // among equivalent networks, where the score is equivalent
};

/// Iterated local search (Lourenço, Martin and Stützle 2003) one neighborhood at a time: around a variable
/// some lose their arcs, and the network climbs from there by moves of those around alone. What is no worse
/// is kept, anything else undone. So a restart costs what its neighborhood costs, however many variables
/// there are; and each is judged by itself, where a restart of the whole network is kept or lost as a whole.
class PartSearch {
  public:
    PartSearch(const GreedyProblem& problem, FamilyGainsMaker& gains, const ManyGains& rest,
               const ShakeOptions& options);

    /// Shakes each variable of the part, in random order, so many times.
    void run(const std::vector<Var>& part, std::size_t times, Random& random, Control& control);
    /// Begins with a part without shaking it; then gives children two more parents, and climbs.
    void begin(const std::vector<Var>& part) { network_.begin(part); }
    bool try_pair(Var child, Var first, Var second, Random& random);
    /// The families of the part, that may have changed.
    const SparseNetwork& network() const { return network_; }

    struct Work {
        std::uint64_t shakes = 0, improved = 0, steps = 0;
    };
    const Work& work() const { return work_; }

  private:
    bool settle(Random& random);
    void shake(Var center, Random& random);
    void find_region(Var center);
    void climb(Random& random);
    void wander(std::size_t draws, Random& random);
    void watch(Var v);
    void watch_with_children(Var v);

    SparseNetwork network_;
    ShakeOptions options_;
    std::vector<Var> watched_;  // whose moves are looked at
    std::vector<bool> is_watched_;
    std::vector<Var> order_;
    Work work_;
};

}  // namespace dagscape
