#pragma once

#include "data/table.hpp"

namespace dagscape {

/// The same data with equal rows collapsed into one that carries their joint weight.
///
/// Rows keep the order of their first appearance, so the result is a function of the table alone.
Table unique_rows(const Table& table);

}  // namespace dagscape
