#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "parents/parent_lists.hpp"
#include "varset/bit_rows.hpp"
#include "varset/first_fit.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

/// The candidate parent sets of one child among at most 64 variables: one word each, cheapest first.
///
/// What a set costs is a regret, or a whole number of units. Finding the cheapest set within those available
/// takes O(sets / 8) at most, and one look where the best of all fits.
template <typename Cost>
class CandidateSets {
  public:
    void reserve(std::size_t sets) {
        sets_.reserve(fit_rows(sets));
        costs_.reserve(sets + 1);
    }
    /// Sets are added by rising cost.
    void add(VarSet set, Cost cost) {
        sets_.push_back(set.bits());
        costs_.push_back(cost);
    }
    /// After the last one: what it costs where none fits.
    void close(Cost none) {
        // The empty set always fits: it ends every search, with the cost of having found nothing.
        sets_.resize(fit_rows(costs_.size()));
        costs_.push_back(none);
    }

    std::size_t size() const { return costs_.size() - 1; }
    VarSet set(std::size_t place) const { return VarSet(sets_[place]); }
    /// Of the last place, one beyond all sets: what it costs where none fits.
    Cost cost_at(std::size_t place) const { return costs_[place]; }

    /// The place of the cheapest set within `available`, or the number of sets if none fits.
    std::uint32_t place(VarSet available) const {
        const std::uint64_t absent = ~available.bits();
        if ((sets_[0] & absent) == 0) return 0;
        return first_fit(sets_.data(), absent);
    }
    Cost cost(VarSet available) const { return costs_[place(available)]; }

  private:
    std::vector<std::uint64_t> sets_;  // and empty ones, so that whole blocks are looked at together
    std::vector<Cost> costs_;          // one more than sets
};

/// The candidate parent sets of one child among any number of variables: a row of bits each, and its regret,
/// least first.
struct WideCandidateSets {
    WideCandidateSets(const ParentList& list, std::size_t variables) : sets(list.size(), variables) {
        regrets.reserve(list.size() + 1);
        for (std::size_t at = 0; at < list.size(); ++at) {
            for (const Var parent : list.parents(at)) sets.insert(at, parent);
            regrets.push_back(list.score(0) - list.score(at));
        }
    }

    BitRows sets;
    std::vector<double> regrets;
};

}  // namespace dagscape
