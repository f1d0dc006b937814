#include "search/equivalence/class_search.hpp"

#include <cassert>
#include <optional>
#include <string>

#include "error.hpp"
#include "graphs/essential_graph.hpp"
#include "graphs/extension.hpp"

namespace dagscape {

void check_essential(const Pdag& graph, std::size_t variables) {
    if (graph.variables() != variables)
        throw Error(ErrorKind::parameter, "a class of " + std::to_string(variables) +
                                              " variables is needed, got " +
                                              std::to_string(graph.variables()));
    const std::optional<Dag> dag = consistent_extension(graph);
    if (!dag || !(essential_graph(*dag) == graph))
        throw Error(ErrorKind::parameter, "the graph is not the essential graph of a class");
}

void end_at(ClassSearch& search, Pdag graph, const Scorer& scorer) {
    std::optional<Dag> dag = consistent_extension(graph);
    assert(dag);
    search.graph = std::move(graph);
    search.dag = std::move(*dag);
    search.score = 0;
    for (std::size_t v = 0; v < search.dag.variables(); ++v) {
        const Var child = static_cast<Var>(v);
        search.score += scorer.local(child, search.dag.parents(child).members());
    }
}

void end_at(ClassSearch& search, const Dag& dag, const Scorer& scorer) {
    end_at(search, essential_graph(dag), scorer);
}

}  // namespace dagscape
