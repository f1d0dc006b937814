#include "landscape/features.hpp"

#include <cassert>

#include "landscape/graph_code.hpp"

namespace dagscape {

namespace {

BitRows directed_edges(const Pdag& graph) {
    BitRows pairs(graph.variables(), graph.variables());
    for (std::size_t from = 0; from < graph.variables(); ++from)
        for (const Var to : graph.children(static_cast<Var>(from))) pairs.insert(from, to);
    return pairs;
}

BitRows undirected_edges(const Pdag& graph) {
    BitRows pairs(graph.variables(), graph.variables());
    for (std::size_t a = 0; a < graph.variables(); ++a)
        for (const Var b : graph.undirected(static_cast<Var>(a)))
            if (a < b) pairs.insert(a, b);
    return pairs;
}

/// Warshall's transitive closure, a row at a time.
BitRows paths(const Pdag& graph) {
    BitRows pairs = directed_edges(graph);
    for (std::size_t v = 0; v < graph.variables(); ++v) {
        const Var through = static_cast<Var>(v);
        if (pairs.empty(v)) continue;
        for (std::size_t from = 0; from < graph.variables(); ++from)
            if (pairs.has(from, through)) pairs.unite(from, pairs[v]);
    }
    return pairs;
}

BitRows blankets(const Pdag& graph) {
    BitRows pairs(graph.variables(), graph.variables());
    const auto insert = [&](std::size_t a, Var b) {
        if (a < b) pairs.insert(a, b);
    };
    for (std::size_t v = 0; v < graph.variables(); ++v) {
        for (const Var other : graph.adjacent(static_cast<Var>(v))) insert(v, other);
        const WideSet& parents = graph.parents(static_cast<Var>(v));
        for (const Var a : parents)
            for (const Var b : parents) insert(a, b);
    }
    return pairs;
}

}  // namespace

BitRows pairs_with(Feature feature, const Pdag& graph) {
    switch (feature) {
        case Feature::directed_edge:
            return directed_edges(graph);
        case Feature::undirected_edge:
            return undirected_edges(graph);
        case Feature::path:
            return paths(graph);
        case Feature::blanket:
            break;
    }
    return blankets(graph);
}

void FeatureTable::add(const Pdag& graph, double weight) {
    assert(graph.variables() == variables_);
    const BitRows pairs = pairs_with(feature_, graph);
    for (std::size_t a = 0; a < variables_; ++a)
        pairs.for_each(a, [&](Var b) { weights_[a * variables_ + b] += weight; });
}

std::vector<double> feature_weights(Feature feature, std::size_t variables,
                                    const std::vector<std::string_view>& codes,
                                    const std::vector<double>& weights) {
    FeatureTable table(feature, variables);
    for (std::size_t i = 0; i < codes.size(); ++i) table.add(decode(variables, codes[i]), weights[i]);
    return table.weights();
}

}  // namespace dagscape
