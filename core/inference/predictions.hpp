#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "control.hpp"
#include "inference/tables.hpp"

namespace dagscape {

/// P(target | the other values of a row), for many rows.
///
/// A row is a code for each variable, or a negative number where its value is not known; the target's own
/// is left out of account. Rows in which the same bears on the target share a tree of cliques. Where all is
/// known that is the target's Markov blanket: a few products. A row that the network holds impossible gets
/// not-a-numbers.
///
/// Returns a stretch of probabilities for each row. Rows that `control` left out have zeros. The answer does
/// not depend on the number of threads.
std::vector<double> predictions(const TableNetwork& network, std::span<const std::int32_t> rows, Var target,
                                std::size_t most_cells, std::size_t threads, Control& control);

}  // namespace dagscape
