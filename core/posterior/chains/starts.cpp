#include "posterior/chains/starts.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "error.hpp"
#include "varset/wide_set.hpp"

namespace dagscape {

namespace {

bool among(Members parents, const WideSet& placed) {
    for (const Var parent : parents)
        if (!placed.contains(parent)) return false;
    return true;
}

/// Places variables, of those that can be the first in an order, with the set that `choose` gives for what is
/// placed. Placing more never leaves less to choose from, so whatever order is taken leads to an end if
/// any does.
template <typename Choose>
std::vector<std::uint32_t> built(const WeightedLists& lists, std::span<const Var> order,
                                 const Choose& choose) {
    const std::size_t n = lists.variables();
    std::vector<std::uint32_t> places(n);
    std::vector<Var> waiting(order.begin(), order.end());
    WideSet placed(n);
    while (!waiting.empty()) {
        bool found = false;
        for (std::size_t i = 0; i < waiting.size() && !found; ++i) {
            const Var v = waiting[i];
            const std::optional<std::uint32_t> place = choose(lists[v], placed);
            if (!place) continue;
            places[v] = *place;
            placed.insert(v);
            waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
            found = true;
        }
        if (!found) throw Error(ErrorKind::graph, "no network can be built from the parent sets");
    }
    return places;
}

std::vector<Var> shuffled(std::size_t variables, Random& random) {
    std::vector<Var> order(variables);
    for (std::size_t v = 0; v < variables; ++v) order[v] = static_cast<Var>(v);
    random.shuffle(order);
    return order;
}

/// A set without weight is none.
bool usable(const WeightedList& list, std::size_t place, const WideSet& placed) {
    return list.log_weight(place) > -std::numeric_limits<double>::infinity() &&
           among(list.parents(place), placed);
}

}  // namespace

std::vector<std::uint32_t> emptiest_network(const WeightedLists& lists, Random& random) {
    const auto fewest = [](const WeightedList& list, const WideSet& placed) {
        std::optional<std::uint32_t> best;
        for (std::size_t at = 0; at < list.size(); ++at)
            if ((!best || list.parents(at).size() < list.parents(*best).size()) && usable(list, at, placed))
                best = static_cast<std::uint32_t>(at);
        return best;
    };
    return built(lists, shuffled(lists.variables(), random), fewest);
}

std::vector<std::uint32_t> random_network(const WeightedLists& lists, Random& random) {
    const auto any = [&](const WeightedList& list, const WideSet& placed) {
        std::optional<std::uint32_t> chosen;
        std::uint64_t seen = 0;
        for (std::size_t at = 0; at < list.size(); ++at)
            if (usable(list, at, placed) && random.below(++seen) == 0)
                chosen = static_cast<std::uint32_t>(at);
        return chosen;
    };
    return built(lists, shuffled(lists.variables(), random), any);
}

std::vector<std::uint32_t> places_of(const WeightedLists& lists,
                                     const std::vector<std::vector<Var>>& parents) {
    if (parents.size() != lists.variables())
        throw Error(ErrorKind::parameter, "a network has a set for each variable");
    std::vector<std::uint32_t> places;
    for (std::size_t v = 0; v < parents.size(); ++v) {
        const WeightedList& list = lists[static_cast<Var>(v)];
        std::size_t at = 0;
        while (at < list.size() && !std::ranges::equal(list.parents(at), parents[v])) ++at;
        if (at == list.size()) throw Error(ErrorKind::parameter, "no such parent set");
        places.push_back(static_cast<std::uint32_t>(at));
    }
    return places;
}

std::vector<std::uint32_t> best_in_order(const WeightedLists& lists, std::span<const Var> order) {
    const auto first = [](const WeightedList& list, const WideSet& placed) -> std::optional<std::uint32_t> {
        for (std::size_t at = 0; at < list.size(); ++at)
            if (usable(list, at, placed)) return static_cast<std::uint32_t>(at);
        return std::nullopt;
    };
    return built(lists, order, first);
}

}  // namespace dagscape
