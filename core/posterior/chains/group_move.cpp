#include "posterior/chains/group_move.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dagscape {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What weighs e^-40 of the rest changes no sum of doubles.
constexpr double negligible = 40;

/// Patterns that cannot weigh e^-6 of the present network are left to their bounds: hardly ever drawn, and
/// then drawn again.
constexpr double left_to_bounds = 6;

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
    }
}

double GroupMove::list_patterns() {
    const std::size_t size = group_.size();
    const std::vector<AcyclicPattern>& patterns = acyclic_patterns(size);
    logs_.resize(patterns.size());
    double best = -infinity;
    for (std::size_t at = 0; at < patterns.size(); ++at) {
        double log_weight = 0;
        for (std::size_t i = 0; i < size; ++i) log_weight += scans_[i].log_bound(patterns[at].above[i]);
        logs_[at] = log_weight;
        best = std::max(best, log_weight);
    }
    return best;
}

void GroupMove::weigh_patterns() {
    const std::size_t size = group_.size();
    const std::vector<AcyclicPattern>& patterns = acyclic_patterns(size);
    const double best = list_patterns();
    kept_.clear();
    for (std::size_t i = 0; i < size; ++i) std::fill_n(factors_[i].begin(), std::size_t{1} << size, 0.0);
    double total = 0, listed = 0;
    for (std::size_t at = 0; at < patterns.size(); ++at) {
        if (!(logs_[at] > best - negligible)) continue;
        const double weight = std::exp(logs_[at] - best);
        double all_listed = weight;
        for (std::size_t i = 0; i < size; ++i) all_listed *= scans_[i].listed_share(patterns[at].above[i]);
        for (std::size_t i = 0; i < size; ++i) factors_[i][patterns[at].above[i]] += all_listed;
        kept_.push_back({at, total += weight});
        listed += all_listed;
    }
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t pattern = 0; pattern < std::size_t{1} << size; ++pattern)
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
        const std::size_t above = pattern.above[i];
        if (random.unit() < scan.listed_share(above)) {
            drawn_[i] = scan.draw_listed(above, random);
            continue;
        }
        listed_ = false;
        drawn_[i] = scan.draw_beyond(above, random);
        if (!has_pattern(i, drawn_[i], above)) return false;
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
