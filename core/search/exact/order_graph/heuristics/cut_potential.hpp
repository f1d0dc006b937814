#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/order_graph/heuristics/heuristic.hpp"
#include "search/exact/order_graph/heuristics/priced_cut.hpp"

namespace dagscape {

/// A lower bound of what it costs to place the variables that are left, after all others, from multipliers
/// of cuts:
///
///   Σ over x left of the least of regret - Σ multiplier · coefficient  +  Σ multiplier · need(members left).
///
/// It is consistent: to place x costs regret, and all that falls is its own least and what the needs fall,
/// each by no more than the coefficient of x's family, whose parents are all placed. So is 0, and the greater
/// of both, which is the bound.
///
/// Clusters get prices that are found greedily (`PricedPatterns`); multipliers come from elsewhere, of cuts
/// of any kind, and are as good as time allowed. A look at all cuts tells what each variable left would
/// leave.
template <typename Set>
class CutPotential final : public Heuristic<Set> {
  public:
    using Cost = typename Heuristic<Set>::Cost;

    CutPotential(const CutMultipliers& multipliers, const OrderCosts<Set>& costs);

    Cost bound(const Set& left) const override;
    std::span<const Cost> expand(const Set& left) override;
    Cost bound_after(Var child, const Set& left) const override;

  private:
    /// How far the sum falls when a variable left is placed next.
    Cost fall(const Set& left, Var placed) const;

    std::vector<PricedCut<Set>> cuts_;
    std::vector<std::vector<std::uint32_t>> cuts_of_;  // by variable
    std::vector<Cost> least_;                          // by variable
    // Of the node that is expanded: what is left, and by variable how far the sum falls, what it comes to
    // then, and the bound.
    Set left_;
    std::vector<Cost> falls_, sums_, bounds_;
};

}  // namespace dagscape
