#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <unordered_set>
#include <vector>

#include "search/exact/integer_program/families.hpp"

namespace dagscape {

struct HullSearch {
    std::size_t size;  // at most 8
    double by_at_least;
    std::size_t most_sets;
    std::size_t most_cuts;
};

/// Finds cuts that a fractional solution violates on a few variables alone, whatever their form.
///
/// On some variables, whose families keep only the parents among them, a solution must be a mixture of
/// acyclic graphs. Whether it is, a small linear program tells: pack acyclic graphs of total weight 1 into
/// the weights of the families. If less fits, the duals are a cut; all facets on so few variables can arise,
/// clusters among them (Cussens, Järvisalo, Korhonen and Bartlett, Bayesian network structure learning with
/// integer programming: polytopes, facets and complexity, JAIR 2017, list those on four; Applegate, Bixby,
/// Chvátal and Cook found cuts this way for traveling salesmen). Families without weight get the least
/// coefficients that keep the cut valid, one after another.
///
/// Only sets that are strongly connected by families with weight can be violated: others fall apart.
class Hulls {
  public:
    /// The families must outlive it.
    explicit Hulls(Families& families) : families_(families) {}
    Families& families() const { return families_; }
    /// Most violated first.
    std::vector<Cut> violated(std::span<const Families::Column> columns, std::span<const double> x,
                              const HullSearch& options);

  private:
    Families& families_;
    std::mt19937_64 random_;
    std::vector<double> heat_;                  // by pairs of variables: violated sets with both, of late
    std::unordered_set<std::uint64_t> inside_;  // parts of solutions that violate nothing, once seen
};

}  // namespace dagscape
