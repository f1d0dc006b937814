#include "search/exact/order_proof/astar_by_cuts.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <vector>

#include "search/exact/order_proof/cut_potential.hpp"
#include "search/exact/order_proof/placed_sets.hpp"
#include "search/exact/order_proof/placing_costs.hpp"
#include "search/exact/order_proof/waiting_nodes.hpp"
#include "search/exact/order_proof/width.hpp"

namespace dagscape {

namespace {

/// Between looks at clock, limits and gap.
constexpr std::uint64_t expanded_at_once = 64;

template <typename Set>
class Search {
  public:
    using Costs = PlacingCosts<Set>;
    using Cost = typename Costs::Cost;
    using Nodes = PlacedSets<Set>;
    using Number = typename Nodes::Number;

    Search(const Families& families, const CutMultipliers& multipliers, Gap& gap, Control& control)
        : families_(families),
          gap_(gap),
          control_(control),
          all_(Set::first(families.variables())),
          costs_(families, gap.regret()),
          cuts_(priced_cuts<Set>(families, multipliers.cuts(), multipliers.values(), costs_)),
          potential_(families, cuts_, costs_),
          nodes_(control),
          waiting_(potential_.bound(all_), useless(), control) {}

    AstarByCutsWork run() {
        if (!costs_.possible()) {
            gap_.raise(gap_.regret());
            return work();
        }
        const Set start = costs_.with_free(Set(), all_);
        bool fresh = false;
        const Number first = nodes_.find(start, fresh);
        if (first == Nodes::none) return work();
        nodes_[first] = {start, 0, potential_.bound(all_ - start), Nodes::none, 0, false};
        if (start == all_) {
            offer(first);
        } else if (estimate(first) < useless() && !wait(first)) {
            return work();
        }
        while (const std::optional<Number> next = waiting_.pop()) {
            if (expanded_ % expanded_at_once == 0) {
                gap_.raise(std::min(costs_.regret(waiting_.least()), gap_.regret()));
                if (control_.stopped() || gap_.closed()) return work();
            }
            const typename Nodes::Node& node = nodes_[*next];
            // It may wait twice, since it was reached more cheaply meanwhile.
            if (node.expanded || estimate(*next) >= useless()) continue;
            ++expanded_;
            if (!expand(*next)) return work();
        }
        gap_.raise(gap_.regret());
        return work();
    }

  private:
    Cost estimate(Number number) const { return nodes_[number].cost + nodes_[number].rest; }
    bool wait(Number number) { return waiting_.push(waiting_.bucket(estimate(number)), number); }

    /// From which cost on a network is not better than the incumbent, by more than rounding.
    Cost useless() {
        const double regret = gap_.regret();
        if (regret != incumbent_) {
            incumbent_ = regret;
            useless_ = costs_.limit(regret);
        }
        return useless_;
    }

    /// Places each variable that is left, and along with it all that costs nothing then, as A* does. False if
    /// memory is over.
    bool expand(Number number) {
        nodes_[number].expanded = true;
        const Set placed = nodes_[number].placed, left = all_ - placed;
        const Cost cost = nodes_[number].cost, rest = nodes_[number].rest;
        potential_.falls(left, falls_);
        for (const Var child : left) {
            const Cost after = rest - falls_[child];
            const Cost through = costs_.below(useless() - cost - after, child, placed);
            ++edges_;
            if (through == Costs::never) continue;
            const Set next = costs_.with_free(placed | child, costs_.frees(child) - placed - child);
            if (!reach(next, cost + through, after, number, child)) return false;
        }
        return true;
    }

    /// `rest`: of what is left after the child alone.
    bool reach(const Set& placed, Cost cost, Cost rest, Number from, Var child) {
        bool fresh = false;
        const Number number = nodes_.find(placed, fresh);
        if (number == Nodes::none) return false;
        auto& node = nodes_[number];
        if (!fresh && node.cost <= cost) return true;
        if (fresh) {
            Set left = all_ - (nodes_[from].placed | child);
            const Set freed = left & placed;
            for (const Var free : freed) {
                rest -= potential_.fall(left, free);
                left = left - free;
            }
            node.rest = rest;
        }
        node.cost = cost;
        node.from = from;
        node.last = static_cast<std::uint16_t>(child);
        node.expanded = false;
        if (placed == all_) {
            offer(number);
            return true;
        }
        return estimate(number) >= useless() || wait(number);
    }

    /// Offers the network of the route to a node, which has all variables.
    void offer(Number number) {
        std::vector<std::vector<Var>> steps;  // backwards
        for (; nodes_[number].from != Nodes::none; number = nodes_[number].from) {
            const auto& node = nodes_[number];
            std::vector<Var>& step = steps.emplace_back(1, static_cast<Var>(node.last));
            costs_.free_order(nodes_[node.from].placed | static_cast<Var>(node.last), all_, step);
        }
        costs_.free_order(Set(), all_, steps.emplace_back());
        std::vector<Var> order;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step)
            order.insert(order.end(), step->begin(), step->end());
        Families::Network network = families_.along(std::move(order));
        gap_.offer(network.regret, std::move(network.chosen));
    }

    AstarByCutsWork work() const {
        return {nodes_.size(), expanded_, edges_, nodes_.bytes() + waiting_.bytes()};
    }

    const Families& families_;
    Gap& gap_;
    Control& control_;
    Set all_;
    Costs costs_;
    std::vector<PricedCut<Set>> cuts_;
    CutPotential<Set> potential_;
    Nodes nodes_;
    double incumbent_ = -1;  // of which the next is made
    Cost useless_ = 0;
    WaitingNodes waiting_;
    std::array<Cost, Set::most> falls_{};
    std::uint64_t expanded_ = 0, edges_ = 0;
};

template <typename Set>
AstarByCutsWork searched(const Families& families, const CutMultipliers& multipliers, Gap& gap,
                         Control& control) {
    const Charge lists(PlacingCosts<Set>::bytes_for(families), control);
    if (control.stopped()) return {};
    try {
        return Search<Set>(families, multipliers, gap, control).run();
    } catch (const std::bad_alloc&) {
        control.stop(Stop::memory);
        return {};
    }
}

}  // namespace

AstarByCutsWork astar_by_cuts(const Families& families, const CutMultipliers& multipliers, Gap& gap,
                              Control& control) {
    check_incumbent(gap);
    if (gap.closed() || control.stopped()) return {};
    return with_width(families.variables(), [&](auto empty) {
        return searched<decltype(empty)>(families, multipliers, gap, control);
    });
}

double least_rest(const Families& families, const CutMultipliers& multipliers, double most, Members left) {
    return with_width(families.variables(), [&](auto set) {
        using Set = decltype(set);
        for (const Var v : left) set = set | v;
        const PlacingCosts<Set> costs(families, most);
        const auto cuts = priced_cuts<Set>(families, multipliers.cuts(), multipliers.values(), costs);
        return costs.regret(CutPotential<Set>(families, cuts, costs).bound(set));
    });
}

}  // namespace dagscape
