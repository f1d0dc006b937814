#pragma once

#include <string_view>
#include <vector>

#include "graphs/pdag.hpp"
#include "varset/bit_rows.hpp"

namespace dagscape {

/// What an essential graph says about pairs of variables (Peña, Kočka and Nielsen, Featuring multiple local
/// optima, IPMU 2004). Pairs without an order have their lower end first.
enum class Feature {
    directed_edge,
    undirected_edge,
    path,     // from one to the other along directed edges
    blanket,  // adjacent, or with directed edges to the same child
};

/// The pairs that have a feature: in row a, the variables b of pairs (a, b).
BitRows pairs_with(Feature feature, const Pdag& graph);

/// How much of many graphs has a feature, for all pairs of variables.
class FeatureTable {
  public:
    FeatureTable(Feature feature, std::size_t variables)
        : feature_(feature), variables_(variables), weights_(variables * variables) {}

    /// The graph must have the variables that the table is for.
    void add(const Pdag& graph, double weight);
    /// Weights of the graphs with the feature, row by row; zero for pairs that never have it.
    const std::vector<double>& weights() const { return weights_; }

  private:
    Feature feature_;
    std::size_t variables_;
    std::vector<double> weights_;
};

/// The weights of such a table, with one weight for each of these graphs, given by their codes.
std::vector<double> feature_weights(Feature feature, std::size_t variables,
                                    const std::vector<std::string_view>& codes,
                                    const std::vector<double>& weights);

}  // namespace dagscape
