#include "search/exact/order_graph/astar.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "search/exact/charged_array.hpp"
#include "search/exact/order_graph/open_list.hpp"
#include "search/exact/order_graph/order_costs.hpp"
#include "search/exact/order_graph/order_table.hpp"
#include "search/exact/order_graph/width.hpp"

namespace dagscape {

namespace {

/// Between looks at clock, limits and gap.
constexpr std::uint64_t expanded_at_once = 64;

template <typename Set>
class Search {
  public:
    using Costs = OrderCosts<Set>;
    using Cost = typename Costs::Cost;
    using Node = OrderNode<Set>;

    /// `most`: no network with more regret is worth looking for.
    Search(const Choices& choices, const AstarOptions& options, double most, Gap& gap, Control& control)
        : Search(choices, options, options.heuristic->numbering(choices, control), most, gap, control) {}

    AstarWork run() {
        raise(heuristic_->bound(all_));
        if (control_.stopped()) return work();
        if (costs_.possible()) {
            Node* first = table_.find(start_);
            if (first == nullptr || !reach(first, start_, 0, 0, heuristic_->bound(all_ - start_)))
                return work();
        }
        // A set that waited may have been expanded meanwhile, by a cheaper route found later.
        const auto estimate_of = [&](const Set& placed) -> std::optional<Cost> {
            const Node* node = table_.known(placed);
            if (node->closed()) return std::nullopt;
            return node->cost() + heuristic_->bound(all_ - placed);
        };
        while (const auto next = open_.pop(estimate_of)) {
            if (expanded_ % expanded_at_once == 0) {
                raise(next->estimate);
                if (control_.stopped() || gap_.closed()) return work();
            }
            if (next->estimate >= useless()) break;
            Node* node = table_.find(next->placed);
            if (node == nullptr) return stopped_at(next->estimate);
            if (node->closed()) continue;
            if (next->placed == all_) {
                offer_route();
                break;
            }
            node->close();
            ++expanded_;
            if (!expand(next->placed, node->cost())) return stopped_at(next->estimate);
        }
        if (open_.out_of_memory()) return work();
        gap_.raise(costs_.proven(gap_.regret()));
        return work();
    }

  private:
    Search(const Choices& choices, const AstarOptions& options, const HeuristicKind::Numbering& numbering,
           double most, Gap& gap, Control& control)
        : choices_(choices),
          gap_(gap),
          control_(control),
          forced_moves_(options.forced_moves),
          variables_(numbering.variables),
          costs_(choices, variables_, most),
          all_(costs_.all()),
          start_(forced_moves_ ? costs_.with_free(Set()) : Set()),
          heuristic_(options.heuristic->on({costs_, numbering, options.multipliers, control})),
          table_(control),
          open_(heuristic_->bound(all_), control) {}

    /// From which cost on a network is not better than the incumbent, by more than rounding.
    Cost useless() {
        const double regret = gap_.regret();
        if (regret != incumbent_) {
            incumbent_ = regret;
            useless_ = costs_.useless(regret);
        }
        return useless_;
    }

    /// Places each variable that is left. A variable that costs nothing now is placed along with it: in any
    /// order that goes on from here it can be moved to this point, where it still costs nothing, and others
    /// have only more to choose from. So some best order has it here, and no other needs to be looked at.
    ///
    /// What costs too much, by a heuristic that looks at all variables together, is not even looked up.
    ///
    /// False if memory is over.
    bool expand(const Set& placed, Cost cost) {
        const Set left = all_ - placed;
        const Cost most = useless() - cost;
        const std::span<const Cost> after = heuristic_->expand(left);
        std::size_t count = 0;
        for (const Var child : left) {
            Cost through = unknown;
            if (!after.empty()) {
                through = costs_.cost(child, placed, most - after[child]);
                if (through >= most - after[child]) continue;
            }
            const Set next = forced_moves_ ? costs_.with_free(placed, child) : placed | child;
            table_.prefetch(next);
            successors_[count++] = {next, through, child};
        }
        for (std::size_t at = 0; at < count; ++at) {
            const auto& [next, known, child] = successors_[at];
            Node* node = table_.find(next);
            if (node == nullptr) return false;
            if (node->used() && node->closed()) continue;
            ++edges_;
            const Cost through = cost + (known == unknown ? costs_.cost(child, placed) : known);
            if (node->used() && node->cost() <= through) continue;
            if (!reach(node, next, through, child, heuristic_->bound_after(child, all_ - next))) return false;
        }
        return true;
    }

