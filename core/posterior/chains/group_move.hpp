#pragma once

#include <array>
#include <span>
#include <vector>

#include "posterior/chains/network_state.hpp"
#include "posterior/chains/pattern_scan.hpp"
#include "random.hpp"

namespace dagscape {

/// Draws the parents of a few variables anew, all at once, given those of all others: exactly by their
/// probability, so that nothing is ever proposed in vain (a Gibbs step).
///
/// Take the parents of a group away. A set is possible for one of them if it has none of its
/// descendants; whether sets together close a cycle depends only on who comes below whom, and that a set's
/// pattern tells. So the sum over all choices of sets is one over the few acyclic patterns, each a product of
/// sums over lists. A group of one resamples a parent set; of two it does what edge reversal does
/// (Grzegorczyk and Husmeier, Machine Learning 2008), whichever way it goes; with more, whole neighborhoods
/// turn round (compare Goudie and Mukherjee, JMLR 2016; Su and Borsuk, JMLR 2016). The group must not be
/// chosen by the network at hand.
///
/// The sums are over bounds that exceed them a little; what is drawn from the excess is mostly no set of its
/// pattern, and all is drawn again. So what comes out has its exact probability, and long tails of lists are
/// not read. (Patterns that weigh less than 1e-11 of the best are left out.)
class GroupMove {
  public:
    /// The lists must outlive it. For one thread.
    explicit GroupMove(const WeightedLists& lists);

    /// Up to `AcyclicPattern::most` variables, each once.
    void operator()(std::span<const Var> group, NetworkState& state, Random& random);

    /// After a move: calls `visit(variable, place, share)` so that the expected share of each set is its
    /// probability given the rest of the network. All listed sets have a share, not the one that was drawn
    /// alone (Rao and Blackwell). Where a set beyond the listed ones was drawn, this is so given the pattern.
    template <typename Visit>
    void for_each_share(const Visit& visit) const {
        for (std::size_t i = 0; i < group_.size(); ++i) {
            if (beyond_[i]) {
                visit(group_[i], drawn_[i], 1.0);
                continue;
            }
            const double given = 1 / scans_[i].listed_sum(above_[i]);
            for (const PatternScan::Entry& entry : scans_[i].entries()) {
                const double factor = listed_                      ? factors_[i][entry.pattern]
                                      : entry.pattern == above_[i] ? given
                                                                   : 0.0;
                if (factor > 0) visit(group_[i], entry.place, factor * entry.weight);
            }
        }
    }
    /// How often all was drawn again since it was made, and how many sets were listed.
    std::uint64_t redrawn() const { return redrawn_; }
    std::uint64_t listed() const { return listed_sets_; }

  private:
    using Halves = std::array<double, AcyclicPattern::halves>;
    struct Kept {
        std::size_t pattern;
        double below;  // probability of this one and those before it, unnormalized
    };
    void find_below(const NetworkState& state);
    void read(const NetworkState& state);
    double list_patterns();
    void weigh_patterns();
    void share_out(double listed, const Halves& first, const Halves& second);
    bool draw(Random& random);
    bool has_pattern(std::size_t i, std::uint32_t place, std::size_t pattern) const;

    const WeightedLists& lists_;
    std::vector<Var> group_;
    BitRows cut_, rows_;
    std::vector<std::vector<Var>> below_;
    std::array<PatternScan, AcyclicPattern::most> scans_;
    std::vector<Kept> kept_;
    std::vector<double> logs_;
    std::array<std::array<double, PatternScan::most_patterns>, AcyclicPattern::most> factors_;
    std::array<std::uint32_t, AcyclicPattern::most> drawn_;
    std::array<std::size_t, AcyclicPattern::most> above_{};  // the pattern that was drawn
    std::array<bool, AcyclicPattern::most> beyond_{};        // who has a set that was not listed
    bool listed_ = false;                                    // nobody
    std::uint64_t redrawn_ = 0, listed_sets_ = 0;
};

}  // namespace dagscape
