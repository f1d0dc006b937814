#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "control.hpp"
#include "parents/constraints.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// Candidates by child, and what share of all pairs was looked at for them.
struct Screened {
    std::vector<std::vector<Var>> candidates;
    double share = 1;
};

/// For each child the variables that gain most as its only further parent, beside those it must have: so many
/// of them. A pair stays for both of its ends if it does for one, as far as the constraints allow; what is
/// required stays. Of variables that gain the same the lower stays.
///
/// A parent that tells something only together with others can be lost by this. `unseen_gains` says what is.
///
/// Where the score is equivalent and nothing is required, an arc gains the same either way, and is looked at
/// once. Pairs that are not looked at by a moment of `control` no longer are; a child keeps what others
/// brought it.
Screened screened(const Scorer& scorer, const Constraints& constraints, std::size_t most, std::size_t threads,
                  Control& control, double until = std::numeric_limits<double>::infinity());

/// A parent that gains, and was not among the child's candidates.
struct UnseenGain {
    Var child, parent;
    double gain;
};

/// For each of these children of a network the variables beyond its candidates that gain most as one more
/// parent, where any gains more than `least`: up to so many. Cycles are not looked at. Complete unless
/// `control` stops.
std::vector<UnseenGain> unseen_gains(const Scorer& scorer, const Constraints& constraints,
                                     const Constraints& candidates,
                                     const std::vector<std::vector<Var>>& parents,
                                     const std::vector<Var>& children, double least, std::size_t most,
                                     std::size_t threads, Control& control);

/// Two parents that gain together.
struct UnseenPair {
    Var child, first, second;
    double gain;
};

/// For each of these children of a network, and each of the first variables in its list: the variable of all
/// that gains most beside it, where both together gain more than `least`. Cycles are not looked at. Complete
/// unless `control` stops.
std::vector<UnseenPair> unseen_pairs(const Scorer& scorer, const Constraints& constraints,
                                     const std::vector<std::vector<Var>>& firsts,
                                     const std::vector<std::vector<Var>>& parents,
                                     const std::vector<Var>& children, double least, std::size_t threads,
                                     Control& control);

}  // namespace dagscape
