#pragma once

#include <vector>

#include "search/local/local_method.hpp"
#include "search/local/optimal_networks.hpp"

namespace dagscape {

/// Score-based local learning (Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI
/// 2012).
///
/// The other variables are looked at one by one. With each, the best network on it, the target and the
/// target's potential neighbors so far is found; who is the target's neighbor there is a potential one from
/// now on, and the others are dropped for good. Spouses are found likewise, among neighbors of neighbors.
class Sll final : public LocalMethod {
  public:
    /// `ranks`: variables are looked at in this order, by variable; if empty, those that the target gains
    /// most from as single parents first, and of equals the lower one. The published algorithm does not
    /// check common children.
    Sll(const OptimalNetworks& networks, std::vector<std::size_t> ranks, ChildCheck child_check);

    /// Algorithm 1, FindPotentialNeighbors.
    Potential neighbors(Var target, Control& control) const override;
    /// Algorithm 3, FindPotentialSpouses.
    PotentialSpouses spouses(Var target, const Surroundings& around, Control& control) const override;
    bool either_spouse() const override { return true; }
    ChildCheck child_check() const override { return child_check_; }

  private:
    void put_in_order(Var target, std::vector<Var>& others, Control& control) const;

    const OptimalNetworks& networks_;
    std::vector<std::size_t> ranks_;
    ChildCheck child_check_;
};

}  // namespace dagscape
