#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "posterior/exact_posterior.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

nb::tuple exact_posterior(std::shared_ptr<ParentLists> lists, bool split, std::size_t threads,
                          std::optional<double> seconds, std::optional<std::size_t> max_bytes,
                          nb::object progress) {
    for (const ParentList& list : lists->lists)
        if (list.size() == 0)
            throw Error(ErrorKind::graph, "every variable needs a parent set, if only the empty one");
    auto [sums, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        lists->sort(at_least_one(threads));
        return std::make_shared<ExactPosterior>(lists, split, at_least_one(threads), control);
    });
    return nb::make_tuple(sums, stop_name(stopped));
}

const ExactPosterior& whole(const ExactPosterior& sums) {
    if (!sums.complete()) throw Error(ErrorKind::parameter, "the sums were stopped before their end");
    return sums;
}

/// Samples first, first + 1, ... of a seed: a row each, with the place of every variable's parent set.
nb::tuple sample(const ExactPosterior& sums, std::uint64_t seed, std::uint64_t first, std::size_t count,
                 std::size_t threads, std::optional<double> seconds, nb::object progress) {
    const std::size_t n = whole(sums).variables();
    auto [places, stopped] = run({seconds, {}, std::move(progress)}, [&](Control& control) {
        return sums.samples(seed, first, count, at_least_one(threads), control);
    });
    const std::size_t done = places.size() / n;
    return nb::make_tuple(array_of(std::move(places), done, n), stop_name(stopped));
}

}  // namespace

void bind_posterior(nb::module_& m) {
    nb::class_<ExactPosterior>(m, "ExactPosterior", "Sums over all networks, by component.")
        .def_prop_ro("complete", &ExactPosterior::complete)
        .def_prop_ro("variables", &ExactPosterior::variables)
        .def_prop_ro("log_total", [](const ExactPosterior& s) { return whole(s).log_total(); })
        .def_prop_ro("rounding", [](const ExactPosterior& s) { return whole(s).rounding(); })
        .def_prop_ro("components", &ExactPosterior::components)
        .def("arcs",
             [](const ExactPosterior& s) { return array_of(whole(s).arcs(), s.variables(), s.variables()); })
        .def("ancestors",
             [](const ExactPosterior& s) {
                 return array_of(whole(s).ancestors(), s.variables(), s.variables());
             })
        .def(
            "parent_sets",
            [](const ExactPosterior& s, Var child) {
                checked(child, whole(s).variables());
                const nb::gil_scoped_release unlocked;
                return s.parent_sets(child);
            },
            "child"_a)
        .def("sample", &sample, "seed"_a, "first"_a, "count"_a, "threads"_a, "seconds"_a = nb::none(),
             "progress"_a = nb::none());
    m.def("exact_posterior", &exact_posterior, "lists"_a, "split"_a, "threads"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none());
    m.def("component_sizes", &component_sizes, "lists"_a, nb::call_guard<nb::gil_scoped_release>());
    m.def(
        "posterior_cost",
        [](const std::vector<std::size_t>& sizes) {
            const PosteriorCost cost = posterior_cost(sizes);
            nb::dict facts;
            facts["bytes"] = cost.bytes;
            facts["terms"] = cost.terms;
            return facts;
        },
        "component_sizes"_a);
}
