#include "search/exact/dual_bound/dual_bound.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "run.hpp"
#include "search/exact/component.hpp"
#include "search/exact/depth_first/depth_first.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

nb::dict raise_bound(DualBound& bound, Gap& gap, std::optional<std::uint64_t> rounds,
                     std::optional<double> seconds, std::optional<std::size_t> max_bytes,
                     nb::object progress) {
    constexpr auto endless = std::numeric_limits<std::uint64_t>::max();
    const auto [work, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        return bound.raise(gap, rounds.value_or(endless), control);
    });
    nb::dict facts;
    facts["dual_rounds"] = work.rounds;
    facts["dual_clusters"] = work.clusters;
    facts["dual_hull_cuts"] = work.hull_cuts;
    facts["dual_sweeps"] = work.sweeps;
    facts["dual_multipliers"] = work.multipliers;
    facts["dual_sets_left"] = work.sets_left;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

/// Members, the least number of parents among them that excludes a family, right side, table, multiplier.
using Multiplied = std::tuple<std::vector<Var>, std::uint32_t, double, std::vector<double>, double>;

std::vector<Multiplied> multipliers(DualBound& bound) {
    const CutMultipliers& found = bound.multipliers();
    std::vector<Multiplied> result;
    for (std::size_t at = 0; at < found.size(); ++at) {
        const Cut& cut = bound.families().cut(found.cuts()[at]);
        result.emplace_back(cut.members, cut.least, cut.right, cut.table, found.values()[at]);
    }
    return result;
}

double credit(const DualBound& bound, Families& families, Var child, const std::vector<Var>& parents) {
    const std::size_t n = families.variables();
    const auto within = [&](Var v) { return v < n; };
    if (!within(child) || !std::all_of(parents.begin(), parents.end(), within))
        throw nb::index_error("no such variable");
    return bound.multipliers().credit(child, parents);
}

nb::dict prove_depth_first(DualBound& bound, Gap& gap, std::size_t threads, std::optional<double> seconds,
                           std::optional<std::size_t> max_bytes, nb::object progress) {
    const auto [work, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        return depth_first(bound.multipliers(), gap, at_least_one(threads), control);
    });
    nb::dict facts;
    facts["depth_first_nodes"] = work.nodes;
    facts["depth_first_steps"] = work.steps;
    facts["depth_first_sets"] = work.sets;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

}  // namespace

void bind_dual_bound(nb::module_& m) {
    nb::class_<DualBound>(m, "DualBound", "A bound on all networks from multipliers of cuts.")
        .def(
            "__init__",
            [](DualBound* self, Component& component, std::size_t threads, std::uint64_t seed, bool hulls) {
                component.parents.sort();
                unlocked([&] {
                    new (self) DualBound(component.parents, {at_least_one(threads), seed, hulls});
                    return 0;
                });
            },
            "component"_a, "threads"_a = 1, "seed"_a = 0, "hulls"_a = true)
        .def_static(
            "bytes_for", [](const Component& component) { return DualBound::bytes_for(component.parents); },
            "component"_a)
        .def(
            "begin_at",
            [](DualBound& bound, const std::vector<std::uint32_t>& cuts,
               const std::vector<double>& multipliers, double temperature) {
                if (cuts.size() != multipliers.size())
                    throw nb::value_error("as many multipliers as cuts are needed");
                if (!(temperature > 0)) throw nb::value_error("the temperature must be above 0");
                bound.begin_at(cuts, multipliers, temperature);
            },
            "cuts"_a, "multipliers"_a, "temperature"_a,
            "Begins at multipliers of cuts that the families were told.")
        .def("raise_bound", &raise_bound, "gap"_a, "rounds"_a = nb::none(), "seconds"_a = nb::none(),
             "max_bytes"_a = nb::none(), "progress"_a = nb::none())
        .def_prop_ro("bound", &DualBound::bound)
        .def_prop_ro("done", &DualBound::done)
        .def_prop_ro("families", &DualBound::families, nb::rv_policy::reference_internal)
        .def("multipliers", &multipliers, "Each cut of the best bound so far with its multiplier.")
        .def(
            "credit",
            [](DualBound& bound, Var child, const std::vector<Var>& parents) {
                return credit(bound, bound.families(), child, parents);
            },
            "child"_a, "parents"_a, "What the multipliers take off the regret of a set.")
        .def(
            "cuts",
            [](const DualBound& bound) {
                const auto cuts = bound.multipliers().cuts();
                return array_of(std::vector<std::uint32_t>(cuts.begin(), cuts.end()));
            },
            "The cuts of the best bound so far, by their numbers in the families.")
        .def(
            "solution",
            [](const DualBound& bound) {
                const WeightedFamilies& found = bound.solution();
                return nb::make_tuple(array_of(std::vector<std::uint32_t>(found.columns)),
                                      array_of(std::vector<double>(found.weights)));
            },
            "Families with their weights in the last round.");
    m.def("depth_first", &prove_depth_first, "bound"_a, "gap"_a, "threads"_a = 1, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none(),
          "Closes the gap by a depth-first search over orders, with multipliers of its own at every node.");
}
