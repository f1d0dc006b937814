#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parents/parent_lists.hpp"
#include "varset/bit_rows.hpp"
#include "varset/first_fit.hpp"

namespace dagscape {

/// The candidate parent sets of one child, a `Set` each, cheapest first.
///
/// What a set costs is a regret, or a whole number of units. Finding the cheapest set within those available
/// takes O(sets / 8) at most, and one look where the best of all fits.
template <typename Set, typename Cost>
class CandidateSets {
  public:
    void reserve(std::size_t sets) {
        rows_.reserve(fit_rows(sets) * words);
        costs_.reserve(sets + 1);
    }
    /// Sets are added by rising cost.
    void add(const Set& set, Cost cost) {
        rows_.insert(rows_.end(), set.words(), set.words() + words);
        costs_.push_back(cost);
    }
    /// After the last one: what it costs where none fits.
    void close(Cost none) {
        // The empty set always fits: it ends every search, with the cost of having found nothing.
        rows_.resize(fit_rows(costs_.size()) * words);
        costs_.push_back(none);
    }

    std::size_t size() const { return costs_.size() - 1; }
    Set set(std::size_t place) const {
        Set found;
        for (std::size_t word = 0; word < words; ++word) found.words()[word] = rows_[place * words + word];
        return found;
    }
    /// Of the last place, one beyond all sets: what it costs where none fits.
    Cost cost_at(std::size_t place) const { return costs_[place]; }
    /// How many sets cost less than this.
    std::uint32_t cheaper(Cost limit) const {
        return static_cast<std::uint32_t>(std::lower_bound(costs_.begin(), costs_.end() - 1, limit) -
                                          costs_.begin());
    }

    /// The place of the cheapest set within `available`, or the number of sets if none fits.
    std::uint32_t place(const Set& available) const {
        std::uint64_t absent[words];
        for (std::size_t word = 0; word < words; ++word) absent[word] = ~available.words()[word];
        if (first_fits(absent)) return 0;
        if constexpr (words == 1) return first_fit(rows_.data(), absent[0]);
        return first_fit(rows_.data(), words, 0, absent);
    }
    Cost cost(const Set& available) const { return costs_[place(available)]; }

  private:
    static constexpr std::size_t words = Set::most / 64;

    bool first_fits(const std::uint64_t* absent) const {
        std::uint64_t wrong = 0;
        for (std::size_t word = 0; word < words; ++word) wrong |= rows_[word] & absent[word];
        return wrong == 0;
    }

    std::vector<std::uint64_t> rows_;  // and empty ones, so that whole blocks are looked at together
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
