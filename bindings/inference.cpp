#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <tuple>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "inference/clique_tree.hpp"
#include "inference/predictions.hpp"
#include "inference/propagation.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using Rows = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Likelihoods = std::vector<std::vector<double>>;

TableNetwork network_of(std::vector<std::size_t> arities, const std::vector<std::vector<Var>>& parents,
                        const std::vector<InputArray<double>>& tables) {
    const std::size_t n = arities.size();
    if (n == 0 || parents.size() != n || tables.size() != n)
        throw Error(ErrorKind::parameter, "every variable needs its parents and a table");
    TableNetwork network{std::move(arities), {}};
    for (Var v = 0; v < n; ++v) {
        std::vector<Var> scope = parents[v];
        scope.push_back(v);
        checked_set(scope, n);
        std::size_t cells = 1;
        for (const Var u : scope) cells *= network.arities[u];
        if (cells == 0 || tables[v].size() != cells)
            throw Error(ErrorKind::parameter, "a table does not have a cell for each combination of states");
        network.families.push_back({parents[v], {tables[v].data(), tables[v].data() + cells}});
    }
    return network;
}

Evidence evidence_of(const TableNetwork& network, std::vector<int> states, Likelihoods likelihoods) {
    const std::size_t n = network.variables();
    if (states.size() != n || likelihoods.size() != n)
        throw Error(ErrorKind::parameter, "evidence needs a place for each variable");
    for (Var v = 0; v < n; ++v) {
        if (states[v] < 0)
            states[v] = Evidence::unknown;
        else if (static_cast<std::size_t>(states[v]) >= network.arities[v])
            throw Error(ErrorKind::parameter, "there is no such state");
        if (!likelihoods[v].empty() && (likelihoods[v].size() != network.arities[v] || states[v] >= 0))
            throw Error(ErrorKind::parameter,
                        "weights are for each state of a variable that is not observed");
    }
    return {std::move(states), std::move(likelihoods)};
}

Question question_of(const TableNetwork& network, const Evidence& evidence, std::vector<Var> wanted) {
    Question question{std::vector<bool>(network.variables()), std::move(wanted), true, {}};
    for (Var v = 0; v < network.variables(); ++v) question.observed[v] = evidence.observed(v);
    for (Var v = 0; v < network.variables(); ++v)
        if (!evidence.likelihoods[v].empty()) question.weighted.push_back(v);
    return question;
}

nb::tuple joint(const TableNetwork& network, std::vector<Var> wanted, std::vector<int> states,
                Likelihoods likelihoods, std::size_t most_cells) {
    wanted = checked_set(std::move(wanted), network.variables());
    const Evidence evidence = evidence_of(network, std::move(states), std::move(likelihoods));
    for (const Var v : wanted)
        if (evidence.observed(v)) throw Error(ErrorKind::parameter, "what is observed cannot be asked for");
    if (wanted.empty()) throw Error(ErrorKind::parameter, "a variable must be asked for");
    auto [values, log_evidence] = unlocked([&] {
        const CliqueTree tree(network, question_of(network, evidence, wanted), most_cells);
        Propagation messages(network, tree);
        const double log_probability = messages.collect(evidence);
        return std::pair(messages.joint(wanted), log_probability);
    });
    return nb::make_tuple(array_of(std::move(values)), log_evidence);
}

/// The distributions of all variables, one after the other.
nb::tuple marginals(const TableNetwork& network, std::vector<int> states, Likelihoods likelihoods,
                    std::size_t most_cells) {
    const Evidence evidence = evidence_of(network, std::move(states), std::move(likelihoods));
    auto [values, log_evidence] = unlocked([&] {
        const CliqueTree tree(network, question_of(network, evidence, {}), most_cells);
        Propagation messages(network, tree);
        const double log_probability = messages.collect(evidence);
        std::vector<double> all;
        if (std::isinf(log_probability)) return std::pair(all, log_probability);
        messages.distribute(evidence);
        for (Var v = 0; v < network.variables(); ++v) {
            std::vector<double> one(network.arities[v], 0.0);
            if (evidence.observed(v))
                one[static_cast<std::size_t>(evidence.states[v])] = 1;
            else
                one = messages.marginal(v);
            all.insert(all.end(), one.begin(), one.end());
        }
        return std::pair(all, log_probability);
    });
    return nb::make_tuple(array_of(std::move(values)), log_evidence);
}

std::tuple<std::vector<int>, double> most_probable(const TableNetwork& network, std::vector<int> states,
                                                   Likelihoods likelihoods, std::size_t most_cells) {
    const Evidence evidence = evidence_of(network, std::move(states), std::move(likelihoods));
    return unlocked([&] {
        const CliqueTree tree(network, question_of(network, evidence, {}), most_cells);
        Propagation messages(network, tree);
        const double log_probability = messages.collect_greatest(evidence);
        std::vector<int> best = evidence.states;
        if (!std::isinf(log_probability)) messages.decode(best);
        return std::tuple(best, log_probability);
    });
}

std::tuple<double, double> cost(const TableNetwork& network, const std::vector<bool>& observed,
                                std::vector<Var> wanted) {
    if (observed.size() != network.variables())
        throw Error(ErrorKind::parameter, "evidence needs a place for each variable");
    const TreeCost found =
        tree_cost(network, {observed, checked_set(std::move(wanted), network.variables()), true, {}});
    return {found.largest, found.cells};
}

nb::tuple predict(const TableNetwork& network, const Rows& rows, Var target, std::size_t most_cells,
                  std::size_t threads, std::optional<double> seconds, nb::object progress) {
    checked(target, network.variables());
    if (rows.shape(1) != network.variables())
        throw Error(ErrorKind::parameter, "a row must have a code for each variable");
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows.data()[i] >= static_cast<std::int32_t>(network.arities[i % network.variables()]))
            throw Error(ErrorKind::parameter, "there is no such state");
    auto [values, stopped] = run({seconds, {}, std::move(progress)}, [&](Control& control) {
        return predictions(network, {rows.data(), rows.size()}, target, most_cells, at_least_one(threads),
                           control);
    });
    return nb::make_tuple(array_of(std::move(values), rows.shape(0), network.arities[target]),
                          stop_name(stopped));
}

}  // namespace

void bind_inference(nb::module_& m) {
    nb::class_<TableNetwork>(m, "TableNetwork")
        .def(
            "__init__",
            [](TableNetwork* self, std::vector<std::size_t> arities,
               const std::vector<std::vector<Var>>& parents, const std::vector<InputArray<double>>& tables) {
                new (self) TableNetwork(network_of(std::move(arities), parents, tables));
            },
            "arities"_a, "parents"_a, "tables"_a)
        .def("joint", &joint, "wanted"_a, "states"_a, "likelihoods"_a, "most_cells"_a)
        .def("marginals", &marginals, "states"_a, "likelihoods"_a, "most_cells"_a)
        .def("most_probable", &most_probable, "states"_a, "likelihoods"_a, "most_cells"_a)
        .def("cost", &cost, "observed"_a, "wanted"_a)
        .def("predict", &predict, "rows"_a, "target"_a, "most_cells"_a, "threads"_a, "seconds"_a = nb::none(),
             "progress"_a = nb::none());
}
