#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "search/local/local_method.hpp"

namespace dagscape {

/// What is to be learned of targets: what their own searches say, for neighbors or for spouses; or what is
/// left of that when the others around were asked too, neighbors alone or blankets.
enum class Sought { potential, spouses, neighbors, blankets };

/// What searches elsewhere found, by the same method on the same data, by target.
struct FoundElsewhere {
    std::vector<std::pair<Var, Potential>> potential;
    std::vector<std::pair<Var, PotentialSpouses>> spouses;
};

struct LearnedTarget {
    Var target = 0;
    std::vector<Var> neighbors;  // ascending; empty if spouses alone are sought
    std::vector<Var> spouses;    // ascending; of a blanket
    bool done = false;           // whether what is sought is final
    /// What the target's own search for spouses found, where it was sought or needed.
    std::vector<Spouse> found_spouses;
    /// What separates others from it, where potential neighbors are sought; packed, see there.
    std::string separators;
};

struct LocalLearning {
    std::vector<LearnedTarget> targets;
    std::uint64_t searches = 0;  // for neighbors and for spouses, of all variables
};

/// Learns the neighbors or blankets of some variables; see `Neighborhoods`. Stopped, it tells what is known
/// by then, and of which targets it is final.
LocalLearning learn_around(const LocalMethod& method, std::size_t variables, const std::vector<Var>& targets,
                           Sought sought, FoundElsewhere elsewhere, std::size_t threads, Control& control);

}  // namespace dagscape
