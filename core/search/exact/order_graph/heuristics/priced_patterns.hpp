#pragma once

#include <cstdint>
#include <vector>

#include "search/exact/order_graph/heuristics/heuristic.hpp"
#include "search/exact/order_graph/heuristics/pattern_databases.hpp"

namespace dagscape {

/// The sum of prices of the clusters all of which are left, and of pattern databases over the costs that the
/// prices leave. To place X, the first of some clusters, with parents P costs at least the prices of these,
/// all of which P avoids, and what remains of the cost; the bound falls by no more: it is consistent.
///
/// Pattern databases know exactly what clusters within a group are for, so these get their prices back.
class PricedPatterns final : public Heuristic {
  public:
    /// `sizes`: of groups of consecutive variables. `cluster_trials`: 0 for no clusters.
    PricedPatterns(const WholeCosts& costs, const std::vector<std::size_t>& sizes, std::size_t cluster_trials,
                   Control& control);

    WholeCosts::Cost bound(VarSet left) const override {
        return (patterns_.bound(left) + (members_.empty() ? 0 : untouched(left))) << ReducedCosts::coarser;
    }
    Work work() const override { return {patterns_.sets(), count_, patterns_.bytes()}; }

  private:
    /// The prices of clusters all of which are left.
    std::uint64_t untouched(VarSet left) const;

    PatternDatabases patterns_;
    std::vector<std::uint64_t> members_, prices_;
    std::size_t count_ = 0;
};

}  // namespace dagscape
