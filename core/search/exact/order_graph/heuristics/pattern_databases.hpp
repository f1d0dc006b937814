#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/charged_array.hpp"
#include "search/exact/order_graph/heuristics/reduced_costs.hpp"

namespace dagscape {

/// A lower bound of what it costs to place the variables that are left (Yuan and Malone, Learning optimal
/// Bayesian networks: a shortest path perspective, JAIR 2013, section 5: static pattern databases).
///
/// Variables are divided into groups. For the part S of a group that is left, D[S] is what placing S costs at
/// least if all variables outside S are there already: D[S] = min over X in S of D[S - X] + cost(X, all - S),
/// X being placed first. The bound is the sum over groups. It is consistent: to place X, in a set U where S
/// of its group is left, costs at least cost(X, all - S), for U is within all - S; and the sum falls by
/// D[S] - D[S - X], which is no more than that.
///
/// Numbers of 32 bits save half the memory: costs are rounded down to coarser units before they are added,
/// which keeps the above true; what is too large for them is cut off, which cannot make a difference larger.
///
/// Without groups the bound is 0.
template <typename Set>
class PatternDatabases {
  public:
    PatternDatabases() = default;
    /// `sizes`: of groups, which are consecutive variables. Ends early, and incomplete, if `control` is
    /// stopped.
    PatternDatabases(const ReducedCosts<Set>& costs, std::span<const std::size_t> sizes, Control& control);

    std::uint64_t bound(const Set& left) const {
        std::uint64_t sum = 0;
        for (const Pattern& pattern : patterns_)
            sum += pattern.least[bits_from(left, pattern.shift) & pattern.mask];
        return sum;
    }
    std::uint64_t sets() const;
    std::size_t bytes() const { return sets() * sizeof(std::uint32_t); }

  private:
    /// The set as a number, from this variable on.
    static std::uint64_t bits_from(const Set& set, unsigned shift) {
        const std::uint64_t* word = set.words() + shift / 64;
        std::uint64_t bits = *word >> shift % 64;
        if constexpr (Set::most > 64)
            if (shift % 64 > 0 && shift / 64 + 1 < Set::most / 64) bits |= word[1] << (64 - shift % 64);
        return bits;
    }

    struct Pattern {
        unsigned shift;
        std::uint64_t mask;
        ChargedArray<std::uint32_t> least;
    };
    static ChargedArray<std::uint32_t> fill(const ReducedCosts<Set>& costs, unsigned shift, std::size_t size,
                                            Control& control);

    std::vector<Pattern> patterns_;
};

}  // namespace dagscape
