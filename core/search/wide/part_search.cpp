#include "search/wide/part_search.hpp"

namespace dagscape {

PartSearch::PartSearch(const GreedyProblem& problem, FamilyGainsMaker& gains, const ManyGains& rest,
                       const ShakeOptions& options)
    : network_(problem, gains, rest), options_(options), is_watched_(problem.variables()) {}

void PartSearch::run(const std::vector<Var>& part, std::size_t times, Random& random, Control& control) {
    network_.begin(part);
    order_ = part;
    const std::uint64_t before = network_.taken();
    for (std::size_t time = 0; time < times; ++time) {
        random.shuffle(order_);
        for (const Var center : order_) {
            if (control.stopped()) break;
            shake(center, random);
        }
    }
    work_.steps += network_.taken() - before;
}

void PartSearch::watch(Var v) {
    if (!network_.free(v) || is_watched_[v]) return;
    is_watched_[v] = true;
    watched_.push_back(v);
}

void PartSearch::watch_with_children(Var v) {
    if (!network_.free(v)) return;
    watch(v);
    for (const Var child : network_.children(v)) watch(child);
}

/// The nearest variables of the part along arcs, whatever their direction.
void PartSearch::find_region(Var center) {
    for (const Var v : watched_) is_watched_[v] = false;
    watched_.clear();
    watch(center);
    for (std::size_t at = 0; at < watched_.size() && watched_.size() < options_.reach; ++at) {
        const Var v = watched_[at];
        for (const Var parent : network_.parents(v)) watch(parent);
        for (const Var child : network_.children(v)) watch(child);
    }
}

void PartSearch::wander(std::size_t draws, Random& random) {
    for (std::size_t draw = 0; options_.wander && draw < draws; ++draw) {
        const Var to = watched_[random.below(watched_.size())];
        const std::vector<Var>& parents = network_.parents(to);
        if (!parents.empty()) network_.turn_if_covered(parents[random.below(parents.size())], to);
    }
}

void PartSearch::shake(Var center, Random& random) {
    ++work_.shakes;
    find_region(center);
    network_.mark();
    const std::size_t around = watched_.size();
    wander(2 * around, random);
    const std::size_t most = random.below(4) == 0 ? 2 * options_.perturb : options_.perturb;
    const std::size_t cut = 1 + random.below(most);
    network_.cut_off(center);
    for (std::size_t i = 1; i < cut; ++i) network_.cut_off(watched_[random.below(around)]);
    if (random.below(2) == 0) {
        const Var to = watched_[random.below(around)];
        const std::vector<Var>& candidates = network_.problem().candidates(to);
        if (!candidates.empty()) network_.add_if_possible(candidates[random.below(candidates.size())], to);
    }
    settle(random);
}

/// Climbs from what was changed, and undoes all if that ends below. Tells whether it ends above.
bool PartSearch::settle(Random& random) {
    climb(random);
    const double gained = network_.gained();
    const double step = network_.problem().step();
    if (gained > step / 2) ++work_.improved;
    if (gained < -step / 256) network_.undo();  // rounding errors are below it
    return gained > step / 2;
}

bool PartSearch::try_pair(Var child, Var first, Var second, Random& random) {
    find_region(child);
    network_.mark();
    const bool both = network_.add_if_possible(first, child) && network_.add_if_possible(second, child);
    if (!both) return network_.undo(), false;
    return settle(random);
}

void PartSearch::climb(Random& random) {
    for (const SparseNetwork::Change& change : network_.changes()) watch_with_children(change.child);
    for (;;) {
        wander(watched_.size() / 2, random);
        std::optional<ArcMove> best;
        for (const Var v : watched_)
            if (const auto move = network_.best_move(v, best ? best->gain : 0)) best = move;
        if (!best) return;
        network_.take(*best);
        watch_with_children(best->to);
        if (best->kind == ArcMove::Kind::reverse) watch_with_children(best->from);
    }
}

}  // namespace dagscape
