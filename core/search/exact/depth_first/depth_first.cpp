#include "search/exact/depth_first/depth_first.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "random.hpp"
#include "search/exact/charged_array.hpp"
#include "search/exact/depth_first/explored_sets.hpp"
#include "search/exact/depth_first/node_ascent.hpp"
#include "search/exact/depth_first/node_smoothing.hpp"
#include "search/exact/depth_first/subproblem.hpp"
#include "search/exact/order_graph/width.hpp"

namespace dagscape {

namespace {

/// Smoothed steps are for nodes with at most so many choices above them, and with a gap of at least this
/// share of the first.
constexpr std::size_t smoothed_depth = 6, smoothed_rounds = 6;
constexpr double smoothed_share = 0.03;

std::vector<Var> as_they_are(std::size_t variables) {
    std::vector<Var> numbers(variables);
    std::iota(numbers.begin(), numbers.end(), Var{0});
    return numbers;
}

template <typename Set>
class Search {
  public:
    using Problem = Subproblem<Set>;
    using Cost = typename Problem::Cost;

    Search(const Choices& choices, const CutMultipliers& multipliers, double most, Gap& gap,
           std::size_t threads, Control& control)
        : choices_(choices),
          gap_(gap),
          threads_(threads),
          control_(control),
          costs_(choices, as_they_are(choices.variables()), most),
          cuts_(priced_cuts(multipliers, costs_)),
          top_(cuts_, costs_),
          explored_(control) {}

    DepthFirstWork run() {
        const Charge smoothed(top_.bytes() * threads_, control_);  // a copy of what is being smoothed
        if (prepare(top_) && !control_.stopped()) explore_top();
        if (!control_.stopped()) gap_.raise(costs_.proven(gap_.regret()));
        return {nodes_, steps_, explored_.size()};
    }

  private:
    struct Child {
        Var variable;
        Cost bound;
    };
    Cost limit() const { return costs_.useless(gap_.regret()); }

    /// Places what needs no choice, and drops families. False if nothing is left to explore.
    bool prepare(Problem& problem) {
        if (!problem.place_free(limit())) return false;
        if (problem.left().empty()) {
            offer(problem);
            return false;
        }
        problem.filter(limit());
        return true;
    }

    void explore_top() {
        if (top_.bound() >= limit()) return;
        first_gap_ = limit() - top_.bound();
        if (!explored_.add(top_.placed(), top_.cost())) return;
        // Those with the highest bounds first: what they settle, others need not explore with lower ones.
        std::vector<Child> children = choices(top_);
        parallel_for(children.size(), threads_, control_, [&](std::size_t at, std::size_t) {
            Random random(0, children[at].variable);
            std::uint64_t steps = 0;
            Problem next(top_, children[at].variable, children[at].bound, limit());
            children[at].bound = limit();
            if (next.place(children[at].variable, limit()) && !ascend(next, limit(), random, steps, control_))
                children[at].bound = next.bound();
            steps_ += steps;
        });
        if (control_.stopped()) return;
        Cost least = limit();
        for (const Child& child : children) least = std::min(least, child.bound);
        gap_.raise(std::min(costs_.regret(least), gap_.regret()));
        std::stable_sort(children.begin(), children.end(),
                         [](const Child& a, const Child& b) { return a.bound > b.bound; });
        parallel_for(children.size(), threads_, control_, [&](std::size_t at, std::size_t) {
            Random random(0, children[at].variable);
            std::uint64_t steps = 0;
            explore(top_, children[at].variable, 1, random, steps);
            steps_ += steps;
        });
    }

    /// Variables to be placed next, each with the bound that this gives, the highest first.
    std::vector<Child> choices(const Problem& problem) const {
        std::vector<Child> children;
        typename Problem::Placing placing;
        const Set part = problem.closed_part();
        for (const Var v : part)
            if (problem.placing(v, placing) && placing.bound < limit())
                children.push_back({v, placing.bound});
        std::stable_sort(children.begin(), children.end(),
                         [](const Child& a, const Child& b) { return a.bound > b.bound; });
        return children;
    }

    void explore(const Problem& above, Var child, std::size_t depth, Random& random, std::uint64_t& steps) {
        if (control_.stopped() || gap_.closed()) return;
        typename Problem::Placing placing;
        if (!above.placing(child, placing) || placing.bound >= limit()) return;
        if (explored_.known(above.placed() | child, placing.cost)) return;
        Problem problem(above, child, placing.bound, limit());
        if (!problem.place(child, limit())) return;
        problem.filter(limit());
        const Charge memory(problem.bytes(), control_);
        if (!prepare(problem) || !explored_.add(problem.placed(), problem.cost())) return;
        ++nodes_;
        if (ascend(problem, limit(), random, steps, control_)) return;
        if (depth <= smoothed_depth && wide(problem) &&
            smooth(problem, limit(), smoothed_rounds, random, steps, control_))
            return;
        const Set before = problem.placed();
        if (!prepare(problem)) return;
        if (problem.placed() != before && !explored_.add(problem.placed(), problem.cost())) return;
        for (const Child& next : choices(problem)) explore(problem, next.variable, depth + 1, random, steps);
    }

    bool wide(const Problem& problem) const {
        return static_cast<double>(limit() - problem.bound()) >
               smoothed_share * static_cast<double>(first_gap_);
    }

    void offer(const Problem& problem) {
        Choices::Network network = choices_.along(problem.order());
        gap_.offer(network.regret, std::move(network.places));
    }

    const Choices& choices_;
    Gap& gap_;
    std::size_t threads_;
    Control& control_;
    OrderCosts<Set> costs_;
    std::vector<PricedCut<Set>> cuts_;
    Problem top_;
    ExploredSets<Set> explored_;
    Cost first_gap_ = 0;
    std::atomic<std::uint64_t> nodes_ = 0, steps_ = 0;
};

}  // namespace

DepthFirstWork depth_first(const CutMultipliers& multipliers, Gap& gap, std::size_t threads,
                           Control& control) {
    gap.check_incumbent();
    if (gap.closed() || control.stopped()) return {};
    const KeptChoices choices(multipliers.families());
    return with_width(choices.variables(), [&](auto empty) -> DepthFirstWork {
        using Set = decltype(empty);
        const Charge lists(OrderCosts<Set>::bytes_for(choices) +
                               choices.all_sets() * sizeof(typename Subproblem<Set>::Family),
                           control);
        if (control.stopped()) return {};
        try {
            return with_fine_units(choices, gap, control, [&](double most) {
                return Search<Set>(choices, multipliers, most, gap, threads, control).run();
            });
        } catch (const std::bad_alloc&) {
            control.stop(Stop::memory);
            return {};
        }
    });
}

}  // namespace dagscape
