#include "search/greedy/perturbation.hpp"

#include <algorithm>

namespace dagscape {

namespace {

Var any_variable(const GreedyState& state, Random& random) {
    return static_cast<Var>(random.below(state.variables()));
}

/// An arc is covered where its ends have the same other parents; then its reversal leads to an equivalent
/// network (Chickering 1995), and makes no cycle.
bool covered(const GreedyState& state, Var from, Var to) {
    const std::vector<Var>& above = state.parents(from);
    return state.parents(to).size() == above.size() + 1 &&
           std::all_of(above.begin(), above.end(), [&](Var v) { return state.has(v, to); });
}

/// Between variables of different kinds the score tells the direction of a covered arc.
bool same_kind(const GreedyState& state, Var from, Var to) {
    return state.function().kinds() == 1 || state.function().exchangeable(from, to);
}

void cut_off(GreedyState& state, Var v) {
    const std::vector<Var> parents = state.parents(v);
    for (const Var parent : parents)
        if (const auto move = state.removal(parent, v)) state.take(*move);
    for (const Var child : state.children(v))
        if (const auto move = state.removal(v, child)) state.take(*move);
}

/// Takes a move of the first pair drawn that has one.
void take_any(GreedyState& state, Random& random) {
    for (std::size_t draw = 0; draw < 10 * state.variables(); ++draw) {
        const Var from = any_variable(state, random);
        const Var to = any_variable(state, random);
        if (from == to) continue;
        const bool there = state.has(from, to);
        const auto move = !there                 ? state.addition(from, to)
                          : random.below(2) == 0 ? state.removal(from, to)
                                                 : state.reversal(from, to);
        if (!move) continue;
        state.take(*move);
        return;
    }
}

}  // namespace

void wander(GreedyState& state, std::size_t draws, Random& random) {
    for (std::size_t draw = 0; draw < draws; ++draw) {
        const Var to = any_variable(state, random);
        const std::vector<Var>& parents = state.parents(to);
        if (parents.empty()) continue;
        const Var from = parents[random.below(parents.size())];
        if (!covered(state, from, to) || !same_kind(state, from, to)) continue;
        if (const auto move = state.reversal(from, to)) state.take(*move);
    }
}

void perturb(GreedyState& state, std::size_t most, Random& random) {
    wander(state, 2 * state.variables(), random);
    // Some optima are left only by a longer way, so one shake in four may go it.
    const std::uint64_t variables = 1 + random.below(random.below(4) == 0 ? 4 * most : most);
    for (std::uint64_t i = 0; i < variables; ++i) cut_off(state, any_variable(state, random));
    if (random.below(2) == 0) take_any(state, random);
}

}  // namespace dagscape
