#pragma once

#include <cstdint>
#include <vector>

#include "posterior/chains/weighted_lists.hpp"
#include "random.hpp"

namespace dagscape {

/// The heaviest of a variable's parent sets that have none of some variables: most of the weight of all such.
///
/// The list is read until all sets from there on, with those variables or without, weigh little beside what
/// was found. What is taken depends on the list and the variables alone, so whoever asks again gets the same.
class AllowedSets {
  public:
    /// So much of the weight may be left out beside what is taken.
    static constexpr double usual_share = 1.0 / 100;

    explicit AllowedSets(double open_share = usual_share) : open_share_(open_share) {}

    void read(const WeightedList& list, Members forbidden);

    /// The log of the weight of the sets that were taken; −∞ if there are none.
    double log_sum() const;
    bool has(std::uint32_t place) const;
    /// One of them by its weight; there must be one.
    std::uint32_t draw(Random& random) const;
    std::size_t size() const { return taken_.size(); }

  private:
    struct Taken {
        std::uint32_t place;
        double below;  // the weight of this one and those before it, relative to the first
    };
    bool enough(const WeightedList& list, std::size_t end) const;

    double open_share_;
    double reference_ = 0;      // the log weight of the first
    std::vector<Taken> taken_;  // by place
};

}  // namespace dagscape
