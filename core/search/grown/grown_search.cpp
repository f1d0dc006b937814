#include "search/grown/grown_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "parallel.hpp"
#include "search/grown/grown_order.hpp"
#include "search/grown/grown_parents.hpp"
#include "search/grown/polish.hpp"

namespace dagscape {

namespace {

constexpr std::size_t most_recorded = 10'000;  // of restarts

/// Every variable with the parents it grows among all others, cycles or not, and what each is worth.
BestParentGraph grown_graph(const GrownParents& parents, std::vector<GrownParents::Visit>& visits,
                            Control& control) {
    const std::size_t n = parents.variables();
    std::vector<std::vector<BestParentGraph::WeightedArc>> into(n);
    parallel_for(n, visits.size(), control, [&](std::size_t task, std::size_t worker) {
        const Var child = static_cast<Var>(task);
        const GrownParents::Node* end =
            visits[worker].walk(child, parents.constraints().allowed[child], control);
        std::vector<Var> rest;
        for (const Var parent : end->parents()) {
            rest.clear();
            for (const Var other : end->parents())
                if (other != parent) rest.push_back(other);
            const bool required = parents.constraints().required[child].contains(parent);
            const double weight = required ? std::numeric_limits<double>::infinity()
                                           : end->score() - parents.scorer().local(child, rest);
            into[child].push_back({parent, child, weight});
        }
    });
    std::vector<BestParentGraph::WeightedArc> arcs;
    for (const auto& some : into) arcs.insert(arcs.end(), some.begin(), some.end());
    return {n, std::move(arcs)};
}

/// One search from one order, on several threads.
///
/// Threads take moves of the same order in thought, in batches; then one after another those that gained are
/// made, again from the start where an earlier one of the batch came in between. What they walked is in the
/// trees by then, so the second time costs little. Neither the batches nor what is made of them depends on
/// the number of threads.
class Climb {
  public:
    Climb(GrownParents& parents, std::vector<GrownParents::Visit>& visits, const std::vector<Var>& first,
          Random random, Control& control)
        : parents_(parents),
          visits_(visits),
          control_(control),
          random_(random),
          lead_(visits.front(), first, control),
          helpers_(visits.size()),
          versions_(visits.size()) {
        told_.initial_score = lead_.score();
    }

    void run(std::uint64_t patience) {
        climb();
        keep();
        if (lead_.order().size() < 2) return;
        for (std::uint64_t idle = 0; go_on();) {
            if (idle >= patience) {
                // Shakes settle what is near; whether all is settled is looked at once nothing else gains.
                climb();
                if (lead_.score() <= told_.score + GrownOrder::least_gain) return;
                keep();
                idle = 0;
                continue;
            }
            idle = shake() ? 0 : idle + shakes();
            if (idle == 0) keep();
        }
    }

    /// Improves the sets that were kept beyond what grows, in the order that was kept.
    void polish() {
        Polished polished = polish_parents(parents_.scorer(), parents_.constraints(), order_,
                                           std::move(kept_), visits_.size(), control_);
        kept_ = std::move(polished.parents);
        for (const double gain : polished.gains) told_.score += gain;
    }
    const GrownSearchResult::Restart& told() const { return told_; }
    void give(GrownSearchResult& result) const {
        result.order = order_;
        result.parents = kept_;
        result.score = told_.score;
    }
    std::uint64_t looks() const {
        std::uint64_t sum = lead_.looks();
        for (const auto& helper : helpers_)
            if (helper) sum += helper->looks();
        return sum;
    }

  private:
    /// What a thread made of an order by a shake.
    struct Shaken {
        std::uint64_t seed = 0;
        double gain = -std::numeric_limits<double>::infinity();
        GrownOrder::Snapshot end;
    };

    bool go_on() {
        if (control_.stopped()) return false;
        parents_.trim(control_);
        lead_.refresh();
        return !control_.stopped();
    }
    /// Keeps what is here if it is better: it is worse where walks were stopped.
    void keep() {
        if (!order_.empty() && lead_.score() <= told_.score) return;
        order_ = lead_.order();
        kept_.resize(order_.size());
        for (std::size_t v = 0; v < order_.size(); ++v) {
            const Members now = lead_.parents(static_cast<Var>(v));
            kept_[v].assign(now.begin(), now.end());
        }
        told_.score = lead_.score();
    }
    /// A worker's copy of the order at hand.
    GrownOrder& helper(std::size_t worker) {
        std::optional<GrownOrder>& own = helpers_[worker];
        if (!own) {
            own.emplace(visits_[worker], lead_.order(), control_);
        } else if (versions_[worker] != version_) {
            own->restore(lead_.snapshot());
        }
        versions_[worker] = version_;
        return *own;
    }

