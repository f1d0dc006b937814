#pragma once

#include <utility>
#include <vector>

#include "graphs/pdag.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// Every class in the inclusion boundary of one, better or not, with what it gains: what searches look at a
/// part of. For tests and the curious, and at most 64 variables. The graph must be essential, and the score
/// the same for equivalent networks.
std::vector<std::pair<double, Pdag>> inclusion_boundary(const Scorer& scorer, const Pdag& graph);

}  // namespace dagscape
