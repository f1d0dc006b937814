#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/exact/integer_program/families.hpp"
#include "varset/fit_columns.hpp"

namespace dagscape {

/// What it costs to place a variable after others: the least regret of its kept sets within these, in whole
/// numbers of a small unit, rounded down. Sums of whole numbers are exact, so that a bound made from them
/// holds; a network costs less than its regret by at most a unit for each variable.
template <typename Set>
class PlacingCosts {
  public:
    using Cost = std::int64_t;
    /// What it costs where no set fits.
    static constexpr Cost never = std::numeric_limits<Cost>::max() / 4;
    /// Regrets up to the greatest that matters have so many bits.
    static constexpr int bits = 50;

    /// `most`: no network with a greater regret is looked for.
    PlacingCosts(const Families& families, double most);
    /// The memory it takes, about.
    static std::size_t bytes_for(const Families& families);

    /// Whether every child has a set: otherwise no network is good enough.
    bool possible() const;
    double regret(Cost cost) const { return static_cast<double>(cost) * unit_; }
    /// The most units that are surely not more than this regret.
    Cost units(double regret) const;
    /// What costs so many units or more is not better than this regret by more than the tolerance.
    Cost limit(double regret) const;

    /// If it is below a limit; `never` otherwise.
    Cost below(Cost limit, Var child, const Set& placed) const;

    /// Places, after these, all that costs nothing then, until nothing is left that does. Of those that may
    /// cost nothing, `maybe` has all.
    Set with_free(Set placed, Set maybe) const;
    /// Those which a variable may make free of cost.
    const Set& frees(Var placed) const { return children_[placed].frees; }
    /// The order in which `with_free` could have placed what it did.
    void free_order(Set placed, const Set& all, std::vector<Var>& order) const;

    /// By position among the kept sets.
    std::span<const Cost> costs(Var child) const { return children_[child].costs; }

  private:
    struct Child {
        std::vector<Cost> costs;  // rising
        FitColumns fit;
        std::vector<Set> free_sets;  // those that cost nothing
        Set frees;                   // children that have it in such a set
    };
    bool is_free(Var child, const Set& placed) const;

    double unit_;
    std::vector<Child> children_;
};

/// A kept set of a child.
template <typename Set>
Set kept_set(const Families& families, Var child, std::size_t at) {
    Set set;
    families.kept_sets(child).copy(at, set.words());
    return set;
}

}  // namespace dagscape
