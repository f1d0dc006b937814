#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"
#include "search/near/competing_sets.hpp"

namespace dagscape {

/// A difference in billionths: what is rounding does not decide which of two networks comes first.
inline std::int64_t near_rank(double difference) { return std::llround(difference * 1e9); }

/// A network of one component, or one for each class of equivalent ones.
struct NearNetwork {
    double difference;                  // what it loses against the component's optimum
    std::vector<std::uint32_t> places;  // of each variable's set, in the lists of the whole problem
    std::string code;                   // the same for equivalent networks, where classes are asked for

    /// Best first; those that score alike by their code, then by their sets.
    friend bool operator<(const NearNetwork& a, const NearNetwork& b);
};

struct NearNetworks {
    std::vector<NearNetwork> networks;  // best first
    double complete_to = 0;             // all networks, or classes, that lose less than this are listed
    bool limited = false;               // there were more than the limit
    std::uint64_t steps = 0;            // sinks placed
};

/// Lists the networks of a component within a distance of its optimum, each once.
///
/// A network is taken apart sink by sink, at each step the sink that comes last in the component's order: so
/// there is one way to take it apart. Going forward, that means to choose a sink and its parents among the
/// rest, and to remember which of the rest must not be sinks then, because they come later. The least regret
/// of the rest, known for every set of variables, cuts what cannot end within the distance; rests that had no
/// way to end are remembered.
///
/// With `classes`, the kinds of the variables, one network of each class is kept of those that are equivalent
/// and agree in the arcs between different kinds. Networks with a covered arc from a later to an earlier
/// variable of its kind are passed over: turning such arcs ends at a network of the class without one. Of
/// more than `limit` the best are kept. If the control stops it, the list is empty.
NearNetworks near_networks(const CompetingSets& component, const ParentLists& parents, double within,
                           std::size_t limit, const std::optional<std::vector<std::uint32_t>>& classes,
                           Control& control);

}  // namespace dagscape
