#pragma once

#include <vector>

#include "data/table.hpp"

namespace dagscape {

/// N·H(X | all other variables) of every variable X: what no parents can explain.
std::vector<double> entropy_given_others(const Table& table);

}  // namespace dagscape
