#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/order_proof/priced_cut.hpp"

namespace dagscape {

/// A lower bound of what it costs to place the variables that are left, after all others, from multipliers
/// of cuts:
///
///   Σ over x left of the least of regret - Σ multiplier · coefficient  +  Σ multiplier · need(members left).
///
/// It is consistent: to place x costs regret, and all that falls is its own least and what the needs fall,
/// each by no more than the coefficient of x's family, whose parents are all placed.
template <typename Set>
class CutPotential {
  public:
    using Costs = PlacingCosts<Set>;
    using Cost = typename Costs::Cost;

    /// The cuts must outlive it.
    CutPotential(const Families& families, const std::vector<PricedCut<Set>>& cuts, const Costs& costs);

    Cost bound(const Set& left) const;
    /// By variable left: how far the bound falls when it is placed next.
    void falls(const Set& left, std::span<Cost> by) const;
    /// The same of one variable.
    Cost fall(const Set& left, Var placed) const;

  private:
    const std::vector<PricedCut<Set>>& cuts_;
    std::vector<std::vector<std::uint32_t>> cuts_of_;  // by variable
    std::vector<Cost> least_;                          // by variable
};

}  // namespace dagscape
