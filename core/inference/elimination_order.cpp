#include "inference/elimination_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

namespace dagscape {

namespace {

enum class Rule { fill, weight };

/// The graph while variables are taken out of it.
class Eliminating {
  public:
    Eliminating(const JoinedVariables& graph, Rule rule)
        : arities_(graph.arities), joined_(graph.joined), rule_(rule), costs_(graph.arities.size()) {}

    Elimination run(const std::vector<Var>& members, const std::vector<Var>& last) {
        std::vector<bool> late(arities_.size(), false);
        for (const Var v : last) late[v] = true;
        std::vector<Var> first;
        for (const Var v : members)
            if (!late[v]) first.push_back(v);
        take_out(first);
        take_out(last);
        return std::move(found_);
    }

  private:
    using Cost = std::tuple<double, double, Var>;  // the least goes first

    void take_out(std::vector<Var> waiting) {
        for (const Var v : waiting) costs_[v] = cost(v);
        std::vector<bool> stale(arities_.size(), false);
        while (!waiting.empty()) {
            std::size_t best = 0;
            for (std::size_t i = 0; i < waiting.size(); ++i) {
                if (stale[waiting[i]]) costs_[waiting[i]] = cost(waiting[i]);
                stale[waiting[i]] = false;
                if (costs_[waiting[i]] < costs_[waiting[best]]) best = i;
            }
            const Var v = waiting[best];
            waiting[best] = waiting.back();
            waiting.pop_back();
            eliminate(v, stale);
        }
    }

    void eliminate(Var v, std::vector<bool>& stale) {
        std::vector<Var> around = neighbors(v);
        for (const Var u : around) {
            joined_.erase(u, v);
            joined_.unite(u, joined_[v]);
            joined_.erase(u, u);
            stale[u] = true;
            // A pair of neighbors may have become joined, which changes what those next to both would join.
            joined_.for_each(u, [&](Var w) { stale[w] = true; });
        }
        joined_.clear(v);
        std::vector<Var> table = std::move(around);
        table.insert(std::lower_bound(table.begin(), table.end(), v), v);
        double cells = 1;
        for (const Var u : table) cells *= static_cast<double>(arities_[u]);
        found_.order.push_back(v);
        found_.tables.push_back(std::move(table));
        found_.cells += cells;
    }

    Cost cost(Var v) const {
        const std::vector<Var> around = neighbors(v);
        double weight = std::log(static_cast<double>(arities_[v]));
        for (const Var u : around) weight += std::log(static_cast<double>(arities_[u]));
        return {rule_ == Rule::fill ? pairs_to_join(v, around) : weight, weight, v};
    }

    double pairs_to_join(Var v, const std::vector<Var>& around) const {
        std::size_t missing = 0;
        for (const Var u : around)
            for (std::size_t i = 0; i < joined_.width(); ++i)
                missing += static_cast<std::size_t>(std::popcount(joined_[v][i] & ~joined_[u][i]));
        return static_cast<double>(missing - around.size()) / 2;  // nobody is joined with itself
    }

    std::vector<Var> neighbors(Var v) const {
        std::vector<Var> all;
        joined_.for_each(v, [&](Var u) { all.push_back(u); });
        return all;
    }

    const std::vector<std::size_t>& arities_;
    BitRows joined_;
    Rule rule_;
    std::vector<Cost> costs_;
    Elimination found_;
};

}  // namespace

Elimination elimination(const JoinedVariables& graph, const std::vector<Var>& last) {
    Elimination by_fill = Eliminating(graph, Rule::fill).run(graph.members, last);
    Elimination by_weight = Eliminating(graph, Rule::weight).run(graph.members, last);
    return by_weight.cells < by_fill.cells ? by_weight : by_fill;
}

}  // namespace dagscape
