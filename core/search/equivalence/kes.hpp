#pragma once

#include <optional>

#include "control.hpp"
#include "random.hpp"
#include "search/equivalence/class_search.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// How much is drawn where neighboring classes are drawn. Draws are counted in as many as there are ordered
/// pairs of variables.
struct SamplingOptions {
    double draws = 20;          // for k = 1, in each step; enough in all of the paper's experiments
    std::size_t reversals = 7;  // arcs tried at most before each draw
    double patience = 20;       // draws in vain that end the search
};

struct KesOptions {
    double k = 0.8;
    std::size_t max_parents = max_variables;
    Neighborhood neighborhood = Neighborhood::automatic;
    /// Ends after so many steps, wherever it is.
    std::uint64_t max_steps = ~std::uint64_t{0};
    /// Begins at this class; at the empty graph without it.
    std::optional<Pdag> start;
    /// Makes all steps anew after each move, to compare with what is kept.
    bool from_scratch = false;
    SamplingOptions sampling;
};

/// k-greedy equivalence search (Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI
/// 2003): from the empty graph, draws a share k of the classes in the inclusion boundary that score higher,
/// and goes to the best of them, until there is none.
///
/// With k = 1 it is greedy equivalence search over the whole boundary, with k = 0 stochastic (SES). Ties go
/// to the class whose step comes first by y, x and what is turned. The score must be the same for equivalent
/// networks.
ClassSearch kes(const Scorer& scorer, const KesOptions& options, Random& random, Control& control);

}  // namespace dagscape
