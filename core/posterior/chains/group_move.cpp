#include "posterior/chains/group_move.hpp"

#include <algorithm>
#include <cmath>

#include "infinity.hpp"

namespace dagscape {

namespace {

/// What weighs e^-25 of the rest, 1e-11, is nothing.
constexpr double negligible = 25;

/// Patterns that cannot weigh e^-6 of the present network are left to their bounds: hardly ever drawn, and
/// then drawn again.
constexpr double left_to_bounds = 6;

/// Calls `set(half, a, b)` for all values a and b of two variables, the second perhaps not there.
template <typename Set>
void for_each_half(std::size_t masks, bool both, const Set& set) {
    for (std::size_t b = 0; b < (both ? masks : 1); ++b)
        for (std::size_t a = 0; a < masks; ++a) set(a | b << AcyclicPattern::most, a, b);
}

}  // namespace

GroupMove::GroupMove(const WeightedLists& lists)
    : lists_(lists),
      cut_(1, lists.variables()),
      rows_(AcyclicPattern::most, lists.variables()),
      below_(AcyclicPattern::most) {}

void GroupMove::operator()(std::span<const Var> group, NetworkState& state, Random& random) {
    group_.assign(group.begin(), group.end());
    find_below(state);
    read(state);
    weigh_patterns();
    while (!draw(random)) ++redrawn_;
    for (std::size_t i = 0; i < group_.size(); ++i) state.put(group_[i], drawn_[i]);
}

void GroupMove::find_below(const NetworkState& state) {
    cut_.clear();
    for (const Var v : group_) cut_.insert(0, v);
    for (std::size_t i = 0; i < group_.size(); ++i) {
        state.below(group_[i], cut_[0], rows_[i]);
        below_[i].clear();
        rows_.for_each(i, [&](Var v) { below_[i].push_back(v); });
    }
}

void GroupMove::read(const NetworkState& state) {
    const std::size_t size = group_.size(), masks = std::size_t{1} << size;
    const std::span<const std::vector<Var>> below(below_.data(), size);
    double present = 0;
    for (std::size_t i = 0; i < size; ++i) {
        present += lists_[group_[i]].log_weight(state.place(group_[i]));
        scans_[i].begin(lists_[group_[i]], below, i);
    }
    // What the sets of a pattern must weigh so that with the most that all others may weigh beside them, they
    // come near the present network. What was read makes the bounds for the next tighter.
    const std::vector<AcyclicPattern>& patterns = acyclic_patterns(size);
    for (std::size_t i = 0; i < size; ++i) {
        list_patterns();
        std::array<double, PatternScan::most_patterns> most, least;
        most.fill(-infinity);
        for (std::size_t at = 0; at < patterns.size(); ++at) {
            double& bound = most[patterns[at].above[i]];
            bound = std::max(bound, logs_[at]);
        }
        for (std::size_t mask = 0; mask < masks; ++mask)
            least[mask] = most[mask] > -infinity
                              ? scans_[i].log_bound(mask) - most[mask] + present - left_to_bounds
                              : infinity;
        scans_[i].read(below, {least.data(), masks});
        listed_sets_ += scans_[i].entries().size();
    }
}

double GroupMove::list_patterns() {
    const std::size_t size = group_.size(), masks = std::size_t{1} << size;
    const std::vector<AcyclicPattern>& patterns = acyclic_patterns(size);
    Halves first, second;
    const auto sum_up = [&](std::size_t i, Halves& sums) {
        for_each_half(masks, i + 1 < size, [&](std::size_t half, std::size_t a, std::size_t b) {
            sums[half] = scans_[i].log_bound(a) + (i + 1 < size ? scans_[i + 1].log_bound(b) : 0.0);
        });
    };
    sum_up(0, first);
    if (size > 2)
        sum_up(2, second);
    else
        second[0] = 0;
    logs_.resize(patterns.size());
    double best = -infinity;
    for (std::size_t at = 0; at < patterns.size(); ++at) {
        logs_[at] = first[patterns[at].first_half()] + second[patterns[at].second_half()];
        best = std::max(best, logs_[at]);
    }
    return best;
}

void GroupMove::weigh_patterns() {
    const std::size_t size = group_.size(), masks = std::size_t{1} << size;
    const std::vector<AcyclicPattern>& patterns = acyclic_patterns(size);
    const double best = list_patterns();
    Halves listed_first, listed_second, shares_first{}, shares_second{};
    const auto multiply = [&](std::size_t i, Halves& products) {
        for_each_half(masks, i + 1 < size, [&](std::size_t half, std::size_t a, std::size_t b) {
            products[half] = scans_[i].listed_share(a) * (i + 1 < size ? scans_[i + 1].listed_share(b) : 1.0);
        });
    };
    multiply(0, listed_first);
    if (size > 2)
        multiply(2, listed_second);
    else
        listed_second[0] = 1;
    kept_.clear();
    double total = 0, listed = 0;
    for (std::size_t at = 0; at < patterns.size(); ++at) {
        if (!(logs_[at] > best - negligible)) continue;
        const double weight = std::exp(logs_[at] - best);
        const std::size_t first = patterns[at].first_half(), second = patterns[at].second_half();
        const double all_listed = weight * listed_first[first] * listed_second[second];
        shares_first[first] += all_listed;
        shares_second[second] += all_listed;
        kept_.push_back({at, total += weight});
        listed += all_listed;
    }
    share_out(listed, shares_first, shares_second);
}

void GroupMove::share_out(double listed, const Halves& first, const Halves& second) {
    const std::size_t size = group_.size(), masks = std::size_t{1} << size;
    for (std::size_t i = 0; i < size; ++i) std::fill_n(factors_[i].begin(), masks, 0.0);
    const auto add = [&](std::size_t i, const Halves& shares) {
        for_each_half(masks, i + 1 < size, [&](std::size_t half, std::size_t a, std::size_t b) {
            factors_[i][a] += shares[half];
            if (i + 1 < size) factors_[i + 1][b] += shares[half];
        });
    };
    add(0, first);
    if (size > 2) add(2, second);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t pattern = 0; pattern < masks; ++pattern)
            if (factors_[i][pattern] > 0) factors_[i][pattern] /= listed * scans_[i].listed_sum(pattern);
}

bool GroupMove::draw(Random& random) {
    const double reached = random.unit() * kept_.back().below;
    const auto found = std::upper_bound(kept_.begin(), kept_.end() - 1, reached,
                                        [](double value, const Kept& kept) { return value < kept.below; });
    const AcyclicPattern& pattern = acyclic_patterns(group_.size())[found->pattern];
    listed_ = true;
    for (std::size_t i = 0; i < group_.size(); ++i) {
        const PatternScan& scan = scans_[i];
        above_[i] = pattern.above[i];
        beyond_[i] = random.unit() >= scan.listed_share(above_[i]);
        if (!beyond_[i]) {
            drawn_[i] = scan.draw_listed(above_[i], random);
            continue;
        }
        listed_ = false;
        drawn_[i] = scan.draw_beyond(above_[i], random);
        if (!has_pattern(i, drawn_[i], above_[i])) return false;
    }
    return true;
}

bool GroupMove::has_pattern(std::size_t i, std::uint32_t place, std::size_t pattern) const {
    std::size_t above = 0;
    for (const Var parent : lists_[group_[i]].parents(place))
        for (std::size_t j = 0; j < group_.size(); ++j)
            if (rows_.has(j, parent)) above |= std::size_t{1} << j;
    return above == pattern;
}

}  // namespace dagscape
