#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "parents/constraints.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

struct Polished {
    std::vector<std::vector<Var>> parents;  // by variable
    std::vector<double> gains;              // likewise
    std::uint64_t changes = 0;              // parents added, removed or exchanged
};

/// Improves parent sets in a fixed order, whatever lists they came from: as long as it gains, each variable
/// adds one of all those before it, removes a parent or exchanges one, whichever gains most. Of changes that
/// gain alike, an addition goes before a removal before an exchange, and then the first variables; required
/// parents stay. Variables do not depend on each other, so threads change nothing. Stopped, the sets are
/// what they had become.
Polished polish_parents(const Scorer& scorer, const Constraints& constraints, const std::vector<Var>& order,
                        std::vector<std::vector<Var>> parents, std::size_t threads, Control& control);

}  // namespace dagscape
