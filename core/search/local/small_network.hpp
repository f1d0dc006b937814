#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dagscape {

/// The best network on a few variables, by dynamic programming over all their sets (Silander and Myllymäki,
/// UAI 2006) in flat arrays that fit the cache, for use thousands of times over: what concerns the base, the
/// variables that stay, is kept while others are tried beside them.
///
/// Scores come as the function of sets that they are differences of, bit i of a set standing for variable i
/// of the base; sets with more than `max_parents` + 1 members are not looked at. Differences up to
/// `tolerance` are rounding. Ties go to fewer parents, then to the lower set of them, and to the lower
/// variable as the last of an order.
class SmallNetwork {
  public:
    using Set = std::uint32_t;
    struct ParentRules {
        std::size_t max_parents;
        double tolerance;
    };

    /// Variables are numbered in the order that decides ties.
    void set_base(std::span<const double> joint, std::size_t variables, const ParentRules& limits);
    /// Parents by variable, of the base alone; good until the next call.
    std::span<const Set> best();
    /// Likewise with one variable more, which is the last here, but comes before the base's variable `place`
    /// where ties are decided. `joint` is that of a set of the base and the variable; not a number for sets
    /// that need not be looked at, since no family in them beats all its subsets. `partners` are those of
    /// the base that can gain from the variable as a parent, or it from them; others are left alone.
    std::span<const Set> best_with(std::span<const double> joint, std::size_t place, Set partners);

  private:
    struct Choice {
        double score;
        Set parents;
    };
    Set all() const { return (Set{1} << variables_) - 1; }
    /// The best parents that a variable has among a set.
    Choice* choices(std::size_t x) { return &choices_[x << (variables_ + 1)]; }
    bool better(const Choice& a, const Choice& b, std::size_t place) const;
    void choose_with(std::span<const double> joint, std::size_t x, std::size_t place);
    void choose_for_tried(std::span<const double> joint, std::size_t place, Set partners);
    std::span<const Set> follow(Set set, Set partners);

    std::size_t variables_ = 0;
    ParentRules limits_{};
    std::vector<double> joint_;
    std::vector<Choice> choices_;
    std::vector<double> scores_;  // of the best network on a set
    std::vector<std::uint8_t> last_;
    std::vector<Set> parents_;
};

}  // namespace dagscape
