#pragma once

#include <vector>

#include "control.hpp"
#include "search/exact/order_graph/choices.hpp"

namespace dagscape {

/// Divides the variables into groups of at most so many, with those together that want each other as
/// parents: what a pattern database can see is only what cycles within a group cost (Fan and Yuan, An
/// improved lower bound for Bayesian network structure learning, AAAI 2015).
///
/// Two variables are tied by what it costs that one of them has to do without the other. Groups are merged,
/// the most tied first, then variables exchanged as long as that ties groups closer. Ends early, with any
/// groups, if the control is stopped.
std::vector<std::vector<Var>> variable_groups(const Choices& choices, std::size_t most, Control& control);

}  // namespace dagscape
