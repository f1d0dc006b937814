#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "posterior/chains/acyclic_patterns.hpp"
#include "posterior/chains/weighted_lists.hpp"
#include "random.hpp"

namespace dagscape {

/// The parent sets that one variable of a group may have, weighed apart by which others of the group they
/// put it below.
///
/// A set with parents among another's descendants puts the variable below that one: this is its pattern.
/// For each pattern the heaviest sets are listed, and for the rest there is a bound: all sets from a place
/// on, whatever their pattern. The list is read until that bound is a small share of what is listed.
class PatternScan {
  public:
    /// So much of a pattern's weight is left to a bound, at most, beside what is listed of it. In flat lists
    /// the last quarter is nearly all of the sets: a draw that leads there, and is drawn again, costs far
    /// less.
    static constexpr double usual_share = 1.0 / 4;
    static constexpr std::size_t most_patterns = 1U << AcyclicPattern::most;

    struct Entry {
        std::uint32_t place;
        std::uint32_t pattern;
        double weight;  // relative to the pattern's first
    };

    explicit PatternScan(double open_share = usual_share) : open_share_(open_share) {}

    /// Finds bounds on all patterns from where their sets can begin: not before the heaviest set that has no
    /// parent which they must not have. `below[j]`: the j-th of the group and its descendants; the variable
    /// is the `self`-th.
    void begin(const WeightedList& list, std::span<const std::vector<Var>> below, std::size_t self);
    /// Reads the list, as far as sets may weigh more than e^least[pattern]; the rest is left to the bounds.
    void read(std::span<const std::vector<Var>> below, std::span<const double> least);

    /// A bound on the log weight of a pattern's sets: after `read` what is listed, and a bound on the rest.
    double log_bound(std::size_t pattern) const { return log_bounds_[pattern]; }
    /// The listed part of that.
    double listed_share(std::size_t pattern) const {
        return patterns_[pattern].sum / (patterns_[pattern].sum + patterns_[pattern].rest);
    }
    double listed_sum(std::size_t pattern) const { return patterns_[pattern].sum; }
    const std::vector<Entry>& entries() const { return entries_; }
    /// A listed set of a pattern, by weight.
    std::uint32_t draw_listed(std::size_t pattern, Random& random) const;
    /// A set beyond the listed ones, by weight among all of them: it may have another pattern.
    std::uint32_t draw_beyond(std::size_t pattern, Random& random) const;

  private:
    struct Pattern {
        double reference;   // the log weight of its first set
        double sum;         // of listed sets, relative to that; 0 where none was found
        double rest;        // bound on the others, relative to the same
        std::uint32_t end;  // where others begin
        std::uint32_t begin;
    };
    void find_begins(std::span<const std::vector<Var>> below);
    void read_block(std::size_t number, std::span<const std::vector<Var>> below,
                    std::span<const double> least);
    void take(std::size_t place, std::size_t pattern);
    /// Whether what is listed of a pattern outweighs all sets from a place on.
    bool enough(std::size_t pattern, std::size_t end) const;
    void close(std::size_t pattern, std::size_t end);

    double open_share_;
    const WeightedList* list_ = nullptr;
    std::size_t group_ = 0, self_ = 0;
    std::uint32_t open_ = 0;  // a bit for each pattern that is still read
    std::array<Pattern, most_patterns> patterns_{};
    std::array<double, most_patterns> log_bounds_{};
    std::array<MemberColumns::Block, AcyclicPattern::most> hit_{};
    std::array<MemberColumns::Block, most_patterns> having_{};
    std::vector<Entry> entries_;
};

}  // namespace dagscape
