#include "search/equivalence/inclusion_boundary.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "error.hpp"
#include "graphs/essential_graph.hpp"
#include "graphs/extension.hpp"
#include "search/equivalence/class_search.hpp"
#include "search/equivalence/greedy_step.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

namespace {

/// Finds all networks alike.
class Indifference final : public SetFunction {
  public:
    explicit Indifference(std::size_t variables) : variables_(variables) {}
    std::size_t variables() const override { return variables_; }
    double cases() const override { return 0; }
    double joint(Members) const override { return 0; }
    double parameters(Members) const override { return 0; }

  private:
    std::size_t variables_;
};

std::vector<std::pair<double, Pdag>> boundary_of(const Scorer& scorer, const Pdag& graph,
                                                 std::size_t most_sets) {
    if (graph.variables() > VarSet::most)
        throw Error(ErrorKind::parameter, "the graph must have at most 64 variables");
    check_essential(graph, scorer.variables());
    FamilyScores<VarSet> scores(scorer);
    const Essential<VarSet> here(graph);
    Boundary<VarSet>::StepRules limits;
    limits.least_gain = -std::numeric_limits<double>::infinity();
    limits.most_sets = most_sets;
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

void add_turned(const Dag& dag, std::vector<Pdag>& classes) {
    const std::vector<Arc> arcs = dag.arcs();
    for (std::size_t at = 0; at < arcs.size(); ++at) {
        std::vector<Arc> turned = arcs;
        std::swap(turned[at].first, turned[at].second);
        if (find_cycle(dag.variables(), turned).empty())
            classes.push_back(essential_graph(Dag(dag.variables(), turned)));
    }
}

}  // namespace

std::vector<std::pair<double, Pdag>> inclusion_boundary(const Scorer& scorer, const Pdag& graph) {
    return boundary_of(scorer, graph, ~std::size_t{0});
}

std::vector<Pdag> neighboring_classes(const Pdag& graph) {
    constexpr std::size_t some_cache = 1 << 20;
    const Scorer indifferent(std::make_shared<Indifference>(graph.variables()), some_cache);
    const std::size_t most_sets = Boundary<VarSet>::StepRules{}.most_sets;
    std::vector<Pdag> classes;
    for (auto& [gain, neighbor] : boundary_of(indifferent, graph, most_sets))
        classes.push_back(std::move(neighbor));
    if (const std::optional<Dag> dag = consistent_extension(graph)) add_turned(*dag, classes);
    return classes;
}

}  // namespace dagscape
