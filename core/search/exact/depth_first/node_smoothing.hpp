#pragma once

#include "control.hpp"
#include "random.hpp"
#include "search/exact/depth_first/subproblem.hpp"

namespace dagscape {

/// Improves the prices of a subproblem's clusters together, on a smoothed bound (see
/// dual_bound/smoothed_ascent.hpp), and lets greedy ascent add to them after each round. Takes far longer
/// than greedy ascent alone, and raises the bound further.
///
/// True if the bound reaches the limit, as with `ascend`.
template <typename Set>
bool smooth(Subproblem<Set>& problem, typename Subproblem<Set>::Cost limit, std::size_t rounds,
            Random& random, std::uint64_t& steps, Control& control);

}  // namespace dagscape
