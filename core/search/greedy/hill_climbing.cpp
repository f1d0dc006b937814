#include "search/greedy/hill_climbing.hpp"

#include <algorithm>

#include "parallel.hpp"
#include "search/greedy/greedy_state.hpp"
#include "search/greedy/perturbation.hpp"

namespace dagscape {

namespace {

/// What families that are kept may take at most.
constexpr std::size_t most_memo_bytes = std::size_t{1} << 30;
constexpr std::uint64_t longest_round = 64;

struct ClimbWork {
    std::uint64_t steps = 0;
    std::uint64_t looked_at = 0;
};

/// Arcs drawn before each step. More found little more, and cost as much as the steps on 1,000 variables.
std::size_t wander_draws(std::size_t variables) { return 10 + variables / 2; }

/// Whether some covered arcs may be turned without a change of the score.
bool may_wander(const SetFunction& function) { return function.equivalent() || function.kinds() > 1; }

/// How one climb goes.
struct ClimbPlan {
    double step;       // of gains
    std::size_t tabu;  // 0: only moves that gain are taken
    std::uint64_t patience;
    bool wander;
};

/// Climbs until patience ends; leaves the state at the best network on the way.
void climb(GreedyState& state, const ClimbPlan& plan, Random& random, Control& control, ClimbWork& work) {
    TabuList tabu(plan.tabu);
    std::optional<GreedyState> best;  // once the state has left it
    for (std::uint64_t waited = 0; waited < plan.patience && !control.stopped();) {
        if (plan.wander && waited == 0) wander(state, wander_draws(state.variables()), random);
        tabu.push(state.key());
        const auto move = state.best_move(tabu, work.looked_at);
        if (!move || (plan.tabu == 0 && move->gain <= 0)) break;
        if (!best && move->gain <= plan.step) best = state;  // a larger gain is a new best
        const double record = best ? best->score() : state.score();
        state.take(*move);
        ++work.steps;
        ++waited;
        // Half a step is more than scores of equivalent networks can differ by, so records are few.
        if (state.score() > record + plan.step / 2) {
            best.reset();
            waited = 0;
        } else if (!best) {
            best = state;  // among near copies of columns gains are off by more, and promised too much
        }
    }
    if (best) state = std::move(*best);
}

/// A climb, and those from its result, on several threads.
class Climbs {
  public:
    Climbs(const GreedyProblem& problem, std::size_t families, const HillClimbOptions& options,
           Control& control)
        : options_(options),
          first_{problem.step(), options.tabu, options.patience,
                 options.wander && may_wander(problem.scorer().function())},
          again_{first_.step, 0, 1, first_.wander},
          control_(control),
          memo_(families),
          share_(1 / (static_cast<double>(options.restarts) + 1)) {
        for (std::size_t thread = 0; thread < std::max<std::size_t>(1, options.threads); ++thread)
            makers_.emplace_back(problem, memo_);
    }

    /// Computes the families of the first network side by side.
    void prepare(const std::vector<std::vector<Var>>& parents) {
        parallel_for(parents.size(), makers_.size(), control_, [&](std::size_t child, std::size_t worker) {
            makers_[worker](static_cast<Var>(child), parents[child]);
        });
    }

    /// From the network of the state to the best one found.
    void run(GreedyState& best, HillClimb& result) {
        ClimbWork work;
        Random random(options_.seed, 0);
        climb(best, first_, random, control_, work);
        control_.advance(share_);
        add(work, result);
        std::uint64_t round = 1;
        while (result.restarts < options_.restarts && !control_.stopped()) {
            round = std::min({round, longest_round, options_.restarts - result.restarts});
            const bool improved = restart(round, best, result);
            round = improved ? 1 : 2 * round;
        }
    }

    FamilyGainsMaker& maker() { return makers_.front(); }
    std::uint64_t scored() const {
        std::uint64_t all = 0;
        for (const FamilyGainsMaker& maker : makers_) all += maker.scored();
        return all;
    }

  private:
    /// A round of restarts from the best network, which the best of them replaces if it is no worse. Tells
    /// whether one of them is better.
    bool restart(std::uint64_t round, GreedyState& best, HillClimb& result) {
        std::vector<std::optional<GreedyState>> found(round);
        std::vector<ClimbWork> work(round);
        parallel_for(round, makers_.size(), control_, [&](std::size_t task, std::size_t worker) {
            Random random(options_.seed, 1 + result.restarts + task);
            GreedyState state(best, makers_[worker]);
            perturb(state, options_.perturb, random);
            climb(state, again_, random, control_, work[task]);
            found[task].emplace(std::move(state), makers_.front());
            control_.advance(share_);
        });
        const double before = best.score();
        const double tie = first_.step / 256;  // rounding errors are below it
        for (std::uint64_t task = 0; task < round; ++task) {
            add(work[task], result);
            if (!found[task]) continue;
            ++result.restarts;
            if (found[task]->score() > before + first_.step / 2) ++result.improved;
            if (found[task]->score() >= best.score() - tie) best = std::move(*found[task]);
        }
        return best.score() > before + first_.step / 2;
    }
    static void add(const ClimbWork& work, HillClimb& result) {
        result.steps += work.steps;
        result.looked_at += work.looked_at;
    }

    const HillClimbOptions& options_;
    ClimbPlan first_, again_;
    Control& control_;
    FamilyGainsMemo memo_;
    double share_;                          // of the work, that one climb is
    std::vector<FamilyGainsMaker> makers_;  // one for each thread
};

std::vector<std::vector<Var>> parents_of(const std::vector<Arc>& arcs, std::size_t variables) {
    std::vector<std::vector<Var>> parents(variables);
    for (const auto& [from, to] : arcs) parents[to].push_back(from);
    for (std::vector<Var>& set : parents) std::sort(set.begin(), set.end());
    return parents;
}

}  // namespace

std::optional<HillClimb> hill_climbing(const Scorer& scorer, const Constraints& constraints,
                                       const std::vector<Arc>& start, const HillClimbOptions& options,
                                       Control& control) {
    const std::size_t n = scorer.variables();
    const std::size_t states = 2 * std::max<std::size_t>(1, options.threads) + 1;
    const std::size_t bytes = scorer.function().extender_bytes() + states * GreedyState::bytes_for(n) +
                              n * FamilyGains::bytes_for(constraints);
    control.charge(bytes);
    if (control.why() == Stop::memory) return {};
    HillClimb result;
    result.arcs = start;
    if (!control.stopped()) {
        const GreedyProblem problem(scorer, constraints);
        const std::size_t spare = std::min((control.max_bytes() - bytes) / 2, most_memo_bytes);
        Climbs climbs(problem, spare / FamilyGains::bytes_for(constraints), options, control);
        climbs.prepare(parents_of(start, n));
        if (!control.stopped()) {
            GreedyState state(problem, climbs.maker(), start);
            climbs.run(state, result);
            result.arcs = state.arcs();
        }
        result.scored = climbs.scored();
    }
    const std::vector<std::vector<Var>> parents = parents_of(result.arcs, n);
    for (std::size_t v = 0; v < n; ++v) result.score += scorer.local(static_cast<Var>(v), parents[v]);
    return result;
}

}  // namespace dagscape
