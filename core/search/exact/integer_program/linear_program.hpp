#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/integer_program/families.hpp"

namespace dagscape {

/// What a solver of linear programs and the families tell each other.

/// Cuts as rows of the program, one after another: where each row begins, and of what is not zero in them
/// the place among the columns and the coefficient.
struct CutRows {
    std::vector<std::int32_t> begins, places;
    std::vector<double> coefficients;
};
CutRows cut_rows(const Families& families, std::span<const std::uint32_t> cuts,
                 std::span<const Families::Column> columns);

/// How much weight a solution gives to each arc, of those with any; by parent, then child.
struct ArcWeights {
    std::vector<std::uint32_t> parents, children;
    std::vector<double> weights;
};
ArcWeights arc_weights(const Families& families, std::span<const Families::Column> columns,
                       std::span<const double> x);

}  // namespace dagscape
