#include "search/exact/systematic/cluster_bound.hpp"

#include <algorithm>

#include "infinity.hpp"

namespace dagscape {

namespace {

constexpr double nothing = 1e-9;  // a cost that is rounding
constexpr std::size_t all = 0, cluster = 1, trial = 2;

/// Clusters are tried at every node, so that too many known ones cost more than they spare.
constexpr std::size_t most_known = 200;

}  // namespace

ClusterBound::ClusterBound(const DecidedRegrets& sets)
    : sets_(sets), priced_(sets.variables()), free_(sets.variables()), rows_(3, sets.variables()) {
    for (std::size_t v = 0; v < sets.variables(); ++v) rows_.insert(all, static_cast<Var>(v));
}

double ClusterBound::raise(const ArcDecisions& decisions, const std::vector<std::uint32_t>& places,
                           double most, Control& control) {
    bound_ = 0;
    order_.clear();
    price(decisions, places, most);
    for (std::size_t at = 0; at < known_.size() && bound_ < most; at += rows_.width())
        charge(known_.data() + at);
    while (bound_ < most && find_cluster(control)) {
        ++found_;
        if (known_.size() < most_known * rows_.width())
            known_.insert(known_.end(), rows_[cluster], rows_[cluster] + rows_.width());
        charge(rows_[cluster]);
    }
    return bound_ < most ? bound_ : infinity;
}

double ClusterBound::cost_without(Var parent, Var child) const {
    double least = infinity;
    for (const Priced& priced : priced_[child])
        if ((priced.set[parent / 64] >> (parent % 64) & 1) == 0) least = std::min(least, priced.cost);
    return least;
}

void ClusterBound::price(const ArcDecisions& decisions, const std::vector<std::uint32_t>& places,
                         double most) {
    for (std::size_t v = 0; v < places.size(); ++v) {
        const Var child = static_cast<Var>(v);
        const double best = sets_.regret(child, places[v]);
        priced_[v].clear();
        free_[v].clear();
        // Lists are sorted: once a set alone loses too much, all others do.
        for (std::uint32_t at = places[v]; sets_.regret(child, at) - best < most;
             at = sets_.place(child, decisions.required(child), decisions.forbidden(child), at + 1)) {
            const double cost = sets_.regret(child, at) - best;
            priced_[v].push_back({cost, sets_.set(child, at)});
            if (cost <= nothing) free_[v].push_back(sets_.set(child, at));
        }
    }
}

void ClusterBound::peel(std::size_t row) {
    for (bool changed = true; changed;) {
        changed = false;
        rows_.for_each(row, [&](Var v) {
            const auto fits = [&](const Word* set) { return rows_.apart(row, set); };
            if (std::none_of(free_[v].begin(), free_[v].end(), fits)) return;
            rows_.erase(row, v);
            order_.push_back(v);
            changed = true;
        });
    }
}

bool ClusterBound::find_cluster(Control& control) {
    order_.clear();
    rows_.copy(cluster, rows_[all]);
    peel(cluster);
    if (rows_.empty(cluster) || control.stopped()) return false;
    for (std::size_t v = 0; v < sets_.variables(); ++v) {
        if (!rows_.has(cluster, static_cast<Var>(v))) continue;
        rows_.copy(trial, rows_[cluster]);
        rows_.erase(trial, static_cast<Var>(v));
        peel(trial);
        if (!rows_.empty(trial)) rows_.copy(cluster, rows_[trial]);
    }
    order_.clear();  // of what was tried
    return true;
}

void ClusterBound::charge(const Word* variables) {
    const auto apart = [&](const Word* set) {
        Word common = 0;
        for (std::size_t i = 0; i < rows_.width(); ++i) common |= set[i] & variables[i];
        return common == 0;
    };
    double least = infinity;
    BitRows::for_each(variables, rows_.width(), [&](Var v) {
        for (const Priced& priced : priced_[v])
            if (priced.cost < least && apart(priced.set)) least = priced.cost;
    });
    if (least <= nothing) return;
    bound_ += least;
    if (least == infinity) return;
    BitRows::for_each(variables, rows_.width(), [&](Var v) {
        for (Priced& priced : priced_[v])
            if (apart(priced.set)) {
                priced.cost -= least;
                if (priced.cost <= nothing) free_[v].push_back(priced.set);
            }
    });
}

}  // namespace dagscape
