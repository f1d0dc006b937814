#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"
#include "search/exact/charged_array.hpp"
#include "search/exact/dynamic_programming/dynamic_programming.hpp"

namespace dagscape {

/// A parent set that a network near the optimum can have.
struct CompetingSet {
    std::uint32_t inside;  // parents in the same component, numbered within it
    double regret;         // what is lost against the variable's best set anywhere
    std::uint32_t place;   // in the list of the whole problem

    /// The arc from this parent is covered where the parent has this one of its own sets: all of these
    /// parents but itself. Then turning the arc gives an equivalent network.
    struct Cover {
        std::uint32_t parent, set;
    };
    std::vector<Cover> covers;  // for parents that come later in the component's order
};

/// Variables whose parent sets compete, since together they could close a cycle, with all the sets that a
/// network within a distance of the optimum can have.
///
/// Unlike the components of exact search, it keeps sets that have a better one within them, and sets that
/// differ in parents from elsewhere alone.
struct CompetingSets {
    /// A set of variables is one word, and memory for all of them ends earlier.
    static constexpr std::size_t most = 30;

    std::vector<Var> variables;  // ascending; the number within the component is the place here
    std::vector<std::vector<CompetingSet>> sets;  // by variable, least regret first
    std::vector<Var> order;             // of a best network, by number within: arcs of near ones mostly agree
    UninitializedVector<double> least;  // regret of a network on each set of variables
    std::unique_ptr<Charge> charge;     // for `least`

    double optimum() const { return least.back(); }
    /// By variable, those that come later in the order.
    std::vector<std::uint32_t> later() const;
};

/// What became of the question.
struct Competition {
    std::vector<CompetingSets> components;
    std::size_t too_large = 0;  // variables of a component beyond what can be listed; nothing was done then
    std::size_t largest = 0;    // variables of the largest component, done or not
};

/// Leaves out every set that no network within this distance of the optimum has, as far as that is seen from
/// its own regret, and splits into strongly connected components until nothing changes.
///
/// A set with regret r is in no network with less regret, and a component's best network loses its optimum;
/// so r may exceed that optimum by the distance and no more. `most_regret` says so for the whole problem,
/// where its optimum is known already. Lists must be sorted. Scores that are the same count as such twice
/// over, so that rounding takes no set from a network that is just near enough.
Competition competing_sets(const ParentLists& parents, double within, std::optional<double> most_regret,
                           std::size_t threads, Control& control);

}  // namespace dagscape
