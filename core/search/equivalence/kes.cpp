#include "search/equivalence/kes.hpp"

#include "search/equivalence/greedy_step.hpp"
#include "search/equivalence/sampled_kes.hpp"
#include "search/equivalence/widths.hpp"

namespace dagscape {

namespace {

template <typename Set>
ClassSearch listed(const Scorer& scorer, const KesOptions& options, Random& random, Control& control) {
    const std::size_t n = scorer.variables();
    FamilyScores<Set> scores(scorer);
    Essential<Set> graph = options.start ? Essential<Set>(*options.start) : Essential<Set>(n);
    typename Boundary<Set>::StepRules limits;
    limits.max_parents = options.max_parents;
    if (options.neighborhood == Neighborhood::exact) limits.most_sets = ~std::size_t{0};
    Boundary<Set> boundary(graph, scores, limits, &control);
    boundary.make_all();
    ClassSearch found{Pdag(n), Dag(n)};
    DrawnStep<Set> drawn_step(options.k);
    Essential<Set> before = graph;
    while (!boundary.large() && found.steps < options.max_steps && !control.stopped()) {
        std::uint64_t better = 0;
        const auto step = drawn_step(boundary, random, better);
        if (!step && control.stopped()) break;
        if (!step) {
            end_at(found, graph.pdag(), scorer);
            return found;
        }
        found.classes += better;
        ++found.steps;
        before = graph;
        step->take(graph);
        if (options.from_scratch)
            boundary.make_all();
        else
            boundary.make_near(before, *step);
    }
    found.done = false;
    end_at(found, graph.pdag(), scorer);
    if (boundary.large() && !control.stopped()) sampled_kes(scorer, options, random, control, found);
    return found;
}

}  // namespace

ClassSearch kes(const Scorer& scorer, const KesOptions& options, Random& random, Control& control) {
    const std::size_t n = scorer.variables();
    if (options.start) check_essential(*options.start, n);
    if (options.neighborhood != Neighborhood::sampled)
        return with_sets_for(n,
                             [&]<typename Set>() { return listed<Set>(scorer, options, random, control); });
    ClassSearch found{Pdag(n), Dag(n)};
    end_at(found, options.start.value_or(Pdag(n)), scorer);
    sampled_kes(scorer, options, random, control, found);
    return found;
}

}  // namespace dagscape
