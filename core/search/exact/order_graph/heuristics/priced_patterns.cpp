#include "search/exact/order_graph/heuristics/priced_patterns.hpp"

#include <string_view>

#include "clones.hpp"
#include "search/exact/charged_array.hpp"
#include "search/exact/order_graph/heuristics/cluster_prices.hpp"
#include "search/exact/order_graph/heuristics/heuristics.hpp"
#include "search/exact/order_graph/heuristics/variable_groups.hpp"

namespace dagscape {

namespace {

constexpr std::size_t block = 8;

template <typename Set>
constexpr std::size_t words = Set::most / 64;

/// The most variables of a group: its pattern database has two to this power of sets.
constexpr std::size_t group_size = 18;
constexpr std::size_t cluster_trials = 100;

/// Clusters with less than this share of all prices are not worth looking at for every node.
constexpr double least_share = 1e-4;

template <std::size_t Words>
DAGSCAPE_CLONES std::uint64_t sum_untouched(const std::uint64_t* __restrict members,
                                            const std::uint64_t* __restrict prices, std::size_t count,
                                            const std::uint64_t* placed) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < count; ++at) {
        std::uint64_t common = 0;
        for (std::size_t word = 0; word < Words; ++word) common |= members[word * count + at] & placed[word];
        sum += common == 0 ? prices[at] : 0;
    }
    return sum;
}

/// Whether all members are in one group.
template <typename Set>
bool within_group(const Set& members, const std::vector<std::size_t>& sizes) {
    for (std::size_t group = 0, first = 0; group < sizes.size(); first += sizes[group++]) {
        const Set variables = Set::first(first + sizes[group]) - Set::first(first);
        if (members.subset_of(variables)) return true;
    }
    return false;
}

class PricedPatternsKind final : public AnyWidth<PricedPatternsKind> {
  public:
    PricedPatternsKind(std::string_view name, std::size_t trials) : name_(name), trials_(trials) {}
    std::string_view name() const override { return name_; }
    Numbering numbering(const Choices& choices, Control& control) const override {
        Numbering made;
        for (const std::vector<Var>& group : variable_groups(choices, group_size, control)) {
            made.variables.insert(made.variables.end(), group.begin(), group.end());
            made.group_sizes.push_back(group.size());
        }
        return made;
    }
    template <typename Set>
    Made<Set> make(const Given<Set>& given) const {
        return std::make_unique<PricedPatterns<Set>>(given.costs, given.numbering.group_sizes, trials_,
                                                     given.control);
    }

  private:
    std::string_view name_;
    std::size_t trials_;
};

}  // namespace

const HeuristicKind& pattern_heuristic() {
    static const PricedPatternsKind kind("patterns", 0);
    return kind;
}

const HeuristicKind& cluster_heuristic() {
    static const PricedPatternsKind kind("clusters", cluster_trials);
    return kind;
}

template <typename Set>
PricedPatterns<Set>::PricedPatterns(const OrderCosts<Set>& costs, const std::vector<std::size_t>& sizes,
                                    std::size_t trials, Control& control) {
    std::size_t sets = 0;
    for (std::size_t v = 0; v < costs.variables(); ++v) sets += costs.sets(static_cast<Var>(v));
    const Charge lists(sets * ReducedCosts<Set>::bytes_per_set, control);
    if (control.stopped()) return;
    ReducedCosts<Set> rest(costs);
    if (trials > 0) {
        ClusterPrices<Set> prices(rest, trials, control);
        const double least = least_share * static_cast<double>(prices.total());
        prices.give_back(rest, [&](const typename ClusterPrices<Set>::Cluster& cluster) {
            return cluster.price != ReducedCosts<Set>::impossible &&
                   (static_cast<double>(cluster.price) < least || within_group(cluster.members, sizes));
        });
        count_ = prices.clusters().size();
        // Whole blocks, as vector instructions like them; what costs nothing is never missed.
        prices_.resize((count_ + block - 1) / block * block);
        members_.resize(prices_.size() * words<Set>);
        for (std::size_t at = 0; at < count_; ++at) {
            const auto& [members, price] = prices.clusters()[at];
            prices_[at] = price;
            for (std::size_t word = 0; word < words<Set>; ++word)
                members_[word * prices_.size() + at] = members.words()[word];
        }
    }
    patterns_ = PatternDatabases<Set>(rest, sizes, control);
}

template <typename Set>
std::uint64_t PricedPatterns<Set>::untouched(const Set& left) const {
    std::uint64_t placed[words<Set>];
    for (std::size_t word = 0; word < words<Set>; ++word) placed[word] = ~left.words()[word];
    return sum_untouched<words<Set>>(members_.data(), prices_.data(), prices_.size(), placed);
}

template class PricedPatterns<VarSet>;
template class PricedPatterns<FixedSet<2>>;
template class PricedPatterns<FixedSet<4>>;

}  // namespace dagscape
