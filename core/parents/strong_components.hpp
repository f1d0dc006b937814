#pragma once

#include <vector>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// The strongly connected components of the candidate-parent graph, which has an arc Y→X for every Y in a set
/// of X. Each is ascending, and comes after all that it has parents in.
std::vector<std::vector<Var>> strong_components(const ParentLists& parents);
/// The same of the variables that each may have as parents.
std::vector<std::vector<Var>> strong_components(std::vector<std::vector<Var>> candidates);

/// The variables that are in some set of each child, ascending.
std::vector<std::vector<Var>> candidates_of(const ParentLists& parents);

}  // namespace dagscape
