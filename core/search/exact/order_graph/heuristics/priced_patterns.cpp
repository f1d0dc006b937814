#include "search/exact/order_graph/heuristics/priced_patterns.hpp"

#include <string_view>

#include "clones.hpp"
#include "search/exact/order_graph/heuristics/cluster_prices.hpp"
#include "search/exact/order_graph/heuristics/heuristics.hpp"
#include "search/exact/order_graph/heuristics/variable_groups.hpp"

namespace dagscape {

namespace {

constexpr std::size_t block = 8;

/// The most variables of a group: its pattern database has two to this power of sets.
constexpr std::size_t group_size = 18;
constexpr std::size_t cluster_trials = 100;

/// Clusters with less than this share of all prices are not worth looking at for every node.
constexpr double least_share = 1e-4;

DAGSCAPE_CLONES std::uint64_t sum_untouched(const std::uint64_t* __restrict members,
                                            const std::uint64_t* __restrict prices, std::size_t count,
                                            std::uint64_t placed) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < count; ++at) sum += (members[at] & placed) == 0 ? prices[at] : 0;
    return sum;
}

/// Whether all members are in one group.
bool within_group(VarSet members, const std::vector<std::size_t>& sizes) {
    for (std::size_t group = 0, first = 0; group < sizes.size(); first += sizes[group++]) {
        const VarSet variables = VarSet::first(first + sizes[group]) - VarSet::first(first);
        if (members.subset_of(variables)) return true;
    }
    return false;
}

class PricedPatternsKind final : public HeuristicKind {
  public:
    PricedPatternsKind(std::string_view name, std::size_t trials) : name_(name), trials_(trials) {}
    std::string_view name() const override { return name_; }
    Numbering numbering(const Regrets& regrets) const override {
        Numbering made;
        for (const std::vector<Var>& group : variable_groups(regrets, group_size)) {
            made.variables.insert(made.variables.end(), group.begin(), group.end());
            made.group_sizes.push_back(group.size());
        }
        return made;
    }
    std::unique_ptr<Heuristic> on(const WholeCosts& costs, const Numbering& numbering,
                                  Control& control) const override {
        return std::make_unique<PricedPatterns>(costs, numbering.group_sizes, trials_, control);
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

PricedPatterns::PricedPatterns(const WholeCosts& costs, const std::vector<std::size_t>& sizes,
                               std::size_t trials, Control& control) {
    ReducedCosts rest(costs);
    if (trials > 0) {
        ClusterPrices prices(rest, trials, control);
        const double least = least_share * static_cast<double>(prices.total());
        prices.give_back(rest, [&](const ClusterPrices::Cluster& cluster) {
            return cluster.price != ReducedCosts::impossible &&
                   (static_cast<double>(cluster.price) < least || within_group(cluster.members, sizes));
        });
        for (const auto& [members, price] : prices.clusters()) {
            members_.push_back(members.bits());
            prices_.push_back(price);
        }
        count_ = members_.size();
        // Whole blocks, as vector instructions like them; what costs nothing is never missed.
        members_.resize((count_ + block - 1) / block * block);
        prices_.resize(members_.size());
    }
    patterns_ = PatternDatabases(rest, sizes, control);
}

std::uint64_t PricedPatterns::untouched(VarSet left) const {
    return sum_untouched(members_.data(), prices_.data(), members_.size(), ~left.bits());
}

}  // namespace dagscape
