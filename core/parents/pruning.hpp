#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "set_functions/set_function.hpp"

namespace dagscape {

/// Whether a score is higher than another by more than the rounding of the sums behind them: a parent that
/// changes nothing, such as one with a single state, must not seem to help.
inline bool beats(double score, double other) { return score - other > 1e-12 * std::abs(score); }

/// Rules that leave out parent sets which cannot be the best among any allowed parents. Each is sound on its
/// own: whatever a rule leaves out has a subset that scores at least as high and has all required parents.
///
/// With a slack, it has one that scores higher by more than the slack. A network with such a set is then
/// worse by more than that than the one with the subset, so networks nearer to the optimum lose none of their
/// sets.
struct PruningRules {
    bool limit = true;       // no set with more parents than the score can pay for
    bool bound = true;       // no superset of a set where none can score higher
    bool entropy = true;     // no superset that adds a parent which cannot tell enough
    bool dominance = true;   // no set that scores no higher than a subset
    bool published = false;  // limit and bound as printed in Wu 2010, not the sharper ones
    double slack = 0;        // how far below its best subset a set may score and still matter
    /// Of each child's sets of one size, so many are kept, the best. Not sound, as the rules are: what is
    /// left out may be the best that an order allows.
    std::size_t most_of_size = std::numeric_limits<std::size_t>::max();

    /// Whether a set matters that has this score, beside the best score of its subsets.
    bool matters(double score, double below) const {
        return slack > 0 ? score >= below - slack : beats(score, below);
    }
    /// Whether no set matters that scores at most this, beside the best score of its subsets.
    bool rules_out(double at_most, double best) const {
        return slack > 0 ? at_most < best - slack : at_most <= best;
    }
};

/// What the rules say of larger sets.
inline std::unique_ptr<FamilyBounds> bounds_for(const SetFunction& function, const PruningRules& rules) {
    return rules.published ? function.published_bounds() : function.bounds();
}

/// Sets that each rule left out. What several rules would leave out counts for the first that did.
struct PruningCounts {
    std::uint64_t limit = 0, bound = 0, entropy = 0, dominance = 0;

    PruningCounts& operator+=(const PruningCounts& other) {
        limit += other.limit;
        bound += other.bound;
        entropy += other.entropy;
        dominance += other.dominance;
        return *this;
    }
};

}  // namespace dagscape
