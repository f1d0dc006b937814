#include "search/order/swap_climb.hpp"

#include <algorithm>

namespace dagscape {

SwapClimb swap_climb(const OrderLists& lists, std::vector<Var> order, std::uint64_t most_steps,
                     Control& control) {
    OrderState here(lists, std::move(order));
    const double initial = here.score();
    const std::size_t pairs = lists.variables() > 0 ? lists.variables() - 1 : 0;
    std::vector<double> gains(pairs);
    for (std::size_t at = 0; at < pairs; ++at) gains[at] = here.swap_gain(at);
    std::uint64_t steps = 0;
    while (steps < most_steps && pairs > 0 && !control.stopped()) {
        const auto best = std::max_element(gains.begin(), gains.end());
        if (*best <= OrderState::least_gain) break;
        const auto at = static_cast<std::size_t>(best - gains.begin());
        here.move(at, at + 1);
        ++steps;
        // Only pairs that share a variable with this one change.
        for (std::size_t i = at > 0 ? at - 1 : 0; i <= std::min(at + 1, pairs - 1); ++i)
            gains[i] = here.swap_gain(i);
    }
    return {{here.order(), here.places(), here.score(), here.swaps(), 1}, initial, steps};
}

}  // namespace dagscape
