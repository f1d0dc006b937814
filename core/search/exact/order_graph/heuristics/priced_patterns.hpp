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
template <typename Set>
class PricedPatterns final : public Heuristic<Set> {
  public:
    using Cost = typename Heuristic<Set>::Cost;

    /// `sizes`: of groups of consecutive variables. `cluster_trials`: 0 for no clusters.
    PricedPatterns(const OrderCosts<Set>& costs, const std::vector<std::size_t>& sizes,
                   std::size_t cluster_trials, Control& control);

    Cost bound(const Set& left) const override {
        const std::uint64_t sum = patterns_.bound(left) + (count_ == 0 ? 0 : untouched(left));
        return static_cast<Cost>(sum << ReducedCosts<Set>::coarser);
    }
    HeuristicWork work() const override { return {patterns_.sets(), count_, patterns_.bytes()}; }

  private:
    /// The prices of clusters all of which are left.
    std::uint64_t untouched(const Set& left) const;

    PatternDatabases<Set> patterns_;
    std::vector<std::uint64_t> members_;  // word by word, of all clusters
    std::vector<std::uint64_t> prices_;
    std::size_t count_ = 0;
};

}  // namespace dagscape
