#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "control.hpp"
#include "search/exact/dual_bound/cut_multipliers.hpp"
#include "search/exact/dual_bound/smoothed_ascent.hpp"
#include "search/exact/gap.hpp"
#include "search/exact/integer_program/families.hpp"
#include "search/exact/integer_program/hulls.hpp"

namespace dagscape {

/// A bound on all networks from multipliers of cuts, for any number of variables and a million parent sets.
///
/// `raise` finds good multipliers without solving a linear program. Greedy ascent over clusters comes first;
/// then rounds of steps on a smoothed bound at lower and lower temperatures, each with new cuts that its
/// solution violates: clusters, and, where these become rare, cuts on few variables. After each round all
/// sets are priced, so that the bound holds whatever the steps did.
///
/// Sets that no network better than the incumbent can have, by their reduced costs, are dropped for good.
class DualBound {
  public:
    struct Options {
        std::size_t threads = 1;
        std::uint64_t seed = 0;
        bool hulls = true;  // cuts on few variables too
    };
    struct Work {
        std::uint64_t rounds = 0;
        std::uint64_t clusters = 0;   // found
        std::uint64_t hull_cuts = 0;  // found
        std::uint64_t sweeps = 0;
        std::uint64_t multipliers = 0;  // above zero in the best bound
        std::uint64_t sets_left = 0;
    };

    /// Lists must be sorted.
    DualBound(const ParentLists& parents, const Options& options);
    DualBound(const DualBound&) = delete;
    DualBound& operator=(const DualBound&) = delete;
    /// What it takes, about, steps included.
    static std::size_t bytes_for(const ParentLists& parents);

    /// Begins at multipliers that were found for these variables with more or other sets, of cuts that the
    /// families have, and stays at this temperature. To be called before `raise`.
    void begin_at(std::span<const std::uint32_t> cuts, std::span<const double> multipliers,
                  double temperature);
    /// Raises the bound of the gap until the gap is closed, the bound hardly rises any more, so many more
    /// rounds are done or the control stops. Can be called again, and goes on where it was.
    Work raise(Gap& gap, std::uint64_t most_rounds, Control& control);
    /// Whether more rounds would hardly help.
    bool done() const { return done_; }

    Families& families() { return families_; }
    /// Those of the best bound so far, and that bound.
    const CutMultipliers& multipliers() const { return best_; }
    double bound() const { return best_bound_; }
    /// The weights of the last round, for whoever goes on from here.
    const WeightedFamilies& solution() const { return solution_; }

  private:
    void begin(Gap& gap, Control& control);
    void round(Gap& gap, Control& control);
    std::size_t find_cuts(SmoothedAscent& ascent, Control& control);
    double price(Gap& gap);
    /// Lets sets that are cheap by the last pricing, within so many temperatures of the least, take part for
    /// some rounds; tells how many did not before.
    std::size_t let_stay(double within);
    void forget();
    double gap_of(const Gap& gap) const;

    Options options_;
    Families families_;
    Hulls hulls_;
    CutMultipliers now_, best_;
    double best_bound_ = 0;
    double last_bound_ = 0;
    std::vector<std::uint32_t> held_;  // cuts that the families have for these
    std::vector<std::uint8_t> stays_;  // by column, see SmoothedAscent
    WeightedFamilies solution_;
    Work work_;
    double temperature_ = 0, lowest_ = 0;
    std::size_t idle_rounds_ = 0, rounds_astray_ = 0;
    bool begun_ = false, done_ = false;
};

}  // namespace dagscape
