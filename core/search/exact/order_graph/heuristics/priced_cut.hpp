#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/dual_bound/cut_multipliers.hpp"
#include "search/exact/integer_program/families.hpp"
#include "search/exact/order_graph/order_costs.hpp"

namespace dagscape {

/// A cut times its multiplier, in whole units: what it takes off the costs of families, and what it still
/// adds to the bound where some members are placed.
///
/// Every network obeys a cut: the coefficients of the members' families add up to its right side at least.
/// Where some members are placed, those left need the least that an order of them, after the placed ones,
/// can have:
///
///   need(W) = min over x in W of need(W - x) + least coefficient of a family of x without parents in W,
///
/// which is the right side where all members are left, and of a cluster nothing as soon as one is placed.
/// Products are rounded down before anything is made of them, so that this holds for the numbers kept.
template <typename Set>
class PricedCut {
  public:
    using Costs = OrderCosts<Set>;
    using Cost = typename Costs::Cost;

    PricedCut(const Cut& cut, double multiplier, const Costs& costs);

    const Set& members() const { return members_; }
    const std::vector<Var>& listed() const { return listed_; }
    /// Whether one member without parents among the others is all it asks for.
    bool is_cluster() const { return least_ == 1; }
    /// Of a cluster.
    Cost amount() const { return amount_; }

    /// What it takes off the cost of a member's family.
    Cost taken(Var child, const Set& parents) const {
        if (least_ == 1) return parents.intersects(members_) ? 0 : amount_;
        if (least_ > 1) return (parents & members_).size() < least_ ? amount_ : 0;
        return products_[(place_of(child) << listed_.size()) | among(parents)];
    }
    /// What the members left need.
    Cost need(const Set& left) const {
        if (least_ == 1) return members_.subset_of(left) ? amount_ : 0;
        if (least_ == 0) return needs_[among(left)];
        const std::size_t placed = (members_ - left).size();
        return placed < least_ ? amount_ * static_cast<Cost>(least_ - placed) : 0;
    }
    /// Adds to each member left how far the need falls when it is placed next; tells the need.
    Cost add_falls(const Set& left, std::span<Cost> falls) const {
        if (least_ > 0) {
            const Cost now = need(left);
            if (now > 0)
                for (const Var v : listed_) falls[v] += amount_;
            return now;
        }
        const std::size_t now = among(left);
        if (needs_[now] > 0)
            for (std::size_t i = 0; i < listed_.size(); ++i)
                falls[listed_[i]] += needs_[now] - needs_[now & ~(std::size_t{1} << i)];
        return needs_[now];
    }

  private:
    std::size_t place_of(Var child) const {
        std::size_t at = 0;
        while (listed_[at] != child) ++at;
        return at;
    }
    std::size_t among(const Set& set) const {
        std::size_t found = 0;
        for (std::size_t i = 0; i < listed_.size(); ++i)
            found |= static_cast<std::size_t>(set.contains(listed_[i])) << i;
        return found;
    }

    Set members_;
    std::vector<Var> listed_;
    Cost amount_ = 0;             // of a cluster
    std::uint32_t least_ = 0;     // of a cluster; 0 if there is a table
    std::vector<Cost> products_;  // by member, then by those of its parents that are members
    std::vector<Cost> needs_;     // by the members left
};

/// All cuts of multipliers, without those that are less than a unit, or so large that sums would not fit into
/// whole numbers: whichever cuts there are, the bound holds. Variables must be numbered as in the cuts.
template <typename Set>
std::vector<PricedCut<Set>> priced_cuts(const CutMultipliers& multipliers, const OrderCosts<Set>& costs);

}  // namespace dagscape
