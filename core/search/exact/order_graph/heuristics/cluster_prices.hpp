#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "search/exact/order_graph/heuristics/reduced_costs.hpp"

namespace dagscape {

/// Of any set of variables, a cluster, the first in an order has no parents within it. What that costs at
/// least can be taken from the costs of all such choices, as the cluster's price, and the same again with
/// another cluster and what remains. The sum of prices is a lower bound: a solution of the dual of the
/// linear program with cluster cuts (Jaakkola, Sontag, Globerson and Meila, AISTATS 2010), found greedily
/// as by Trösser, de Givry and Katsirelos (Improved acyclicity reasoning for Bayesian network structure
/// learning with constraint programming, IJCAI 2021).
template <typename Set>
class ClusterPrices {
  public:
    struct Cluster {
        Set members;
        std::uint64_t price;
    };

    ClusterPrices() = default;
    /// Prices clusters until all variables can be placed at no cost; then, so many times, takes some prices
    /// back and tries others. What is priced is taken from the costs. Long lists get fewer trials.
    ClusterPrices(ReducedCosts<Set>& costs, std::size_t trials, Control& control);

    /// Gives back the prices of clusters for which this holds.
    template <typename Condition>
    void give_back(ReducedCosts<Set>& costs, const Condition& condition) {
        std::erase_if(clusters_, [&](const Cluster& cluster) {
            if (!condition(cluster)) return false;
            costs.give_back(cluster.members, cluster.price);
            return true;
        });
    }

    const std::vector<Cluster>& clusters() const { return clusters_; }
    std::uint64_t total() const;

  private:
    std::vector<Cluster> clusters_;
};

}  // namespace dagscape
