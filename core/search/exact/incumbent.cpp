#include "search/exact/incumbent.hpp"

#include <numeric>

#include "search/order/iterated_climb.hpp"

namespace dagscape {

namespace {

constexpr std::size_t restarts = 4;
constexpr std::size_t patience_each = 20;         // for each variable
constexpr std::uint64_t most_swaps = 20'000'000;  // about half a second

void offer(const Component& component, const OrderFound& found, Gap& gap) {
    double regret = 0;
    for (std::size_t v = 0; v < component.variables.size(); ++v) {
        const ParentList& list = component.parents.lists[v];
        if (found.places[v] >= list.size()) return;  // not a network: a variable has no set that fits
        regret += list.score(0) - list.score(found.places[v]);
    }
    gap.offer(regret, found.places);
}

}  // namespace

std::uint64_t find_incumbent(const Component& component, std::uint64_t seed, Gap& gap, Control& control) {
    const OrderLists lists(component.parents);
    std::vector<Var> order(component.variables.size());
    std::iota(order.begin(), order.end(), Var{0});
    Random random(seed);
    std::uint64_t swaps = 0;
    for (std::size_t start = 0; start < restarts && swaps < most_swaps; ++start) {
        random.shuffle(order);
        const OrderFound found = iterated_climb(lists, order, patience_each * order.size(),
                                                most_swaps - swaps, random.bits(), control);
        swaps += found.swaps;
        offer(component, found, gap);
        if (gap.closed() || control.stopped()) break;
    }
    return swaps;
}

void improve_order(const Component& component, std::vector<Var> order, std::uint64_t seed, Gap& gap,
                   Control& control) {
    const OrderLists lists(component.parents);
    offer(component, iterated_climb(lists, std::move(order), 0, most_swaps, seed, control), gap);
}

}  // namespace dagscape
