#include "search/exact/order_graph/order_bound.hpp"

#include "clones.hpp"

namespace dagscape {

namespace {

constexpr std::size_t block = 8;

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

}  // namespace

OrderBound::OrderBound(const WholeCosts& costs, const Parts& parts, Control& control) {
    if (parts.groups.empty() && parts.cluster_trials == 0) return;
    ReducedCosts rest(costs);
    if (parts.cluster_trials > 0) {
        ClusterPrices prices(rest, parts.cluster_trials, control);
        const double least = least_share * static_cast<double>(prices.total());
        prices.give_back(rest, [&](const ClusterPrices::Cluster& cluster) {
            return cluster.price != ReducedCosts::impossible && (static_cast<double>(cluster.price) < least ||
                                                                 within_group(cluster.members, parts.groups));
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
    patterns_ = PatternDatabases(rest, parts.groups, control);
}

std::uint64_t OrderBound::untouched(VarSet left) const {
    return sum_untouched(members_.data(), prices_.data(), members_.size(), ~left.bits());
}

}  // namespace dagscape
