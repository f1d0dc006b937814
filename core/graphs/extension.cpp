#include "graphs/extension.hpp"

#include <queue>

namespace dagscape {

namespace {

/// A variable can be the last of an order if no arc leaves it and each of its undirected neighbors is
/// adjacent to all else that is adjacent to it; then directing its edges toward it makes no v-structure.
bool can_be_last(const Pdag& pdag, Var x, const WideSet& left) {
    if (pdag.children(x).intersects(left)) return false;
    const WideSet around = pdag.adjacent(x) & left;
    for (const Var y : pdag.undirected(x) & left) {
        WideSet others = around;
        others.erase(y);
        if (!others.subset_of(pdag.adjacent(y))) return false;
    }
    return true;
}

}  // namespace

/// Dor and Tarsi, A simple algorithm to construct a consistent extension of a partially oriented graph,
/// 1992. Ties go to the highest number, so that free edges point from lower to higher.
std::optional<Dag> consistent_extension(const Pdag& pdag) {
    const std::size_t n = pdag.variables();
    Dag dag(n);
    for (const auto& [from, to] : pdag.directed_edges()) dag.add(from, to);
    WideSet left(n);
    for (std::size_t v = 0; v < n; ++v) left.insert(static_cast<Var>(v));
    // Taking one away only frees others, and only those next to it.
    WideSet ready(n);
    std::priority_queue<Var> queue;
    const auto offer = [&](Var v) {
        if (ready.contains(v) || !can_be_last(pdag, v, left)) return;
        ready.insert(v);
        queue.push(v);
    };
    for (const Var v : left) offer(v);
    while (!queue.empty()) {
        const Var last = queue.top();
        queue.pop();
        left.erase(last);
        for (const Var y : pdag.undirected(last) & left) dag.add(y, last);
        for (const Var y : pdag.adjacent(last) & left) offer(y);
    }
    if (!left.empty()) return std::nullopt;
    return dag;
}

}  // namespace dagscape
