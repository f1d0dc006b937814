#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/integer_program/families.hpp"

namespace dagscape {

/// Clusters that a fractional solution violates.
struct Violated {
    std::vector<Cut> cuts;   // most violated first
    bool exhaustive = true;  // whether there are no others where none was found
    std::uint64_t steps = 0;
};

/// Finds sets of variables whose members have, in all, less than one family without a parent in the set.
///
/// From each variable a set is grown by depth-first search: take a family of a member that has no parent in
/// the set yet, the one of most weight, and let either one of its parents join or none of them, which costs
/// the family's weight; what is lost must stay below 1. The search is exact unless it takes more than
/// `most_steps` for a variable. A variable that proves to be in no violated set leaves the others' searches.
///
/// Only the most violated set for each variable is kept, and those on the way to it.
Violated violated_clusters(const Families& families, std::span<const Families::Column> columns,
                           std::span<const double> x, double by_at_least, std::uint64_t most_steps,
                           std::size_t most_cuts);

/// Sets of three or four variables where more than one has all the others as parents.
std::vector<Cut> violated_packings(const Families& families, std::span<const Families::Column> columns,
                                   std::span<const double> x, double by_at_least);

}  // namespace dagscape