    /// Improves variables in random order until none gains: a local optimum.
    void climb() {
        std::vector<Var> turn(lead_.order().size());
        std::iota(turn.begin(), turn.end(), Var{0});
        std::vector<char> gains(variables_at_once);
        for (bool gained = true; gained;) {
            gained = false;
            random_.shuffle(turn);
            for (std::size_t from = 0; from < turn.size() && go_on(); from += variables_at_once) {
                const std::size_t some = std::min(variables_at_once, turn.size() - from);
                ++version_;
                parallel_for(some, visits_.size(), control_, [&](std::size_t task, std::size_t worker) {
                    GrownOrder& own = worker == 0 ? lead_ : helper(worker);
                    const Var v = turn[from + task];
                    gains[task] = own.best_position(v) != own.position(v);
                });
                for (std::size_t i = 0; i < some && !control_.stopped(); ++i)
                    if (gains[i]) gained = lead_.improve(turn[from + i]) || gained;
            }
            if (control_.stopped()) return;
            lead_.settle(random_);
        }
    }

    std::size_t shakes() const { return 16 + 4000 / lead_.order().size(); }
    /// Moves a few variables at random, however many there are, and settles what is around them.
    static void shaken(GrownOrder& order, std::uint64_t seed) {
        Random random(seed);
        const std::size_t n = order.order().size();
        const std::size_t moved = 2 + random.below(1 + std::min<std::size_t>(n / 8, 6));
        order.forget_changes();
        for (std::size_t i = 0; i < moved; ++i) order.move(random.below(n), random.below(n));
        order.settle(random);
    }
    bool shake() {
        std::vector<Shaken> all(shakes());
        for (Shaken& one : all) one.seed = random_.bits();
        const double score = lead_.score();
        ++version_;
        parallel_for(all.size(), visits_.size(), control_, [&](std::size_t task, std::size_t worker) {
            GrownOrder& own = helper(worker);
            shaken(own, all[task].seed);
            all[task].gain = own.score() - score;
            if (all[task].gain >= -GrownOrder::least_gain) all[task].end = own.snapshot();
            versions_[worker] = 0;  // not the order at hand any more
        });
        if (control_.stopped()) return false;
        told_.shakes += all.size();
        bool gained = false;
        for (const Shaken& one : all) {
            if (one.gain <= GrownOrder::least_gain) continue;
            if (!gained) {
                lead_.restore(one.end);
            } else {
                const GrownOrder::Snapshot before = lead_.snapshot();
                const double reached = lead_.score();
                shaken(lead_, one.seed);
                if (lead_.score() < reached - GrownOrder::least_gain) lead_.restore(before);
            }
            gained = true;
        }
        // An order that is as good may be nearer to a better one.
        for (std::size_t i = 0; i < all.size() && !gained; ++i) {
            if (all[i].gain < -GrownOrder::least_gain) continue;
            lead_.restore(all[i].end);
            break;
        }
        return gained;
    }

    static constexpr std::size_t variables_at_once = 32;
    GrownParents& parents_;
    std::vector<GrownParents::Visit>& visits_;
    Control& control_;
    Random random_;
    GrownOrder lead_;
    std::vector<std::optional<GrownOrder>> helpers_;
    std::vector<std::uint64_t> versions_;  // of the order that a helper has
    std::uint64_t version_ = 0;
    GrownSearchResult::Restart told_{};
    std::vector<Var> order_;
    std::vector<std::vector<Var>> kept_;
};

}  // namespace

GrownSearchResult grown_search(const Scorer& scorer, const Constraints& constraints,
                               const GrownSearchOptions& options, Control& control) {
    GrownParents parents(scorer, constraints, control.max_bytes());
    std::vector<GrownParents::Visit> visits(options.threads, GrownParents::Visit(parents));
    const InitialOrders orders(grown_graph(parents, visits, control), options.init, control, options.start);
    GrownSearchResult result;
    for (std::uint64_t number = 0; number < options.restarts && (number == 0 || !control.stopped());
         ++number) {
        Random random(options.seed, options.first + number);
        const std::vector<Var> first = orders.make(random, options.first + number);
        parents.trim(control);
        Climb climb(parents, visits, first, random, control);
        climb.run(options.patience);
        if (!control.stopped()) climb.polish();
        if (number == 0 || climb.told().score > result.score) climb.give(result);
        if (result.restarts.size() < most_recorded) result.restarts.push_back(climb.told());
        ++result.restarts_begun;
        result.looks += climb.looks();
        control.advance(1 / static_cast<double>(options.restarts));
    }
    result.nodes = parents.grown();
    result.clearings = parents.clearings();
    return result;
}

}  // namespace dagscape
