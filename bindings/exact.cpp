#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "checks.hpp"
#include "run.hpp"
#include "same_score.hpp"
#include "search/exact/component.hpp"
#include "search/exact/dual_bound/dual_bound.hpp"
#include "search/exact/dynamic_programming/dynamic_programming.hpp"
#include "search/exact/gap.hpp"
#include "search/exact/incumbent.hpp"
#include "search/exact/order_graph/astar.hpp"
#include "search/exact/order_graph/width.hpp"
#include "search/exact/systematic/systematic.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

nb::dict incumbent(const Component& component, Gap& gap, std::uint64_t seed, std::optional<double> seconds,
                   nb::object progress) {
    const auto [swaps, stopped] = run({seconds, {}, std::move(progress)}, [&](Control& control) {
        return find_incumbent(component, seed, gap, control);
    });
    nb::dict facts;
    facts["swaps"] = swaps;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

nb::dict dp(const Component& component, Gap& gap, std::size_t threads, std::optional<double> seconds,
            std::optional<std::size_t> max_bytes, nb::object progress) {
    const auto [work, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        return dynamic_programming(component.parents, at_least_one(threads), gap, control);
    });
    nb::dict facts;
    facts["order_nodes"] = work.nodes;
    facts["order_edges"] = work.edges;
    facts["bytes"] = work.bytes;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

const HeuristicKind* heuristic_named(const std::string& name) {
    std::vector<std::pair<std::string_view, const HeuristicKind*>> choices;
    for (const HeuristicKind* kind : heuristics()) choices.emplace_back(kind->name(), kind);
    return named("heuristic", name, choices);
}

AstarOptions options_of(const std::string& heuristic, bool forced_moves, const DualBound* bound) {
    const AstarOptions options{heuristic_named(heuristic), forced_moves,
                               bound == nullptr ? nullptr : &bound->multipliers()};
    if (options.heuristic->from_multipliers() && bound == nullptr)
        throw Error(ErrorKind::parameter, "the heuristic \"" + heuristic + "\" needs multipliers");
    return options;
}

nb::dict a_star(const Choices& choices, const AstarOptions& options, Gap& gap, std::optional<double> seconds,
                std::optional<std::size_t> max_bytes, nb::object progress) {
    const auto [work, stopped] = run({seconds, max_bytes, std::move(progress)},
                                     [&](Control& control) { return astar(choices, options, gap, control); });
    nb::dict facts;
    facts["order_nodes"] = work.nodes;
    facts["order_nodes_expanded"] = work.expanded;
    facts["order_edges"] = work.edges;
    facts["pattern_sets"] = work.heuristic.pattern_sets;
    facts["priced_clusters"] = work.heuristic.clusters;
    facts["bytes"] = work.bytes;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

nb::dict cycles(const Component& component, Gap& gap, bool clusters, std::optional<double> seconds,
                std::optional<std::size_t> max_bytes, nb::object progress) {
    const auto [work, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        return systematic(component.parents, gap, control, {clusters});
    });
    nb::dict facts;
    facts["subproblems"] = work.nodes;
    facts["subproblems_expanded"] = work.expanded;
    facts["lookups"] = work.lookups;
    facts["bytes"] = work.bytes;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

}  // namespace

void bind_exact(nb::module_& m) {
    m.def(
        "heuristics",
        [] {
            std::vector<std::string> names;
            for (const HeuristicKind* kind : heuristics()) names.emplace_back(kind->name());
            return names;
        },
        "The heuristics of A*.");
    m.attr("SAME_SCORE") = same_score;
    nb::class_<Component>(m, "Component", "Variables that must be solved together.")
        .def_ro("variables", &Component::variables)
        .def_prop_ro(
            "parents", [](Component& c) -> ParentLists& { return c.parents; },
            nb::rv_policy::reference_internal)
        .def_prop_ro("relaxed_score", &Component::relaxed_score)
        .def("whole_places", &Component::whole_places, "chosen"_a,
             "Places in the lists of the whole problem.");
    m.def(
        "components",
        [](ParentLists& parents, bool split) {
            return unlocked([&] {
                parents.sort();
                return split ? components(parents) : std::vector<Component>{undivided(parents)};
            });
        },
        "parents"_a, "split"_a = true);
    m.def(
        "components_in_time",
        [](ParentLists& parents, bool split, std::size_t threads, std::optional<double> seconds,
           nb::object progress) {
            auto [found, stopped] = run({seconds, {}, std::move(progress)}, [&](Control& control) {
                parents.sort(at_least_one(threads), control);
                if (control.stopped()) return std::vector<Component>{};
                if (split) return components(parents, control);
                return std::vector<Component>{undivided(parents, control)};
            });
            if (stopped != Stop::none) found.clear();
            return std::pair(std::move(found), std::string(stop_name(stopped)));
        },
        "parents"_a, "split"_a, "threads"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(),
        "The components, and what stopped it; then there are none.");

    nb::class_<Gap>(m, "Gap", "The best network found and a bound on all others, as regrets.")
        .def(nb::init<>())
        .def_prop_ro("regret", &Gap::regret)
        .def_prop_ro("bound", &Gap::bound)
        .def_prop_ro("closed", &Gap::closed)
        .def_prop_ro("chosen", &Gap::chosen)
        .def("offer", &Gap::offer, "regret"_a, "chosen"_a)
        .def("raise_bound", &Gap::raise, "bound"_a);

    m.def("find_incumbent", &incumbent, "component"_a, "gap"_a, "seed"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none());
    m.def(
        "improve_order",
        [](const Component& component, std::vector<Var> order, std::uint64_t seed, Gap& gap) {
            check_order(order, component.variables.size());
            Control control;
            unlocked([&] { improve_order(component, std::move(order), seed, gap, control); });
        },
        "component"_a, "order"_a, "seed"_a, "gap"_a);
    m.def("dynamic_programming", &dp, "component"_a, "gap"_a, "threads"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none());
    m.attr("MOST_FOR_ORDERS") = most_for_orders;
    m.def(
        "astar",
        [](const Component& component, Gap& gap, const std::string& heuristic, bool forced_moves,
           std::optional<double> seconds, std::optional<std::size_t> max_bytes, nb::object progress) {
            return a_star(ListedChoices(component.parents), options_of(heuristic, forced_moves, nullptr), gap,
                          seconds, max_bytes, std::move(progress));
        },
        "component"_a, "gap"_a, "heuristic"_a, "forced_moves"_a, "seconds"_a = nb::none(),
        "max_bytes"_a = nb::none(), "progress"_a = nb::none());
    m.def(
        "astar",
        [](DualBound& bound, Gap& gap, const std::string& heuristic, bool forced_moves,
           std::optional<double> seconds, std::optional<std::size_t> max_bytes, nb::object progress) {
            gap.check_incumbent();
            return a_star(KeptChoices(bound.families()), options_of(heuristic, forced_moves, &bound), gap,
                          seconds, max_bytes, std::move(progress));
        },
        "bound"_a, "gap"_a, "heuristic"_a, "forced_moves"_a, "seconds"_a = nb::none(),
        "max_bytes"_a = nb::none(), "progress"_a = nb::none(),
        "A* over the parent sets that the bound has not dropped, with its multipliers.");
    m.def(
        "least_rests",
        [](DualBound& bound, const std::string& heuristic, double most,
           const std::vector<std::vector<Var>>& left) {
            std::vector<std::vector<Var>> sets;
            for (const auto& members : left)
                sets.push_back(checked_set(members, bound.families().variables()));
            return least_rests(KeptChoices(bound.families()), options_of(heuristic, true, &bound), most,
                               sets);
        },
        "bound"_a, "heuristic"_a, "most"_a, "left"_a,
        "What it costs at least, by a heuristic of A*, to place each of these sets after all others.");
    m.def("systematic", &cycles, "component"_a, "gap"_a, "clusters"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none());
    m.def("dynamic_programming_bytes", &dynamic_programming_bytes, "variables"_a, "threads"_a);
}
