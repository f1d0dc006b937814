#include "search/exact/order_graph/astar.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "search/exact/order_graph/heuristics/reduced_costs.hpp"
#include "search/exact/order_graph/open_list.hpp"
#include "search/exact/order_graph/order_table.hpp"
#include "search/exact/order_graph/whole_costs.hpp"

namespace dagscape {

namespace {

using Cost = WholeCosts::Cost;

/// No network worth looking for has more regret.
double regret_limit(const Regrets& regrets, const Gap& gap) {
    double sum = 0;
    for (Var child = 0; child < regrets.variables(); ++child) {
        double greatest = 0;
        for (std::size_t at = 0; at < regrets.sets(child); ++at) {
            const double regret = regrets.regret_at(child, at);
            if (regret < std::numeric_limits<double>::infinity()) greatest = std::max(greatest, regret);
        }
        sum += greatest;
    }
    return std::min(sum, gap.regret());
}

class Search {
  public:
    Search(const Regrets& regrets, const AstarOptions& options, Gap& gap, Control& control)
        : Search(regrets, options, options.heuristic->numbering(regrets), gap, control) {}

    AstarWork run() {
        raise(heuristic_->bound(costs_.all()));
        if (control_.stopped()) return work();
        const VarSet all = costs_.all();
        const VarSet start = forced_moves_ ? costs_.with_free(VarSet()) : VarSet();
        if (!reach(start, 0, 0)) return work();
        // A set that waited may have been expanded meanwhile, by a cheaper route found later.
        const auto estimate_of = [&](VarSet placed) -> std::optional<Cost> {
            const OrderNode* node = table_.known(placed);
            if (node->closed()) return std::nullopt;
            return node->cost() + heuristic_->bound(all - placed);
        };
        while (const auto next = open_.pop(estimate_of)) {
            if (expanded_ % 1024 == 0) {
                raise(next->estimate);
                if (control_.stopped() || gap_.closed()) return work();
            }
            if (next->estimate >= useless()) break;
            OrderNode* node = table_.find(next->placed);
            if (node == nullptr) return stopped_at(next->estimate);
            if (node->closed()) continue;
            if (next->placed == all) {
                offer_route();
                break;
            }
            node->close();
            ++expanded_;
            if (!expand(next->placed, node->cost())) return stopped_at(next->estimate);
        }
        if (open_.out_of_memory()) return work();
        // What is left cannot be better by more than what units round off; if there is no network at all,
        // both are infinite.
        const double regret = gap_.regret(), rounded = costs_.regret(costs_.variables());
        const bool fine = rounded <= std::max(Gap::tolerance / 2, same_score_at(regret) - same_score);
        gap_.raise(fine ? regret : regret - rounded);
        return work();
    }

  private:
    Search(const Regrets& regrets, const AstarOptions& options, const HeuristicKind::Numbering& numbering,
           Gap& gap, Control& control)
        : regrets_(regrets),
          gap_(gap),
          control_(control),
          forced_moves_(options.forced_moves),
          variables_(numbering.variables),
          costs_(regrets, variables_, regret_limit(regrets, gap)),
          heuristic_(options.heuristic->on(costs_, numbering, control)),
          table_(control),
          open_(heuristic_->bound(costs_.all()), control) {}

    /// From which cost on a network is not better than the incumbent, by more than rounding.
    Cost useless() {
        const double regret = gap_.regret();
        if (regret != incumbent_) {
            incumbent_ = regret;
            // One more, since units are rounded down: what costs as much is surely not better.
            useless_ = std::min(costs_.units(regret - Gap::tolerance / 2) + 1, WholeCosts::limit + 1);
        }
        return useless_;
    }

    /// Places each variable that is left. A variable that costs nothing now is placed along with it: in any
    /// order that goes on from here it can be moved to this point, where it still costs nothing, and others
    /// have only more to choose from. So some best order has it here, and no other needs to be looked at.
    ///
    /// False if memory is over.
    bool expand(VarSet placed, Cost cost) {
        const VarSet left = costs_.all() - placed;
        for (const Var child : left) {
            next_[child] = forced_moves_ ? costs_.with_free(placed, child) : placed | child;
            table_.prefetch(next_[child]);
        }
        for (const Var child : left) {
            OrderNode* node = table_.find(next_[child]);
            if (node == nullptr) return false;
            if (node->used() && node->closed()) continue;
            ++edges_;
            const Cost through = cost + costs_.cost(child, placed);
            if (!reach(node, next_[child], through, child)) return false;
        }
        return true;
    }

