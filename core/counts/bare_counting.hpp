#pragma once

#include "data/table.hpp"
#include "instructions.hpp"

namespace dagscape {

/// How many pairs of items a second are counted by the bare loop that all counting is measured against: every
/// item's bitmap with all before it, again and again for so many seconds.
double bare_and_counts(const Table& table, double seconds, Instructions instructions);

}  // namespace dagscape
