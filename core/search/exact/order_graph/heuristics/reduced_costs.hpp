#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/exact/order_graph/order_costs.hpp"

namespace dagscape {

/// Costs of candidate parents, rounded down to units that 32 bits can hold, of which parts are taken away
/// to be counted elsewhere: lower bounds made from the parts and from what remains add up.
template <typename Set>
class ReducedCosts {
  public:
    /// A unit here is two to this power of the finer ones. The limit of costs has 32 bits then.
    static constexpr unsigned coarser = OrderCosts<Set>::limit_bits - 31;
    /// More than the limit.
    static constexpr std::uint64_t impossible = std::uint64_t{1} << 32;

    struct Child {
        std::vector<Set> sets;
        std::vector<std::uint32_t> costs;
        std::vector<Set> free;  // sets of which nothing remains
    };

    explicit ReducedCosts(const OrderCosts<Set>& costs) : children_(costs.variables()) {
        for (std::size_t i = 0; i < costs.variables(); ++i) {
            const Var v = static_cast<Var>(i);
            Child& child = children_[v];
            for (std::size_t at = 0; at < costs.sets(v); ++at) {
                child.sets.push_back(costs.set(v, at));
                child.costs.push_back(static_cast<std::uint32_t>(costs.cost_at(v, at) >> coarser));
            }
            find_free(child);
        }
    }

    std::size_t variables() const { return children_.size(); }
    const Child& child(Var v) const { return children_[v]; }

    /// The least cost at which a member has no parents within the cluster; `impossible` if none can.
    std::uint64_t least_outside(const Set& cluster) {
        std::uint64_t least = impossible;
        for (const Var v : cluster) {
            const Child& child = children_[v];
            visits_ += child.sets.size();
            for (std::size_t at = 0; at < child.sets.size(); ++at)
                if (!child.sets[at].intersects(cluster))
                    least = std::min<std::uint64_t>(least, child.costs[at]);
        }
        return least;
    }
    /// Takes so much from all sets by which a member has no parents within the cluster.
    void take(const Set& cluster, std::uint64_t part) { change(cluster, -static_cast<std::int64_t>(part)); }
    void give_back(const Set& cluster, std::uint64_t part) {
        change(cluster, static_cast<std::int64_t>(part));
    }

    /// Puts costs back that were kept.
    void restore(ReducedCosts&& before) { children_ = std::move(before.children_); }
    /// Of sets, so far: what all this has taken.
    std::uint64_t visits() const { return visits_; }
    /// Memory for each candidate set, with a copy of the costs to go back to.
    static constexpr std::size_t bytes_per_set = 2 * (sizeof(Set) + sizeof(std::uint32_t));

  private:
    static void find_free(Child& child) {
        child.free.clear();
        for (std::size_t at = 0; at < child.sets.size(); ++at)
            if (child.costs[at] == 0) child.free.push_back(child.sets[at]);
    }
    void change(const Set& cluster, std::int64_t by) {
        for (const Var v : cluster) {
            Child& child = children_[v];
            visits_ += child.sets.size();
            for (std::size_t at = 0; at < child.sets.size(); ++at)
                if (!child.sets[at].intersects(cluster))
                    child.costs[at] = static_cast<std::uint32_t>(child.costs[at] + by);
            find_free(child);
        }
    }

    std::vector<Child> children_;
    std::uint64_t visits_ = 0;
};

}  // namespace dagscape
