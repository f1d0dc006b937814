#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/order_graph/cluster_prices.hpp"
#include "search/exact/order_graph/pattern_databases.hpp"
#include "search/exact/order_graph/whole_costs.hpp"

namespace dagscape {

/// The heuristic of a search over orders: a lower bound of what it costs to place the variables that are
/// left, after all others.
///
/// It is the sum of prices of the clusters all of which are left, and of pattern databases over the costs
/// that the prices leave. To place X, the first of some clusters, with parents P costs at least the prices of
/// these, all of which P avoids, and what remains of the cost; the bound falls by no more: it is consistent.
///
/// Pattern databases know exactly what clusters within a group are for, so these get their prices back.
class OrderBound {
  public:
    struct Parts {
        std::vector<std::size_t> groups;  // sizes of groups of consecutive variables: none, no patterns
        std::size_t cluster_trials = 0;   // 0: no clusters
    };
    OrderBound(const WholeCosts& costs, const Parts& parts, Control& control);

    WholeCosts::Cost operator()(VarSet left) const {
        return (patterns_.bound(left) + (members_.empty() ? 0 : untouched(left))) << ReducedCosts::coarser;
    }
    std::size_t clusters() const { return count_; }
    std::uint64_t pattern_sets() const { return patterns_.sets(); }
    std::size_t bytes() const { return patterns_.bytes(); }

  private:
    /// The prices of clusters all of which are left.
    std::uint64_t untouched(VarSet left) const;

    PatternDatabases patterns_;
    std::vector<std::uint64_t> members_, prices_;
    std::size_t count_ = 0;
};

}  // namespace dagscape
