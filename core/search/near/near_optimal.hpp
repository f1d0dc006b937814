#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"

namespace dagscape {

struct NearOptions {
    double within = 0;
    std::size_t limit = 0;
    /// One network of each class of equivalent ones; where the score or knowledge tells such networks apart,
    /// all.
    bool classes = true;
    /// With classes: variables of different kinds, arcs between which have no other direction in the class.
    /// One kind where none are given.
    std::vector<std::uint32_t> kinds = {};
    /// What a network loses at most that is wanted, against every variable's best set; if known.
    std::optional<double> most_regret = {};
    std::size_t threads = 1;
};

struct NearOptimal {
    std::vector<std::uint32_t>
        places;  // of each variable's set in its list, one network after another, best first
    std::vector<double> differences;  // against the optimum
    bool complete = false;            // whether all within the distance are listed
    bool limited = false;             // there are more than the limit
    double complete_to = -1;          // all that lose less than this are listed; negative: not even the best
    std::size_t too_large = 0;        // variables that compete, if too many: then nothing was done
    std::size_t largest = 0;          // variables of the largest component
    std::uint64_t steps = 0;
};

/// All networks, or classes of equivalent ones, that lose at most so much against the best.
///
/// Components have nothing to do with each other: a network near the optimum is one from each, with what they
/// lose adding up to no more than the distance. Equivalent networks differ within components alone, since
/// turning a covered arc gives another near network, whose sets are kept too; so classes are one from each as
/// well. Distances are tried from small to large, so that a limit leaves a list that is complete up to
/// somewhere.
///
/// Lists must be sorted and hold every set that scores at most `within` below its best subset.
NearOptimal near_optimal(const ParentLists& parents, const NearOptions& options, Control& control);

}  // namespace dagscape
