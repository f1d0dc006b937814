#include "search/local/sll.hpp"

#include <algorithm>

namespace dagscape {

namespace {

std::vector<Var> sorted(std::vector<Var> set, Var target) {
    set.push_back(target);
    std::sort(set.begin(), set.end());
    return set;
}

std::vector<Var> neighbors_in(const LocalArcs& arcs, Var target) {
    std::vector<Var> found;
    for (const auto& [from, to] : arcs) {
        if (from == target) found.push_back(to);
        if (to == target) found.push_back(from);
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Those with a child in common with the target, and not its neighbors.
std::vector<Spouse> spouses_in(const LocalArcs& arcs, Var target) {
    const std::vector<Var> adjacent = neighbors_in(arcs, target);
    std::vector<Spouse> found;
    for (const auto& [spouse, child] : arcs) {  // ascending
        if (spouse == target || std::binary_search(adjacent.begin(), adjacent.end(), spouse)) continue;
        if (!std::binary_search(arcs.begin(), arcs.end(), Arc(target, child))) continue;
        if (found.empty() || found.back().spouse != spouse) found.push_back({spouse, {}});
        found.back().children.push_back(child);
    }
    return found;
}

}  // namespace

Sll::Sll(const OptimalNetworks& networks, std::vector<std::size_t> ranks, ChildCheck child_check)
    : networks_(networks), ranks_(std::move(ranks)), child_check_(child_check) {}

void Sll::put_in_order(Var target, std::vector<Var>& others, Control& control) const {
    const Scorer& scorer = networks_.scorer();
    std::vector<std::pair<double, Var>> by;
    for (const Var v : others) {
        if (control.stopped()) return;  // nobody will go through them
        const double key =
            ranks_.empty() ? -scorer.relation(target, Members(&v, 1)) : static_cast<double>(ranks_[v]);
        by.emplace_back(key, v);
    }
    std::sort(by.begin(), by.end());
    for (std::size_t i = 0; i < others.size(); ++i) others[i] = by[i].second;
}

Potential Sll::neighbors(Var target, Control& control) const {
    std::vector<Var> open;
    for (std::size_t v = 0; v < networks_.scorer().variables(); ++v)
        if (v != target) open.push_back(static_cast<Var>(v));
    put_in_order(target, open, control);
    Potential found;
    OptimalNetworks::Trials trials(networks_);
    for (const Var v : open) {
        const auto arcs = trials.with(sorted(found.neighbors, target), v, control);
        if (!arcs) {
            found.done = false;
            break;
        }
        found.neighbors = neighbors_in(*arcs, target);
    }
    return found;
}

PotentialSpouses Sll::spouses(Var target, const Surroundings& around, Control& control) const {
    std::vector<Var> open = second_neighbors(target, around);
    put_in_order(target, open, control);
    PotentialSpouses found;
    OptimalNetworks::Trials trials(networks_);
    for (const Var v : open) {
        std::vector<Var> base = around.neighbors(target);
        for (const Spouse& spouse : found.spouses) base.push_back(spouse.spouse);
        const auto arcs = trials.with(sorted(std::move(base), target), v, control);
        if (!arcs) {
            found.done = false;
            break;
        }
        found.spouses = spouses_in(*arcs, target);
    }
    return found;
}

}  // namespace dagscape
