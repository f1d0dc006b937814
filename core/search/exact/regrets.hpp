#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"
#include "search/exact/candidate_sets.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

/// What each variable loses against its best parents when only some variables may be parents: candidate
/// sets of at most 64 variables, one word each, least regret first.
class Regrets {
  public:
    /// Every list must hold a set, and be sorted.
    explicit Regrets(const ParentLists& parents);

    std::size_t variables() const { return children_.size(); }
    VarSet all() const { return VarSet::first(variables()); }
    /// The memory it takes.
    static std::size_t bytes_for(const ParentLists& parents);
    /// Charges the control for them; nothing, if that stops it.
    static std::optional<Regrets> within_limits(const ParentLists& parents, Control& control);

    /// The place of the best set within `available`, or the number of sets if none fits.
    std::uint32_t place(Var child, VarSet available) const { return children_[child].sets.place(available); }
    /// What that set loses; infinite if none fits.
    double regret(Var child, VarSet available) const { return children_[child].sets.cost(available); }
    /// Whether the child's best set anywhere is within `available`.
    bool at_best(Var child, VarSet available) const {
        return children_[child].sets.set(0).subset_of(available);
    }

    std::size_t sets(Var child) const { return children_[child].sets.size(); }
    VarSet set(Var child, std::size_t place) const { return children_[child].sets.set(place); }
    double regret_at(Var child, std::size_t place) const { return children_[child].sets.cost_at(place); }
    /// All variables that occur in a set of the child.
    VarSet candidates(Var child) const { return children_[child].candidates; }

    /// The places along an order, and the sum of regrets.
    struct Chosen {
        std::vector<std::uint32_t> places;  // by variable
        double regret;
    };
    Chosen along(std::span<const Var> order) const;

  private:
    struct Child {
        CandidateSets<VarSet, double> sets;  // infinite regret where none fits
        VarSet candidates;
    };
    std::vector<Child> children_;
};

}  // namespace dagscape
