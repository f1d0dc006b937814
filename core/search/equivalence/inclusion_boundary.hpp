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

/// The same classes without a score, and those of a network of the class with one arc turned: what a search
/// by another measure than a score looks at. Some may come twice. Where neighbors of one pair make more than
/// a few thousand classes, not all of these. At most 64 variables.
std::vector<Pdag> neighboring_classes(const Pdag& graph);

}  // namespace dagscape
