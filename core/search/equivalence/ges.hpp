#pragma once

#include "control.hpp"
#include "search/equivalence/class_search.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

struct GesOptions {
    /// Removing follows adding, or both are looked at in every step.
    bool two_phases = true;
    /// Then edges are turned, while that or a step gains.
    bool turning = false;
    std::size_t max_parents = max_variables;
};

/// Greedy equivalence search (Meek 1997; Chickering, JMLR 2002): from the empty graph to the best class in
/// the inclusion boundary that adds an arc, until none scores higher; then likewise removing.
///
/// Turning goes to the best class with the same adjacent pairs that is reached by removing an arc of a
/// network and adding it again elsewhere in the class then reached: all that a turned arc can reach (Hauser
/// and Bühlmann, JMLR 2012), and more. Ties go to the first step by y, x and what is turned. No step is
/// drawn, so there is no seed.
ClassSearch ges(const Scorer& scorer, const GesOptions& options, Control& control);
/// A network of the class that it finds on some of the variables, given in ascending order; numbered by their
/// places.
Dag ges_on(const Scorer& scorer, Members variables, const GesOptions& options, Control& control);

}  // namespace dagscape
