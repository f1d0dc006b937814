#include "search/exact/order_graph/heuristics/cluster_prices.hpp"

#include <algorithm>
#include <utility>

#include "random.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

namespace {

/// Of sets, after which no further trial begins.
constexpr std::uint64_t most_visits = 20'000'000;

template <typename Set>
class Pricing {
  public:
    using Cluster = typename ClusterPrices<Set>::Cluster;

    Pricing(ReducedCosts<Set>& costs, Control& control)
        : costs_(costs), control_(control), all_(Set::first(costs.variables())) {}

    /// Prices clusters until none is left that must cost something. False if no order has a cost within the
    /// limit, or if stopped.
    bool ascend(std::vector<Cluster>& clusters) {
        for (Set stuck = peel(all_); !stuck.empty(); stuck = peel(stuck)) {
            if (control_.stopped()) return false;
            const Set cluster = shrink(stuck);
            const std::uint64_t price = costs_.least_outside(cluster);
            clusters.push_back({cluster, price});
            if (price == ReducedCosts<Set>::impossible) return false;
            costs_.take(cluster, price);
        }
        return true;
    }

    /// Takes back the prices of all clusters that have some variable, drawn at random: they compete.
    void take_back(std::vector<Cluster>& clusters) {
        const Var drawn = static_cast<Var>(random_.below(costs_.variables()));
        std::erase_if(clusters, [&](const Cluster& cluster) {
            if (!cluster.members.contains(drawn)) return false;
            costs_.give_back(cluster.members, cluster.price);
            return true;
        });
    }

  private:
    /// What cannot be placed at no cost where all but these are placed.
    Set peel(Set left) const {
        for (bool more = true; more;) {
            more = false;
            const Set now = left;
            for (const Var child : now) {
                const auto& free = costs_.child(child).free;
                if (std::none_of(free.begin(), free.end(),
                                 [&](const Set& set) { return !set.intersects(left); }))
                    continue;
                left = left - child;
                more = true;
            }
        }
        return left;
    }

    /// A part that still cannot be placed, but of which every smaller part can: the fewer members, the less
    /// is taken elsewhere. Members are tried in a random order, or trials would repeat themselves.
    Set shrink(Set stuck) {
        std::vector<Var> members(stuck.begin(), stuck.end());
        random_.shuffle(members);
        for (const Var member : members) {
            if (!stuck.contains(member)) continue;
            const Set part = peel(stuck - member);
            if (!part.empty()) stuck = part;
        }
        return stuck;
    }

    ReducedCosts<Set>& costs_;
    Control& control_;
    Set all_;
    Random random_{0};  // whatever it draws, the bound holds
};

template <typename Cluster>
std::uint64_t sum(const std::vector<Cluster>& clusters) {
    std::uint64_t total = 0;
    for (const Cluster& cluster : clusters) total += cluster.price;
    return total;
}

/// The same cluster may have been priced more than once.
template <typename Cluster>
void unite(std::vector<Cluster>& clusters) {
    std::sort(clusters.begin(), clusters.end(),
              [](const Cluster& a, const Cluster& b) { return a.members < b.members; });
    std::vector<Cluster> united;
    for (const Cluster& cluster : clusters) {
        if (!united.empty() && united.back().members == cluster.members) {
            united.back().price += cluster.price;
        } else {
            united.push_back(cluster);
        }
    }
    clusters = std::move(united);
}

}  // namespace

template <typename Set>
ClusterPrices<Set>::ClusterPrices(ReducedCosts<Set>& costs, std::size_t trials, Control& control) {
    Pricing<Set> pricing(costs, control);
    if (!pricing.ascend(clusters_) || clusters_.empty()) return;
    for (std::size_t trial = 0; trial < trials && costs.visits() < most_visits; ++trial) {
        unite(clusters_);
        ReducedCosts<Set> costs_before = costs;
        std::vector<Cluster> before = clusters_;
        pricing.take_back(clusters_);
        if (!pricing.ascend(clusters_)) return;
        if (sum(clusters_) >= sum(before)) continue;
        costs.restore(std::move(costs_before));
        clusters_ = std::move(before);
    }
    unite(clusters_);
}

template <typename Set>
std::uint64_t ClusterPrices<Set>::total() const {
    return sum(clusters_);
}

template class ClusterPrices<VarSet>;
template class ClusterPrices<FixedSet<2>>;
template class ClusterPrices<FixedSet<4>>;

}  // namespace dagscape
