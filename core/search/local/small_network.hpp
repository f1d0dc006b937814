#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dagscape {

/// The best network on a few variables, by dynamic programming over all their sets (Silander and Myllymäki,
/// UAI 2006) in flat arrays that fit the cache, for use thousands of times over.
///
/// Scores come as the function of sets that they are differences of, `joint`, bit i of a set standing for
/// variable i; sets with more than `max_parents` + 1 members are not looked at. Differences up to `tolerance`
/// are rounding. Ties go to fewer parents, then to the lower set of them, and to the lower variable as the
/// last of an order.
class SmallNetwork {
  public:
    /// More variables take more memory than a cache has.
    static constexpr std::size_t most = 12;
    using Set = std::uint32_t;

    /// Parents by variable; good until the next call.
    std::span<const Set> best(std::span<const double> joint, std::size_t variables, std::size_t max_parents,
                              double tolerance);

  private:
    struct Choice {
        double score;
        Set parents;
    };
    std::vector<Choice> choices_;  // by variable and what is available to it
    std::vector<double> scores_;   // of the best network on a set
    std::vector<std::uint8_t> last_;
    std::vector<Set> parents_;
};

}  // namespace dagscape
