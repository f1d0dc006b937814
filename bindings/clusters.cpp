#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "buffers.hpp"
#include "run.hpp"
#include "search/exact/component.hpp"
#include "search/exact/integer_program/clusters.hpp"
#include "search/exact/integer_program/families.hpp"
#include "search/exact/integer_program/hulls.hpp"
#include "search/exact/integer_program/linear_program.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using Numbers = InputArray<std::uint32_t>;
using Values = InputArray<double>;

nb::tuple entries(const Families& families, const Numbers& cuts, const Numbers& columns) {
    CutRows rows = unlocked([&] { return cut_rows(families, span_of(cuts), span_of(columns)); });
    return nb::make_tuple(array_of(std::move(rows.begins)), array_of(std::move(rows.places)),
                          array_of(std::move(rows.coefficients)));
}

nb::tuple arcs(const Families& families, const Numbers& columns, const Values& x) {
    ArcWeights found = arc_weights(families, span_of(columns), span_of(x));
    return nb::make_tuple(array_of(std::move(found.parents)), array_of(std::move(found.children)),
                          array_of(std::move(found.weights)));
}

/// What a function says of each number.
template <typename T, typename Function>
auto for_each(const Numbers& columns, Function function) {
    std::vector<T> result;
    result.reserve(columns.size());
    for (const std::uint32_t column : span_of(columns)) result.push_back(static_cast<T>(function(column)));
    return array_of(std::move(result));
}

/// Members, the least number of parents among them that excludes a family, right side, table.
using ToldCut = std::tuple<std::vector<Var>, std::uint32_t, double, std::vector<double>>;

constexpr std::size_t most_in_table = 16;

Cut cut_of(ToldCut told, std::size_t variables) {
    auto& [members, least, right, table] = told;
    const bool ascending =
        std::adjacent_find(members.begin(), members.end(), std::greater_equal<>()) == members.end();
    if (members.empty() || !ascending || members.back() >= variables)
        throw nb::index_error("members must be variables, in ascending order");
    if (!table.empty() &&
        (members.size() > most_in_table || table.size() != members.size() << members.size()))
        throw nb::index_error("a table must have a place for each member and set of members");
    return {std::move(members), least, right, std::move(table)};
}

}  // namespace