    /// `rest`: the bound of what is left.
    bool reach(Node* node, const Set& placed, Cost cost, Var last, Cost rest) {
        if (cost + rest >= useless()) return true;
        if (!node->used()) table_.added(placed);
        node->reach(placed, cost, last);
        return open_.push(cost + rest, placed);
    }

    /// Offers the network of the route to the last node.
    void offer_route() {
        std::vector<std::vector<Var>> steps;  // backwards
        Set placed = all_;
        while (placed != start_) {
            const Node* node = table_.known(placed);
            const Set before = before_last(*node);
            std::vector<Var>& step = steps.emplace_back(1, node->last());
            if (forced_moves_) costs_.with_free(before | node->last(), step);
            placed = before;
        }
        std::vector<Var>& first = steps.emplace_back();
        if (forced_moves_) costs_.with_free(Set(), first);
        std::vector<Var> order;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step)
            for (const Var child : *step) order.push_back(variables_[child]);
        Choices::Network network = choices_.along(order);
        gap_.offer(network.regret, std::move(network.places));
    }

    /// The node from which the cheapest route came. With forced moves the last variable alone does not tell
    /// it: most often all came along that it may have freed, or nothing; otherwise one pass over the table
    /// finds it, which happens a few times in the end.
    Set before_last(const Node& node) const {
        const Var last = node.last();
        const Set rest = node.placed() - last;
        if (!forced_moves_) return rest;
        const auto leads_there = [&](const Node& from) {
            return from.closed() && from.cost() <= node.cost() &&
                   from.cost() + costs_.cost(last, from.placed()) == node.cost() &&
                   costs_.with_free(from.placed(), last) == node.placed();
        };
        for (const Set& likely : {rest, rest - (costs_.may_be_freed_by(last) - start_)})
            if (const Node* from = table_.known(likely); from != nullptr && leads_there(*from)) return likely;
        std::optional<Set> found;
        table_.for_each([&](const Node& from) {
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
        const HeuristicWork known = heuristic_->work();
        return {table_.nodes(), expanded_, edges_, known, table_.bytes() + open_.bytes() + known.bytes};
    }

    static constexpr Cost unknown = -1;
    struct Successor {
        Set placed;
        Cost through;  // `unknown` as long as it was not looked up
        Var child;
    };

    const Choices& choices_;
    Gap& gap_;
    Control& control_;
    bool forced_moves_;
    std::vector<Var> variables_;  // by number in the search
    Costs costs_;
    Set all_, start_;
    std::unique_ptr<Heuristic<Set>> heuristic_;
    OrderTable<Set> table_;
    OpenList<Set> open_;
    std::array<Successor, Set::most> successors_;
    std::uint64_t expanded_ = 0, edges_ = 0;
    double incumbent_ = -1;  // of which the next is made
    Cost useless_ = 0;
};

template <typename Set>
AstarWork searched(const Choices& choices, const AstarOptions& options, Gap& gap, Control& control) {
    const Charge lists(OrderCosts<Set>::bytes_for(choices), control);
    if (control.stopped()) return {};
    try {
        return with_fine_units(choices, gap, control, [&](double most) {
            return Search<Set>(choices, options, most, gap, control).run();
        });
    } catch (const std::bad_alloc&) {
        control.stop(Stop::memory);
        return {};
    }
}

}  // namespace

AstarWork astar(const Choices& choices, const AstarOptions& options, Gap& gap, Control& control) {
    if (gap.closed() || control.stopped()) return {};
    return with_width(choices.variables(),
                      [&](auto set) { return searched<decltype(set)>(choices, options, gap, control); });
}

std::vector<double> least_rests(const Choices& choices, const AstarOptions& options, double most,
                                std::span<const std::vector<Var>> left) {
    return with_width(choices.variables(), [&](auto empty) {
        using Set = decltype(empty);
        Control control;
        const HeuristicKind::Numbering numbering = options.heuristic->numbering(choices, control);
        std::vector<Var> number(choices.variables());
        for (std::size_t v = 0; v < number.size(); ++v) number[numbering.variables[v]] = static_cast<Var>(v);
        const OrderCosts<Set> costs(choices, numbering.variables, most);
        const auto heuristic = options.heuristic->on({costs, numbering, options.multipliers, control});
        std::vector<double> found;
        for (const std::vector<Var>& members : left) {
            Set set;
            for (const Var v : members) set = set | number[v];
            found.push_back(costs.regret(heuristic->bound(set)));
        }
        return found;
    });
}

}  // namespace dagscape
