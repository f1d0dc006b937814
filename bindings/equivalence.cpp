#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings.hpp"
#include "checks.hpp"
#include "run.hpp"
#include "search/equivalence/ges.hpp"
#include "search/equivalence/inclusion_boundary.hpp"
#include "search/equivalence/kes.hpp"
#include "search/equivalence/kes_runs.hpp"
#include "search/equivalence/widths.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

Neighborhood neighborhood_named(const std::string& name) {
    return named<Neighborhood>("neighborhood", name,
                               {{"auto", Neighborhood::automatic},
                                {"exact", Neighborhood::exact},
                                {"sampled", Neighborhood::sampled}});
}

void check(const Scorer& scorer) { check_equivalent(scorer, "search over equivalence classes"); }

/// What a search found, and what stopped it.
template <typename Search>
nb::tuple searched(std::optional<double> seconds, nb::object progress, const Search& search) {
    auto [found, stopped] = run({seconds, {}, std::move(progress)}, search);
    return nb::make_tuple(std::move(found), stop_name(stopped));
}

}  // namespace

void bind_equivalence(nb::module_& m) {
    nb::class_<ClassSearch>(m, "ClassSearch", "Where a search over equivalence classes ended.")
        .def_ro("graph", &ClassSearch::graph)
        .def_ro("dag", &ClassSearch::dag)
        .def_ro("score", &ClassSearch::score)
        .def_ro("steps", &ClassSearch::steps)
        .def_ro("classes", &ClassSearch::classes)
        .def_ro("sampled", &ClassSearch::sampled)
        .def_ro("done", &ClassSearch::done);
    nb::class_<KesOptions>(m, "KesOptions", "How k-greedy equivalence search goes.")
        .def(
            "__init__",
            [](KesOptions* at, double k, std::size_t max_parents, const std::string& neighborhood,
               std::uint64_t max_steps, const Pdag* start, bool from_scratch, double draws,
               std::size_t reversals, double patience) {
                new (at) KesOptions{k,
                                    max_parents,
                                    neighborhood_named(neighborhood),
                                    max_steps,
                                    start ? std::optional(*start) : std::nullopt,
                                    from_scratch,
                                    {draws, reversals, patience}};
            },
            "k"_a, "max_parents"_a = max_variables, "neighborhood"_a = "auto",
            "max_steps"_a = ~std::uint64_t{0}, "start"_a.none() = nb::none(), "from_scratch"_a = false,
            "draws"_a = SamplingOptions{}.draws, "reversals"_a = SamplingOptions{}.reversals,
            "patience"_a = SamplingOptions{}.patience);
    m.def(
        "kes_runs",
        [](const Scorer& scorer, const KesOptions& options, std::uint64_t seed, std::uint64_t first,
           std::size_t runs, std::size_t threads, std::optional<double> seconds, nb::object progress) {
            check(scorer);
            return searched(seconds, std::move(progress), [&](Control& control) {
                return kes_runs(scorer, options, seed, first, runs, threads, control);
            });
        },
        "scorer"_a, "options"_a, "seed"_a, "first"_a, "runs"_a, "threads"_a, "seconds"_a = nb::none(),
        "progress"_a = nb::none());
    m.def(
        "kes",
        [](const Scorer& scorer, const KesOptions& options, std::uint64_t seed, std::uint64_t run,
           std::optional<double> seconds, nb::object progress) {
            check(scorer);
            return searched(seconds, std::move(progress), [&](Control& control) {
                Random random(seed, run);
                return kes(scorer, options, random, control);
            });
        },
        "scorer"_a, "options"_a, "seed"_a, "run"_a = 0, "seconds"_a = nb::none(), "progress"_a = nb::none());
    m.def(
        "ges",
        [](const Scorer& scorer, bool two_phases, bool turning, std::size_t max_parents,
           std::optional<double> seconds, nb::object progress) {
            check(scorer);
            return searched(seconds, std::move(progress), [&](Control& control) {
                return ges(scorer, {two_phases, turning, max_parents}, control);
            });
        },
        "scorer"_a, "two_phases"_a, "turning"_a, "max_parents"_a = max_variables, "seconds"_a = nb::none(),
        "progress"_a = nb::none());
    m.def("class_search_bytes", &class_search_bytes, "variables"_a);
    m.def(
        "inclusion_boundary",
        [](const Scorer& scorer, const Pdag& graph) {
            check(scorer);
            return unlocked([&] { return inclusion_boundary(scorer, graph); });
        },
        "scorer"_a, "graph"_a);
    m.def(
        "neighboring_classes",
        [](const Pdag& graph) { return unlocked([&] { return neighboring_classes(graph); }); }, "graph"_a);
}
