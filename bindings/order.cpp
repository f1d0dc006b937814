#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <string>

#include "bindings.hpp"
#include "checks.hpp"
#include "run.hpp"
#include "search/exact/dynamic_programming/windows.hpp"
#include "search/order/order_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

InitialOrder init_named(const std::string& name) {
    return named<InitialOrder>(
        "init", name,
        {{"random", InitialOrder::random}, {"dfs", InitialOrder::dfs}, {"fas", InitialOrder::fas}});
}

namespace {

/// Order, score of the initial one, steps and swaps.
using Restarted = std::tuple<std::vector<Var>, double, std::uint64_t, std::uint64_t>;

nb::tuple restarts(ParentLists& parents, const OrderSearchOptions& options, std::optional<double> seconds,
                   std::optional<std::size_t> max_bytes, nb::object progress) {
    if (!options.start.empty()) check_order(options.start, parents.variables());
    auto [found, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        parents.sort(options.threads);
        return order_restarts(parents, options, control);
    });
    std::vector<Restarted> told;
    for (RestartedOrder& one : found)
        told.emplace_back(std::move(one.order), one.initial_score, one.steps, one.swaps);
    return nb::make_tuple(told, stop_name(stopped));
}

nb::dict search(ParentLists& parents, const OrderSearchOptions& options, std::optional<double> seconds,
                std::optional<std::size_t> max_bytes, nb::object progress,
                const std::vector<Restarted>& elsewhere) {
    std::vector<RestartedOrder> restarted;
    if (!options.start.empty()) check_order(options.start, parents.variables());
    for (const auto& [order, initial, steps, swaps] : elsewhere) {
        check_order(order, parents.variables());
        restarted.push_back({order, initial, steps, swaps});
    }
    const auto [found, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        parents.sort(options.threads);
        return order_search(parents, options, control, restarted);
    });
    nb::dict facts;
    facts["stopped"] = stop_name(stopped);
    facts["places"] = found.best.places;
    facts["order"] = found.best.order;
    facts["score"] = found.best.score;
    facts["generations"] = found.generations;
    facts["swaps"] = found.swaps;
    facts["restarts_begun"] = found.restarts_begun;
    facts["sets_left_out"] = found.sets_left_out;
    nb::list restarts;
    for (const auto& restart : found.restarts)
        restarts.append(nb::make_tuple(restart.initial_score, restart.score, restart.steps));
    facts["restarts"] = restarts;
    return facts;
}

nb::tuple improve_block(ParentLists& parents, std::vector<Var> order, std::size_t start, std::size_t length,
                        std::size_t within) {
    check_order(order, parents.variables());
    if (start > order.size() || length > order.size() - start)
        throw Error(ErrorKind::parameter, "the block is not within the order");
    parents.sort();
    const OrderLists lists(parents);
    OrderState here(lists, std::move(order));
    const bool gained = here.improve_block(start, length, within);
    return nb::make_tuple(gained, here.order(), here.places());
}

nb::dict windows(ParentLists& parents, std::vector<Var> order, std::size_t width,
                 std::optional<double> seconds, nb::object progress) {
    check_order(order, parents.variables());
    if (width > 24) throw Error(ErrorKind::parameter, "too wide a window");
    const auto [found, stopped] = run({seconds, {}, std::move(progress)}, [&](Control& control) {
        parents.sort();
        return improve_windows(parents, std::move(order), width, control);
    });
    nb::dict facts;
    facts["order"] = found.order;
    facts["places"] = found.places;
    facts["windows"] = found.windows;
    facts["gains"] = found.gains;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

}  // namespace

void bind_order(nb::module_& m) {
    nb::class_<BestParentGraph>(m, "BestParentGraph", "Every variable with its best parents, cycles or not.")
        .def(
            "__init__",
            [](BestParentGraph* at, const ParentLists& parents, std::optional<double> seconds) {
                Control control(seconds.value_or(std::numeric_limits<double>::infinity()));
                new (at) BestParentGraph(parents, control);
            },
            "parents"_a, "seconds"_a = nb::none())
        .def(
            "__init__",
            [](BestParentGraph* at, std::size_t variables,
               const std::vector<std::tuple<Var, Var, double>>& arcs) {
                std::vector<BestParentGraph::WeightedArc> weighted;
                for (const auto& [from, to, weight] : arcs) {
                    weighted.push_back({checked(from, variables), checked(to, variables), weight});
                }
                new (at) BestParentGraph(variables, std::move(weighted));
            },
            "variables"_a, "arcs"_a)
        .def_prop_ro("arcs",
                     [](const BestParentGraph& graph) {
                         std::vector<std::tuple<Var, Var, double>> arcs;
                         for (const auto& arc : graph.arcs()) arcs.emplace_back(arc.from, arc.to, arc.weight);
                         return arcs;
                     })
        .def(
            "feedback_arcs",
            [](const BestParentGraph& graph, std::optional<double> seconds) {
                Control control(seconds.value_or(std::numeric_limits<double>::infinity()));
                return graph.feedback_arcs(control);
            },
            "seconds"_a = nb::none(), "Places of the arcs to be removed.");
    m.def(
        "initial_order",
        [](const BestParentGraph& graph, const std::string& init, std::uint64_t seed, std::uint64_t restart) {
            Random random(seed, restart);
            Control control;
            return InitialOrders(graph, init_named(init), control).make(random, restart);
        },
        "graph"_a, "init"_a, "seed"_a, "restart"_a = 0);
    nb::class_<OrderSearchOptions>(m, "OrderSearchOptions", "How a search over orders goes.")
        .def(
            "__init__",
            [](OrderSearchOptions* at, const std::string& init, bool insertion, std::uint64_t restarts,
               std::uint64_t most_steps, std::uint64_t generations, std::uint64_t seed, std::size_t threads,
               bool blocks, std::uint64_t first, std::vector<Var> start) {
                new (at) OrderSearchOptions{init_named(init),
                                            insertion,
                                            std::max<std::uint64_t>(restarts, 1),
                                            most_steps,
                                            generations,
                                            seed,
                                            at_least_one(threads),
                                            blocks,
                                            first,
                                            std::move(start)};
            },
            "init"_a, "insertion"_a, "restarts"_a, "most_steps"_a, "generations"_a, "seed"_a, "threads"_a,
            "blocks"_a = false, "first"_a = 0, "start"_a = std::vector<Var>{});
    m.def("order_list_bytes", &OrderLists::bytes_for, "parents"_a, "longest"_a);
    m.def("improve_block", &improve_block, "parents"_a, "order"_a, "start"_a, "length"_a, "within"_a);
    m.def("improve_windows", &windows, "parents"_a, "order"_a, "width"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none());
    m.def("order_search", &search, "parents"_a, "options"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none(), "restarted"_a = std::vector<Restarted>{});
    m.def("order_restarts", &restarts, "parents"_a, "options"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none());
}
