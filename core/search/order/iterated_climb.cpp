#include "search/order/iterated_climb.hpp"

#include <algorithm>

namespace dagscape {

OrderFound iterated_climb(const OrderLists& lists, std::vector<Var> order, std::size_t patience,
                          std::uint64_t most_swaps, std::uint64_t seed, Control& control, bool blocks) {
    Random random(seed);
    OrderState here(lists, std::move(order));
    const std::size_t n = lists.variables();
    here.climb(random, control, blocks);
    OrderState::Snapshot best = here.snapshot();
    double best_score = here.score();
    std::uint64_t climbs = 1;
    // Where a variable that has but one set is best, nothing found can change.
    std::vector<Var> movable;
    for (std::size_t v = 0; v < n; ++v)
        if (lists.sets(static_cast<Var>(v)) > 1) movable.push_back(static_cast<Var>(v));
    for (std::size_t tries = 0;
         !movable.empty() && tries < patience && here.swaps() < most_swaps && !control.stopped(); ++tries) {
        // A few, however many variables there are: what is far from them stays as it is.
        const std::size_t moved = 2 + random.below(1 + std::min<std::size_t>(movable.size() / 8, 6));
        here.forget_changes();
        for (std::size_t i = 0; i < moved; ++i) {
            const Var v = movable[random.below(movable.size())];
            here.move(here.position(v), random.below(n));
        }
        here.settle(random, control);
        ++climbs;
        const double gain = here.score() - best_score;
        if (gain > OrderState::least_gain) {
            here.climb(random, control, blocks);
            best = here.snapshot();
            best_score = here.score();
            tries = 0;
        } else if (gain < -OrderState::least_gain) {
            here.restore(best);
        }
    }
    return {best.order, best.places, best_score, here.swaps(), climbs};
}

}  // namespace dagscape
