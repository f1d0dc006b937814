#include "search/local/local_learning.hpp"

#include "search/local/neighborhoods.hpp"
#include "search/local/packed_separators.hpp"

namespace dagscape {

namespace {

void learn(Neighborhoods& known, const std::vector<Var>& targets, Sought sought, bool either) {
    switch (sought) {
        case Sought::potential:
            return known.learn_potential(targets);
        case Sought::spouses:
            return known.learn_spouses(targets, false);
        case Sought::neighbors:
            return known.learn_neighbors(targets);
        case Sought::blankets:
            return known.learn_spouses(targets, either);
    }
}

LearnedTarget told(const Neighborhoods& known, Var target, Sought sought, bool either) {
    LearnedTarget learned;
    learned.target = target;
    if (sought == Sought::potential) {
        const Potential* potential = known.potential(target);
        if (!potential) return learned;
        learned.neighbors = potential->neighbors;
        learned.separators = packed(potential->separators);
        learned.done = potential->done;
        return learned;
    }
    if (sought != Sought::spouses) {
        learned.neighbors = known.agreed(target);
        learned.done = known.neighbors_done(target);
    }
    if (sought == Sought::neighbors) return learned;
    if (sought == Sought::spouses) {
        const PotentialSpouses* found = known.potential_spouses(target);
        if (found) learned.found_spouses = found->spouses;
        learned.done = found && found->done;
    } else {
        learned.found_spouses = known.checked_spouses(target);
        learned.spouses = known.spouses(target, either);
        learned.done = learned.done && known.spouses_done(target, either);
    }
    return learned;
}

}  // namespace

LocalLearning learn_around(const LocalMethod& method, std::size_t variables, const std::vector<Var>& targets,
                           Sought sought, FoundElsewhere elsewhere, std::size_t threads, Control& control) {
    Neighborhoods known(method, variables, threads, control);
    for (auto& [v, potential] : elsewhere.potential) known.know(v, std::move(potential));
    for (auto& [v, spouses] : elsewhere.spouses) known.know(v, std::move(spouses));
    const bool either = method.either_spouse();
    control.stage(sought == Sought::blankets ? 0.5 : 1);
    learn(known, targets, sought, either);
    LocalLearning learned;
    for (const Var v : targets) learned.targets.push_back(told(known, v, sought, either));
    learned.searches = known.searches();
    return learned;
}

}  // namespace dagscape
