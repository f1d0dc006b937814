#pragma once

#include <cstdint>
#include <vector>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// Variables that must be solved together, with their candidate parents among themselves.
///
/// Parents in earlier components are free: they can always be had, so they are left out of the sets here,
/// and of sets that become alike the best remains.
struct Component {
    std::vector<Var> variables;  // ascending; the number within the component is the place here
    ParentLists parents;         // numbered within the component
    std::vector<std::vector<std::uint32_t>> places;  // of each set, in the lists of the whole problem

    double relaxed_score() const;
    /// The places, in the lists of the whole problem, of a set chosen for each variable.
    std::vector<std::uint32_t> whole_places(const std::vector<std::uint32_t>& chosen) const;
};

/// Splits into the strongly connected components of the candidate-parent graph, which has an arc Y→X for
/// every Y in a set of X; earlier ones first (Fan, Malone and Yuan, Finding optimal Bayesian network
/// structures with constraints learned from data, UAI 2014).
///
/// What falls apart once free parents are left out is split again. Lists must be sorted and not empty.
std::vector<Component> components(const ParentLists& parents);
/// Likewise; what `control` stopped is of no use.
std::vector<Component> components(const ParentLists& parents, Control& control);

/// The whole problem as one component.
Component undivided(const ParentLists& parents);
Component undivided(const ParentLists& parents, Control& control);

}  // namespace dagscape
