#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/families.hpp"

namespace dagscape {

/// Finds cuts that a fractional solution violates on a few variables alone, whatever their form.
///
/// On some variables, whose families keep only the parents among them, a solution must be a mixture of
/// acyclic graphs. Whether it is, a small linear program tells: pack acyclic graphs of total weight 1 into
/// the weights of the families. If less fits, the duals are a cut; all facets on so few variables can arise,
/// clusters among them (Cussens, Järvisalo, Korhonen and Bartlett, Bayesian network structure learning with
/// integer programming: polytopes, facets and complexity, JAIR 2017, list those on four; Applegate, Bixby,
/// Chvátal and Cook found cuts this way for travelling salesmen). Families without weight get the least
/// coefficients that keep the cut valid, one after another.
///
/// Looks at sets of `size` variables, at most 8, that are strongly connected by families with weight.
struct HullSearch {
    std::size_t size = 4;
    double by_at_least = 1e-3;
    std::size_t most_sets = 10000;
    std::size_t most_cuts = 100;
    std::uint64_t seed = 0;
};
struct HullCuts {
    std::vector<Cut> cuts;  // most violated first
    std::size_t sets = 0;   // looked at
};
HullCuts violated_hulls(const Families& families, std::span<const Families::Column> columns,
                        std::span<const double> x, const HullSearch& options);

}  // namespace dagscape
