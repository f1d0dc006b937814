#pragma once

#include "data/table.hpp"

namespace dagscape {

/// Degrees of freedom of the dependence of x and y given S, over the states that occur:
/// Σ over the combinations s of S that occur of (states of x there − 1)(states of y there − 1), what the
/// table leaves free. A state that never occurs with s has an empty row or column there, which no dependence
/// could fill. Takes time in proportion to rows and the size of S.
double adjusted_freedom(const Table& table, Var x, Var y, Members given);

}  // namespace dagscape
