#include "search/order/initial_orders.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace dagscape {

InitialOrders::InitialOrders(const BestParentGraph& graph, InitialOrder kind, Control& control,
                             std::vector<Var> start)
    : kind_(kind), start_(std::move(start)), parents_(graph.variables()), children_(graph.variables()) {
    std::vector<bool> removed(graph.arcs().size());
    if (kind == InitialOrder::fas)
        for (const std::size_t arc : graph.feedback_arcs(control)) removed[arc] = true;
    for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
        if (removed[i]) continue;
        const BestParentGraph::WeightedArc& arc = graph.arcs()[i];
        parents_[arc.to].push_back(arc.from);
        children_[arc.from].push_back(arc.to);
    }
}

std::vector<Var> InitialOrders::make(Random& random, std::uint64_t restart) const {
    std::vector<Var> order = drawn(random);
    return restart == 0 && !start_.empty() ? start_ : order;
}

std::vector<Var> InitialOrders::drawn(Random& random) const {
    if (kind_ == InitialOrder::dfs) return by_degree(random);
    if (kind_ == InitialOrder::fas) return topological(random);
    std::vector<Var> order(parents_.size());
    std::iota(order.begin(), order.end(), Var{0});
    random.shuffle(order);
    return order;
}

/// Algorithm 3: always the variable with fewest parents among those left; among these the one of least
/// goodness, the product over its children left of how many parents these have left (Eq. 7); then at random.
std::vector<Var> InitialOrders::by_degree(Random& random) const {
    const std::size_t n = parents_.size();
    std::vector<std::size_t> degree(n);
    std::vector<double> goodness(n);  // as a logarithm, lest it overflow
    std::vector<bool> left(n, true);
    for (std::size_t v = 0; v < n; ++v) degree[v] = parents_[v].size();
    const auto rate = [&](Var v) {
        goodness[v] = 0;
        for (const Var child : children_[v])
            if (left[child]) goodness[v] += std::log(static_cast<double>(degree[child]));
    };
    for (std::size_t v = 0; v < n; ++v) rate(static_cast<Var>(v));
    std::vector<Var> order, best;
    while (order.size() < n) {
        best.clear();
        for (std::size_t i = 0; i < n; ++i) {
            if (!left[i]) continue;
            const Var v = static_cast<Var>(i);
            if (!best.empty()) {
                const Var other = best.front();
                const bool same =
                    degree[v] == degree[other] && std::abs(goodness[v] - goodness[other]) < 1e-9;
                if (!same && std::tie(degree[v], goodness[v]) > std::tie(degree[other], goodness[other]))
                    continue;
                if (!same) best.clear();
            }
            best.push_back(v);
        }
        const Var next = best[random.below(best.size())];
        order.push_back(next);
        left[next] = false;
        for (const Var child : children_[next]) {
            if (!left[child]) continue;
            --degree[child];
        }
        for (const Var child : children_[next])
            for (const Var parent : parents_[child])
                if (left[parent]) rate(parent);
        for (const Var parent : parents_[next])
            if (left[parent]) rate(parent);
    }
    return order;
}

/// A random order of what remains without feedback arcs, parents before children: of those that may come
/// next, one at random.
std::vector<Var> InitialOrders::topological(Random& random) const {
    const std::size_t n = parents_.size();
    std::vector<std::size_t> waiting(n);
    std::vector<Var> ready, order;
    for (std::size_t v = 0; v < n; ++v) {
        waiting[v] = parents_[v].size();
        if (waiting[v] == 0) ready.push_back(static_cast<Var>(v));
    }
    while (!ready.empty()) {
        std::swap(ready[random.below(ready.size())], ready.back());
        const Var next = ready.back();
        ready.pop_back();
        order.push_back(next);
        for (const Var child : children_[next])
            if (--waiting[child] == 0) ready.push_back(child);
    }
    return order;
}

}  // namespace dagscape
