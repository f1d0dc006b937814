#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "control.hpp"
#include "search/exact/candidate_sets.hpp"
#include "search/exact/free_moves.hpp"
#include "search/exact/gap.hpp"
#include "search/exact/order_graph/choices.hpp"
#include "varset/fit_columns.hpp"

namespace dagscape {

/// What it costs to place a variable after others: the least regret of its sets within these, in whole
/// numbers of a small unit, rounded down. Variables may be numbered anew.
///
/// Sums of whole numbers are exact, so that what is proven of costs holds for those computed: a route is as
/// long whichever way it is summed, and a heuristic made from them is consistent to the last digit. A
/// network costs at most as many units less than its regret as it has variables, far below Gap::tolerance.
template <typename Set>
class OrderCosts {
  public:
    using Cost = std::int64_t;
    static constexpr unsigned limit_bits = 53;
    static constexpr Cost limit = Cost{1} << limit_bits;
    /// What it costs where no set fits, or only one above the limit. Two of them, and the bounds of all
    /// variables, can be added.
    static constexpr Cost never = std::numeric_limits<Cost>::max() / 4;

    /// `most`: no network with a greater regret is looked for. `numbering`: by new number, the old one.
    OrderCosts(const Choices& choices, std::span<const Var> numbering, double most);
    /// The memory it takes, about.
    static std::size_t bytes_for(const Choices& choices);

    std::size_t variables() const { return children_.size(); }
    Set all() const { return Set::first(variables()); }
    /// Whether every child has a set: otherwise no network is good enough.
    bool possible() const;
    double regret(Cost cost) const { return static_cast<double>(cost) * unit_; }
    /// The most units that are surely not more than this regret.
    Cost units(double regret) const;
    /// From so many units on a network is not better than this regret, by more than rounding.
    Cost useless(double regret) const;
    /// What no network has less regret than, if none costs less than what is useless against this regret: it
    /// itself, unless units round off more than the tolerance.
    double proven(double regret) const;

    /// At least `below` where no set that costs less fits; how much more does not matter.
    Cost cost(Var child, const Set& available, Cost below) const {
        const Child& at = children_[child];
        if (at.columns.empty()) return at.sets.cost(available);
        const std::uint32_t end = at.sets.cheaper(below);
        const std::uint32_t place = at.columns.first(0, end, available.words());
        return place < end ? at.sets.cost_at(place) : never;
    }
    /// What it costs, however much that is.
    Cost cost(Var child, const Set& available) const { return cost(child, available, never); }
    /// Sets that cost no more than the limit.
    std::size_t sets(Var child) const { return children_[child].sets.size(); }
    Set set(Var child, std::size_t place) const { return children_[child].sets.set(place); }
    Cost cost_at(Var child, std::size_t place) const { return children_[child].sets.cost_at(place); }

    /// Places, after these, all that costs nothing then, until nothing is left that does.
    Set with_free(const Set& placed) const { return add_free(placed, all() - placed); }
    /// The same after one more was placed, where nothing was free before.
    Set with_free(const Set& placed, Var child) const {
        return add_free(placed | child, children_[child].frees - placed - child);
    }
    /// The same as the first; `order` receives what is added.
    Set with_free(Set placed, std::vector<Var>& order) const;
    /// Those that may cost nothing because this one is placed, directly or by way of others.
    Set may_be_freed_by(Var child) const;

  private:
    /// Lists of so many sets are looked through by columns of bits, which take longer to begin.
    static constexpr std::size_t many_sets = 1024;
    struct Child {
        CandidateSets<Set, Cost> sets;  // `never` where none fits
        FitColumns columns;             // of many sets
        std::size_t free_sets = 0;      // those that cost nothing
        Set frees;                      // children that have it in a set that costs nothing
    };
    bool is_free(Var child, const Set& available) const {
        const Child& at = children_[child];
        for (std::size_t i = 0; i < at.free_sets; ++i)
            if (at.sets.set(i).subset_of(available)) return true;
        return false;
    }
    Set add_free(const Set& placed, const Set& maybe) const {
        return with_free_moves(
            placed, maybe, [&](Var child, const Set& available) { return is_free(child, available); },
            [&](Var child) { return children_[child].frees; });
    }

    double unit_;
    std::vector<Child> children_;
};

/// Runs a search, which is told the greatest regret that matters. Where units were too coarse for a proof,
/// the network that was found may allow for finer ones: then runs it again.
template <typename Run>
auto with_fine_units(const Choices& choices, const Gap& gap, Control& control, const Run& run) {
    const double greatest = choices.greatest_regret();
    for (double most = std::min(greatest, gap.regret());;) {
        const auto work = run(most);
        const double finer = std::min(greatest, gap.regret());
        if (gap.closed() || control.stopped() || !(finer < most)) return work;
        most = finer;
    }
}

}  // namespace dagscape
