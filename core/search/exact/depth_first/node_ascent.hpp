#pragma once

#include "control.hpp"
#include "random.hpp"
#include "search/exact/depth_first/subproblem.hpp"

namespace dagscape {

/// Raises the bound of a subproblem by greedy ascent over clusters (see dual_bound/dual_ascent.hpp), among
/// the variables that are left, as long as families that cost nothing make no order of them.
///
/// True if the bound reaches the limit: then the subproblem has nothing that is wanted, and is left in no
/// state to go on from. Otherwise families that would reach it are gone.
template <typename Set>
bool ascend(Subproblem<Set>& problem, typename Subproblem<Set>::Cost limit, Random& random,
            std::uint64_t& steps, Control& control);

}  // namespace dagscape
