#include "search/equivalence/ges.hpp"

#include <limits>

#include "graphs/extension.hpp"
#include "search/equivalence/greedy_step.hpp"
#include "search/equivalence/widths.hpp"

namespace dagscape {

namespace {

template <typename Set>
class Greedy {
  public:
    using StepRules = typename Boundary<Set>::StepRules;

    /// On some of the variables, or all if there are none.
    Greedy(const Scorer& scorer, Members variables, const GesOptions& options, Control& control)
        : scores_(scorer, variables),
          graph_(variables.empty() ? scorer.variables() : variables.size()),
          control_(control) {
        limits_.max_parents = options.max_parents;
        limits_.most_sets = ~std::size_t{0};
    }
    const Essential<Set>& graph() const { return graph_; }
    std::uint64_t steps() const { return steps_; }

    /// Steps as long as one gains; tells whether any did.
    bool climb(bool inserts, bool deletes) {
        StepRules limits = limits_;
        limits.inserts = inserts;
        limits.deletes = deletes;
        Boundary<Set> boundary(graph_, scores_, limits, &control_);
        boundary.make_all();
        const std::uint64_t before_all = steps_;
        Essential<Set> before = graph_;
        while (!control_.stopped()) {
            const auto step = best_step(boundary, graph_.variables());
            if (!step) break;
            before = graph_;
            step->take(graph_);
            ++steps_;
            boundary.make_near(before, *step);
        }
        return steps_ > before_all;
    }

    /// Turns edges as long as one gains; tells whether any did.
    bool turn() {
        bool turned = false;
        while (!control_.stopped() && turn_best()) turned = true;
        return turned;
    }

  private:
    bool turn_best() {
        StepRules any = limits_;
        any.least_gain = -std::numeric_limits<double>::infinity();
        Boundary<Set> around(graph_, scores_, any, &control_);
        double most = limits_.least_gain;
        Essential<Set> best = graph_;
        for (std::size_t v = 0; v < graph_.variables(); ++v) {
            const Var y = static_cast<Var>(v);
            for (const Var x : graph_.adjacent(y)) {
                around.make_pair(x, y);
                for (const auto& move : around.moves(y)) {
                    const Step<Set> out = around.step(move);
                    if (out.insert || control_.stopped()) continue;
                    Essential<Set> without = graph_;
                    out.take(without);
                    put_back(without, out, any, most, best);
                }
            }
        }
        if (most <= limits_.least_gain) return false;
        graph_ = best;
        ++steps_;
        return true;
    }
    void put_back(const Essential<Set>& without, const Step<Set>& out, const StepRules& any, double& most,
                  Essential<Set>& best) {
        Boundary<Set> again(without, scores_, any, &control_);
        for (const auto& [from, to] : {std::pair(out.x, out.y), std::pair(out.y, out.x)}) {
            again.make_pair(from, to);
            for (const auto& move : again.moves(to)) {
                if (out.gain + move.gain <= most || !again.valid(move)) continue;
                Essential<Set> turned = without;
                again.step(move).take(turned);
                most = out.gain + move.gain;
                best = turned;
            }
        }
    }

    FamilyScores<Set> scores_;
    Essential<Set> graph_;
    StepRules limits_;
    Control& control_;
    std::uint64_t steps_ = 0;
};

template <typename Set>
void run(Greedy<Set>& greedy, const GesOptions& options, Control& control) {
    do {
        if (options.two_phases) {
            greedy.climb(true, false);
            greedy.climb(false, true);
        } else {
            greedy.climb(true, true);
        }
    } while (options.turning && greedy.turn() && !control.stopped());
}

template <typename Set>
ClassSearch search(const Scorer& scorer, const GesOptions& options, Control& control) {
    Greedy<Set> greedy(scorer, {}, options, control);
    run(greedy, options, control);
    ClassSearch found{Pdag(greedy.graph().variables()), Dag(greedy.graph().variables())};
    found.steps = greedy.steps();
    found.done = !control.stopped();
    end_at(found, greedy.graph().pdag(), scorer);
    return found;
}

}  // namespace

ClassSearch ges(const Scorer& scorer, const GesOptions& options, Control& control) {
    return with_sets_for(scorer.variables(),
                         [&]<typename Set>() { return search<Set>(scorer, options, control); });
}

Dag ges_on(const Scorer& scorer, Members variables, const GesOptions& options, Control& control) {
    return with_sets_for(variables.size(), [&]<typename Set>() {
        Greedy<Set> greedy(scorer, variables, options, control);
        run(greedy, options, control);
        return *consistent_extension(greedy.graph().pdag());
    });
}

}  // namespace dagscape
