#pragma once

#include <cstddef>
#include <optional>

#include "graphs/pdag.hpp"
#include "parents/constraints.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

struct ClassWeight {
    double log_sum;   // of the weights of all its networks that are allowed; −∞ if none is
    double log_best;  // of the heaviest of them
    double networks;  // how many they are
};

/// The weight of an equivalence class, given by its essential graph.
///
/// Its undirected edges fall into components that are directed independently of each other, without a new
/// v-structure or a cycle, so that the sum over all members is a product of sums over the directions of each
/// component. These are listed: an edge is directed one way and the other, each time with what follows by
/// Meek's rules, which leave only edges that can go either way. Nothing where a component has more than
/// `most` of them.
std::optional<ClassWeight> class_weight(const Scorer& scorer, const Constraints& constraints,
                                        const Pdag& essential, std::size_t most = 100'000);

}  // namespace dagscape
