#include "search/equivalence/inclusion_boundary.hpp"

#include <limits>

#include "error.hpp"
#include "search/equivalence/class_search.hpp"
#include "search/equivalence/greedy_step.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

std::vector<std::pair<double, Pdag>> inclusion_boundary(const Scorer& scorer, const Pdag& graph) {
    if (graph.variables() > VarSet::most)
        throw Error(ErrorKind::parameter, "the graph must have at most 64 variables");
    check_essential(graph, scorer.variables());
    FamilyScores<VarSet> scores(scorer);
    const Essential<VarSet> here(graph);
    Boundary<VarSet>::Limits limits;
    limits.least_gain = -std::numeric_limits<double>::infinity();
    limits.most_sets = ~std::size_t{0};
    Boundary<VarSet> boundary(here, scores, limits);
    boundary.make_all();
    std::vector<std::pair<double, Pdag>> classes;
    boundary.each_valid([&](const Boundary<VarSet>::Move& move) {
        Essential<VarSet> next = here;
        const Step<VarSet> step = boundary.step(move);
        step.take(next);
        classes.emplace_back(step.gain, next.pdag());
    });
    return classes;
}

}  // namespace dagscape
