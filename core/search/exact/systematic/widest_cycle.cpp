#include "search/exact/systematic/widest_cycle.hpp"

#include <algorithm>

namespace dagscape {

namespace {

bool dearer(const DearArc& a, const DearArc& b) {
    if (a.cost != b.cost) return a.cost > b.cost;
    if (a.cost_among_equals != b.cost_among_equals) return a.cost_among_equals > b.cost_among_equals;
    if (a.arc.child != b.arc.child) return a.arc.child < b.arc.child;
    return a.arc.parent < b.arc.parent;
}

}  // namespace

std::vector<DearArc> WidestCycle::find(std::vector<DearArc>& arcs) {
    std::sort(arcs.begin(), arcs.end(), dearer);
    for (auto& of_parent : out_) of_parent.clear();
    for (std::size_t i = 0; i < arcs.size(); ++i) out_[arcs[i].arc.parent].push_back(i);
    if (acyclic(arcs, arcs.size())) return {};
    // The fewest arcs that have a cycle: the last of them is on every one.
    std::size_t without = 0, with = arcs.size();
    while (with - without > 1) {
        const std::size_t middle = (without + with) / 2;
        (acyclic(arcs, middle) ? without : with) = middle;
    }
    return closed_by(arcs, with - 1);
}

bool WidestCycle::acyclic(const std::vector<DearArc>& arcs, std::size_t count) {
    std::fill(into_.begin(), into_.end(), 0);
    for (std::size_t i = 0; i < count; ++i) ++into_[arcs[i].arc.child];
    queue_.clear();
    for (std::size_t v = 0; v < into_.size(); ++v)
        if (into_[v] == 0) queue_.push_back(static_cast<Var>(v));
    for (std::size_t done = 0; done < queue_.size(); ++done)
        for (const std::size_t i : out_[queue_[done]])
            if (i < count && --into_[arcs[i].arc.child] == 0) queue_.push_back(arcs[i].arc.child);
    return queue_.size() == into_.size();
}

std::vector<DearArc> WidestCycle::closed_by(const std::vector<DearArc>& arcs, std::size_t last) {
    const Arc closing = arcs[last].arc;
    std::fill(reached_by_.begin(), reached_by_.end(), arcs.size());
    reached_by_[closing.child] = last;
    queue_.assign(1, closing.child);
    for (std::size_t done = 0; reached_by_[closing.parent] == arcs.size(); ++done)
        for (const std::size_t i : out_[queue_[done]]) {
            const Var next = arcs[i].arc.child;
            if (i > last || reached_by_[next] != arcs.size()) continue;
            reached_by_[next] = i;
            queue_.push_back(next);
        }
    std::vector<DearArc> cycle = {arcs[last]};
    for (Var v = closing.parent; v != closing.child; v = cycle.back().arc.parent)
        cycle.push_back(arcs[reached_by_[v]]);
    return cycle;
}

void trim(std::vector<DearArc>& arcs, std::size_t variables) {
    std::vector<std::size_t> into(variables), out(variables);
    for (bool changed = true; changed;) {
        std::fill(into.begin(), into.end(), 0);
        std::fill(out.begin(), out.end(), 0);
        for (const DearArc& a : arcs) ++into[a.arc.child], ++out[a.arc.parent];
        changed = std::erase_if(
                      arcs, [&](const DearArc& a) { return !into[a.arc.parent] || !out[a.arc.child]; }) > 0;
    }
}

}  // namespace dagscape
