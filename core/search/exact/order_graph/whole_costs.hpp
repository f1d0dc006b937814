#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/free_moves.hpp"
#include "search/exact/regrets.hpp"

namespace dagscape {

/// Regrets as whole numbers of a small unit, rounded down, with variables numbered anew.
///
/// Sums of whole numbers are exact, so that what is proved of costs holds for those computed: a route is as
/// long whichever way it is summed, and a heuristic made from them is consistent to the last digit. A
/// network costs at most as many units less than its regret as it has variables, far below Gap::tolerance.
class WholeCosts {
  public:
    using Cost = std::uint64_t;
    static constexpr unsigned limit_bits = 54;
    static constexpr Cost limit = Cost{1} << limit_bits;
    /// What it costs where no set fits, or only one above the limit.
    static constexpr Cost never = Cost{1} << 60;

    /// `most`: no network with a greater regret is looked for. `numbering`: by new number, the old one.
    WholeCosts(const Regrets& regrets, std::span<const Var> numbering, double most);

    static constexpr std::size_t bytes_per_set = sizeof(std::uint64_t) + sizeof(Cost);

    std::size_t variables() const { return children_.size(); }
    VarSet all() const { return VarSet::first(variables()); }
    double regret(Cost cost) const { return static_cast<double>(cost) * unit_; }
    /// The most units that are surely not more than this regret.
    Cost units(double regret) const;

    Cost cost(Var child, VarSet available) const { return children_[child].sets.cost(available); }
    /// Sets that cost less than `never`.
    std::size_t sets(Var child) const { return children_[child].sets.size(); }
    VarSet set(Var child, std::size_t place) const { return children_[child].sets.set(place); }
    Cost cost_at(Var child, std::size_t place) const { return children_[child].sets.cost_at(place); }

    /// Places, after these, all that costs nothing then, until nothing is left that does.
    VarSet with_free(VarSet placed) const { return add_free(placed, all() - placed); }
    /// The same after one more was placed, where nothing was free before. `order` receives what is added.
    VarSet with_free(VarSet placed, Var child) const {
        return add_free(placed | child, children_[child].frees - placed - child);
    }
    VarSet with_free(VarSet placed, std::vector<Var>& order) const;

  private:
    struct Child {
        CandidateSets<Cost> sets;   // `never` where none fits
        std::size_t free_sets = 0;  // those that cost nothing
        VarSet frees;               // children that have it in a set that costs nothing
    };
    bool is_free(Var child, VarSet available) const {
        const Child& at = children_[child];
        for (std::size_t i = 0; i < at.free_sets; ++i)
            if (at.sets.set(i).subset_of(available)) return true;
        return false;
    }
    VarSet add_free(VarSet placed, VarSet maybe) const {
        return with_free_moves(
            placed, maybe, [&](Var child, VarSet available) { return is_free(child, available); },
            [&](Var child) { return children_[child].frees; });
    }

    double unit_;
    std::vector<Child> children_;
};

}  // namespace dagscape
