#pragma once

#include <cmath>
#include <cstdint>

namespace dagscape {

/// Rules that leave out parent sets which cannot be the best among any allowed parents. Each is sound on its
/// own: whatever a rule leaves out has a subset that scores at least as high and has all required parents.
struct PruningRules {
    bool limit = true;      // no set with more parents than the score can pay for
    bool bound = true;      // no superset of a set where none can score higher
    bool entropy = true;    // no superset that adds a parent which cannot tell enough
    bool dominance = true;  // no set that scores no higher than a subset
};

/// Whether a score is higher than another by more than the rounding of the sums behind them: a parent that
/// changes nothing, such as one with a single state, must not seem to help.
inline bool beats(double score, double other) { return score - other > 1e-12 * std::abs(score); }

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
