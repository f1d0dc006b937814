#pragma once

#include <vector>

#include "search/exact/regrets.hpp"

namespace dagscape {

/// Divides the variables into groups of at most so many, with those together that want each other as
/// parents: what a pattern database can see is only what cycles within a group cost (Fan and Yuan, An
/// improved lower bound for Bayesian network structure learning, AAAI 2015).
///
/// Two variables are tied by what it costs that one of them has to do without the other. Groups are merged,
/// the most tied first, then variables exchanged as long as that ties groups closer.
std::vector<std::vector<Var>> variable_groups(const Regrets& regrets, std::size_t most);

}  // namespace dagscape