    bool reach(VarSet placed, Cost cost, Var last) {
        OrderNode* node = table_.find(placed);
        return node != nullptr && reach(node, placed, cost, last);
    }
    bool reach(OrderNode* node, VarSet placed, Cost cost, Var last) {
        if (node->used() && node->cost() <= cost) return true;
        const Cost estimate = cost + heuristic_->bound(costs_.all() - placed);
        if (estimate >= useless()) return true;
        if (!node->used()) table_.added(placed);
        node->reach(placed, cost, last);
        return open_.push(estimate, placed);
    }

    /// Offers the network of the route to the last node.
    void offer_route() {
        std::vector<std::vector<Var>> steps;  // backwards
        VarSet placed = costs_.all();
        const VarSet start = forced_moves_ ? costs_.with_free(VarSet()) : VarSet();
        while (placed != start) {
            const OrderNode* node = table_.known(placed);
            const VarSet before = before_last(*node);
            std::vector<Var>& step = steps.emplace_back(1, node->last());
            if (forced_moves_) costs_.with_free(before | node->last(), step);
            placed = before;
        }
        std::vector<Var>& first = steps.emplace_back();
        if (forced_moves_) costs_.with_free(VarSet(), first);
        std::vector<Var> order;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step)
            for (const Var child : *step) order.push_back(variables_[child]);
        Regrets::Chosen chosen = regrets_.along(order);
        gap_.offer(chosen.regret, std::move(chosen.places));
    }

    /// The node from which the cheapest route came. With forced moves the last variable alone does not tell
    /// it: one pass over the table finds it, which happens a few times in the end.
    VarSet before_last(const OrderNode& node) const {
        const Var last = node.last();
        const VarSet rest = node.placed() - last;
        if (!forced_moves_) return rest;
        const auto leads_there = [&](const OrderNode& from) {
            return from.closed() && from.cost() <= node.cost() &&
                   from.cost() + costs_.cost(last, from.placed()) == node.cost() &&
                   costs_.with_free(from.placed(), last) == node.placed();
        };
        if (const OrderNode* from = table_.known(rest); from != nullptr && leads_there(*from)) return rest;
        std::optional<VarSet> found;
        table_.for_each([&](const OrderNode& from) {
            if (!from.placed().subset_of(rest) || !leads_there(from)) return;
            if (!found || from.placed() < *found) found = from.placed();
        });
        assert(found);
        return *found;
    }

    /// Nothing is known of networks beyond the incumbent, whose parents may have been left out.
    void raise(Cost bound) { gap_.raise(std::min(costs_.regret(bound), gap_.regret())); }
    AstarWork stopped_at(Cost estimate) {
        raise(estimate);
        return work();
    }
    AstarWork work() const {
        const Heuristic::Work known = heuristic_->work();
        return {table_.nodes(), expanded_, edges_, known, table_.bytes() + open_.bytes() + known.bytes};
    }

    const Regrets& regrets_;
    Gap& gap_;
    Control& control_;
    bool forced_moves_;
    std::vector<Var> variables_;  // by number in the search
    WholeCosts costs_;
    std::unique_ptr<Heuristic> heuristic_;
    OrderTable table_;
    OpenList open_;
    std::array<VarSet, VarSet::most> next_;
    std::uint64_t expanded_ = 0, edges_ = 0;
    double incumbent_ = -1;  // of which the next is made
    Cost useless_ = 0;
};

}  // namespace

AstarWork astar(const Regrets& regrets, const AstarOptions& options, Gap& gap, Control& control) {
    if (gap.closed() || control.stopped()) return {};
    std::size_t sets = 0;
    for (Var v = 0; v < regrets.variables(); ++v) sets += regrets.sets(v);
    const Charge lists(sets * (WholeCosts::bytes_per_set + ReducedCosts::bytes_per_set), control);
    if (control.stopped()) return {};
    try {
        // Where units were too coarse for a proof, the network that was found allows for finer ones.
        AstarWork work;
        for (double before = std::numeric_limits<double>::infinity();;) {
            const double most = regret_limit(regrets, gap);
            work = Search(regrets, options, gap, control).run();
            if (gap.closed() || control.stopped() || !(most < before)) return work;
            before = most;
        }
    } catch (const std::bad_alloc&) {
        control.stop(Stop::memory);
        return {};
    }
}

AstarWork astar(const ParentLists& parents, const AstarOptions& options, Gap& gap, Control& control) {
    const auto regrets = Regrets::within_limits(parents, control);
    return regrets ? astar(*regrets, options, gap, control) : AstarWork{};
}

}  // namespace dagscape
