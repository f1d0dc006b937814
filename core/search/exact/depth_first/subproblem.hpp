#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/order_graph/heuristics/priced_cut.hpp"

namespace dagscape {

/// What is left to do where some variables are placed first: the families that the others can still have,
/// what multipliers leave of their costs, and a bound on all networks that begin like this.
///
/// The bound is the cost so far, plus what the cuts still need, plus the least reduced cost of each variable
/// left. That least is taken off its families, so that what remains of each tells how far the bound rises if
/// the family is chosen: one that rises above the limit is in no network that is wanted.
template <typename Set>
class Subproblem {
  public:
    using Costs = OrderCosts<Set>;
    using Cost = typename Costs::Cost;

    struct Family {
        Cost reduced, cost;
        Set parents;  // placed ones as well
    };
    /// A cluster with its price, or one of the cuts given at first.
    struct Price {
        Set members;
        Cost amount;
        std::int32_t cut;  // its number; -1 for a cluster
    };
    struct Step {
        Set members;
        Cost amount;
    };

    /// Nothing is placed. The cuts must outlive it.
    Subproblem(const std::vector<PricedCut<Set>>& cuts, const Costs& costs);
    /// A copy, to place a variable that will raise the bound to `from` at least: families that would raise it
    /// on to the limit are left out.
    Subproblem(const Subproblem& other, Var next, Cost from, Cost limit);

    const Set& placed() const { return placed_; }
    const Set& left() const { return left_; }
    Cost cost() const { return cost_; }
    Cost bound() const { return bound_; }
    const std::vector<Var>& order() const { return order_; }
    std::vector<Family>& families(Var child) { return families_[child]; }
    const std::vector<Family>& families(Var child) const { return families_[child]; }
    std::vector<Price>& prices() { return prices_; }
    std::size_t bytes() const;

    /// What placing a variable next would make of cost and bound; false if no family fits.
    struct Placing {
        Cost cost, bound;
        const Family* family;
    };
    bool placing(Var child, Placing& result) const;
    /// Places a variable, and gives back what cuts without need have taken. False if the limit is reached.
    bool place(Var child, Cost limit);
    /// Places all variables that can have at once the cheapest family that is left to them: others have only
    /// more to choose from then. False if the limit is reached.
    bool place_free(Cost limit);
    /// Drops families that would raise the bound to the limit.
    void filter(Cost limit);
    /// A cluster has a price, or a higher one; whoever says so takes it off the families.
    void add_price(const Set& members, Cost amount) {
        bound_ += amount;
        prices_.push_back({members, amount, -1});
    }
    /// Prices were changed by so much in all.
    void shift(Cost by) { bound_ += by; }
    /// Takes steps off: each from the families that avoid its members.
    static void take(std::span<Family> families, std::span<const Step> steps);
    /// Takes the least off the families of a variable and adds it to the bound; false if it has none.
    bool level(Var child);
    /// The fewest variables left whose families have no parents left but among them: some best order has
    /// them first.
    Set closed_part() const;

  private:
    const std::vector<PricedCut<Set>>* cuts_;
    Set placed_, left_;
    Cost cost_ = 0, bound_ = 0;
    std::vector<Var> order_;
    std::vector<std::vector<Family>> families_;  // by child; none of placed ones
    std::vector<Price> prices_;
};

}  // namespace dagscape
