#pragma once

#include <cstdint>
#include <vector>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// A parent set of a variable as its component sees it.
struct WeightedSet {
    std::uint32_t inside;  // parents in the same component, numbered within it
    double log_weight;     // of the whole set: local score + log prior
};

/// Variables whose parents must be summed over together: a strongly connected component of "is in some
/// parent set of".
///
/// A network is acyclic if it is acyclic within every component, so the sum over all networks is a product of
/// sums over components, in which parents from elsewhere are free: sets that are alike inside simply add up.
/// No set is left out because a better one is alike, as a search for the best network would do.
struct WeightedComponent {
    static constexpr std::size_t most = 32;  // a set of variables is one word

    std::vector<Var> variables;  // ascending; the number within the component is the place here
    std::vector<std::vector<WeightedSet>> sets;  // by variable, in the order of its list
};

/// The components of the lists, earlier ones first; or all variables as one. Throws where a component has
/// more variables than can be summed over: ask `component_sizes` before.
std::vector<WeightedComponent> weighted_components(const ParentLists& lists, bool split = true);

/// The same sets, each with the log weight for its number of parents: a prior by itself.
ParentLists weighted_by_size(const ParentLists& lists, const std::vector<double>& log_weights);

std::vector<std::size_t> component_sizes(const ParentLists& lists);

}  // namespace dagscape
