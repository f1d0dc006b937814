#pragma once

#include "data/table.hpp"

namespace dagscape {

/// How the degrees of freedom of a test of independence are counted.
enum class Degrees {
    declared,  // over all declared states, (r_x − 1)(r_y − 1) Π r_S
    adjusted,  // for each combination of S, over the states of x and of y that occur there
};

/// Σ over the combinations s of S that occur of (states of x there − 1)(states of y there − 1): what the
/// table leaves free. A state that never occurs with s has an empty row or column there, which no
/// dependence could fill. Takes time in proportion to rows and the size of S.
double adjusted_freedom(const Table& table, Var x, Var y, Members given);

}  // namespace dagscape