void bind_clusters(nb::module_& m) {
    nb::class_<ArcDecisions>(m, "ArcDecisions", "Arcs that are required and arcs that are forbidden.")
        .def(nb::init<std::size_t>(), "variables"_a)
        .def("forbid", &ArcDecisions::forbid, "parent"_a, "child"_a)
        .def("require", &ArcDecisions::require, "parent"_a, "child"_a)
        .def("decided", &ArcDecisions::decided, "parent"_a, "child"_a);

    nb::class_<Families::Network>(m, "RoundedNetwork", "A network along an order.")
        .def_ro("regret", &Families::Network::regret)
        .def_ro("chosen", &Families::Network::chosen)
        .def_ro("order", &Families::Network::order);

    nb::class_<Families>(m, "Families", "The columns and cuts of an integer program.")
        .def(
            "__init__",
            [](Families* self, Component& component) {
                component.parents.sort();
                new (self) Families(component.parents);
            },
            "component"_a)
        .def_prop_ro("variables", &Families::variables)
        .def_prop_ro("columns", &Families::columns)
        .def_prop_ro("kept", &Families::kept)
        .def_prop_ro("greatest_regret", &Families::greatest_regret)
        .def(
            "best", [](const Families& f, std::size_t per_child) { return array_of(f.best(per_child)); },
            "per_child"_a)
        .def("column", &Families::column, "child"_a, "place"_a)
        .def(
            "regrets",
            [](const Families& f, const Numbers& columns) {
                return for_each<double>(columns, [&](std::uint32_t c) { return f.regret(c); });
            },
            "columns"_a)
        .def(
            "children",
            [](const Families& f, const Numbers& columns) {
                return for_each<std::int32_t>(columns, [&](std::uint32_t c) { return f.child(c); });
            },
            "columns"_a)
        .def("arcs", &arcs, "columns"_a, "x"_a)
        .def(
            "obey",
            [](const Families& f, const Numbers& columns, const ArcDecisions& decisions) {
                return for_each<std::uint8_t>(columns,
                                              [&](std::uint32_t c) { return f.obeys(c, decisions); });
            },
            "columns"_a, "decisions"_a)
        .def(
            "told",
            [](const Families& f, const Numbers& cuts) {
                std::vector<ToldCut> told;
                for (const std::uint32_t number : span_of(cuts)) {
                    const Cut& cut = f.cut(number);
                    told.emplace_back(cut.members, cut.least, cut.right, cut.table);
                }
                return told;
            },
            "cuts"_a, "Cuts as values that the families of another table on these variables can be told.")
        .def(
            "tell",
            [](Families& f, std::vector<ToldCut> told) {
                std::vector<Cut> cuts;
                for (ToldCut& one : told) cuts.push_back(cut_of(std::move(one), f.variables()));
                return array_of(f.add(std::move(cuts)));
            },
            "told"_a, "Adds such cuts and gives their numbers.")
        .def(
            "right",
            [](const Families& f, const Numbers& cuts) {
                return for_each<double>(cuts, [&](std::uint32_t cut) { return f.cut(cut).right; });
            },
            "cuts"_a)
        .def(
            "forget",
            [](Families& f, const Numbers& cuts) {
                for (const std::uint32_t cut : span_of(cuts)) f.forget(cut);
            },
            "cuts"_a)
        .def("entries", &entries, "cuts"_a, "columns"_a)
        .def(
            "price",
            [](Families& f, const Numbers& cuts, const Values& duals, const Values& worth,
               const ArcDecisions& decisions, double within, std::size_t per_child) {
                Families::Priced priced = unlocked([&] {
                    return f.price(span_of(cuts), span_of(duals), span_of(worth), decisions, within,
                                   per_child);
                });
                return nb::make_tuple(priced.bound, array_of(std::move(priced.entering)));
            },
            "cuts"_a, "duals"_a, "worth"_a, "decisions"_a, "within"_a, "per_child"_a)
        .def(
            "enter", [](Families& f, const Numbers& columns) { f.enter(span_of(columns)); }, "columns"_a)
        .def(
            "drop", [](Families& f, double regret) { return array_of(f.drop(regret)); }, "regret"_a)
        .def(
            "round",
            [](const Families& f, const Numbers& columns, const Values& x, double noise, std::uint64_t seed) {
                return unlocked([&] { return f.round(span_of(columns), span_of(x), noise, seed); });
            },
            "columns"_a, "x"_a, "noise"_a, "seed"_a)
        .def(
            "separate",
            [](Families& f, const Numbers& columns, const Values& x, double by_at_least,
               std::uint64_t most_steps, std::size_t most_cuts) {
                Violated violated = unlocked([&] {
                    return violated_clusters(f, span_of(columns), span_of(x), by_at_least, most_steps,
                                             most_cuts);
                });
                return nb::make_tuple(array_of(f.add(std::move(violated.cuts))), violated.exhaustive);
            },
            "columns"_a, "x"_a, "by_at_least"_a, "most_steps"_a, "most_cuts"_a)
        .def(
            "separate_packings",
            [](Families& f, const Numbers& columns, const Values& x, double by_at_least) {
                return array_of(f.add(violated_packings(f, span_of(columns), span_of(x), by_at_least)));
            },
            "columns"_a, "x"_a, "by_at_least"_a);
    nb::class_<Hulls>(m, "Hulls", "Finds cuts on few variables.")
        .def(nb::init<Families&>(), "families"_a, nb::keep_alive<1, 2>())
        .def(
            "separate",
            [](Hulls& hulls, const Numbers& columns, const Values& x, std::size_t size, double by_at_least,
               std::size_t most_sets, std::size_t most_cuts) {
                std::vector<Cut> found = unlocked([&] {
                    return hulls.violated(span_of(columns), span_of(x),
                                          {size, by_at_least, most_sets, most_cuts});
                });
                return array_of(hulls.families().add(std::move(found)));
            },
            "columns"_a, "x"_a, "size"_a, "by_at_least"_a, "most_sets"_a, "most_cuts"_a);
}
