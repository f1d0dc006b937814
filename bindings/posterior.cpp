#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <tuple>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "posterior/arc_pruning.hpp"
#include "posterior/class_weight.hpp"
#include "posterior/drawn_networks.hpp"
#include "posterior/exact_posterior.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using Places = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

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

std::vector<nb::bytes> all_bytes(const std::vector<std::string>& codes) {
    std::vector<nb::bytes> bytes;
    bytes.reserve(codes.size());
    for (const std::string& code : codes) bytes.push_back(bytes_of(code));
    return bytes;
}

std::vector<nb::bytes> networks(const ParentLists& lists, const Places& places) {
    if (places.shape(1) != lists.variables())
        throw Error(ErrorKind::parameter, "a row must have a place for each variable");
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places.data()[i] >= lists.lists[i % lists.variables()].size())
            throw Error(ErrorKind::parameter, "no such parent set");
    return all_bytes(network_codes(lists, {places.data(), places.size()}));
}

std::vector<nb::bytes> classes(std::size_t variables, const std::vector<nb::bytes>& networks_of,
                               const std::vector<std::uint32_t>& kinds) {
    if (variables > max_variables) throw Error(ErrorKind::parameter, "too many variables");
    check_kinds(kinds, variables);
    std::vector<std::string> codes;
    for (const nb::bytes& code : networks_of) codes.emplace_back(view(code));
    return all_bytes(unlocked([&] { return class_codes(variables, codes, kinds); }));
}

std::optional<std::tuple<double, double, double>> weight_of_class(const Scorer& scorer,
                                                                  const Constraints& constraints,
                                                                  const Pdag& essential, std::size_t most) {
    check_fit(constraints, scorer);
    if (essential.variables() != scorer.variables())
        throw Error(ErrorKind::parameter, "the graph has other variables");
    const std::optional<ClassWeight> found =
        unlocked([&] { return class_weight(scorer, constraints, essential, most); });
    if (!found) return std::nullopt;
    return std::tuple(found->log_sum, found->log_best, found->networks);
}

/// Parent, child and bound of each arc, the least bound first.
nb::tuple arcs_with_bounds(const ParentLists& lists, std::size_t threads, std::optional<double> seconds,
                           nb::object progress) {
    const auto [arcs, stopped] = run({seconds, {}, std::move(progress)}, [&](Control& control) {
        return bounded_arcs(lists, at_least_one(threads), control);
    });
    std::vector<std::tuple<Var, Var, double>> rows;
    for (const BoundedArc& arc : arcs) rows.emplace_back(arc.parent, arc.child, arc.bound);
    return nb::make_tuple(std::move(rows), stop_name(stopped));
}

/// Lists without the least probable arcs, the number of these, and the probability that is lost at most.
std::optional<std::tuple<std::shared_ptr<ParentLists>, std::size_t, double>> pruned(
    const ParentLists& lists, const std::vector<std::tuple<Var, Var, double>>& rows, double most,
    double most_bytes, double most_terms, std::size_t most_variables) {
    std::vector<BoundedArc> arcs;
    for (const auto& [parent, child, bound] : rows)
        arcs.push_back({checked(parent, lists.variables()), checked(child, lists.variables()), bound});
    auto found = unlocked([&] {
        return pruned_to_fit(lists, arcs, most, [&](const std::vector<std::size_t>& sizes) {
            const PosteriorCost cost = posterior_cost(sizes);
            const bool fits = cost.bytes <= most_bytes && cost.terms <= most_terms &&
                              *std::max_element(sizes.begin(), sizes.end()) <= most_variables;
            return fits ? cost.terms : std::numeric_limits<double>::infinity();
        });
    });
    if (!found) return std::nullopt;
    return std::tuple(std::make_shared<ParentLists>(std::move(found->lists)), found->arcs, found->lost);
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
                return unlocked([&] { return s.parent_sets(child); });
            },
            "child"_a)
        .def("sample", &sample, "seed"_a, "first"_a, "count"_a, "threads"_a, "seconds"_a = nb::none(),
             "progress"_a = nb::none());
    m.def("exact_posterior", &exact_posterior, "lists"_a, "split"_a, "threads"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none());
    m.def("component_sizes", &component_sizes, "lists"_a, nb::call_guard<Unlocked>());
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
    m.def("bounded_arcs", &arcs_with_bounds, "lists"_a, "threads"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none());
    m.def("pruned_to_fit", &pruned, "lists"_a, "arcs"_a, "most"_a, "most_bytes"_a, "most_terms"_a,
          "most_variables"_a);
    m.def(
        "weighted_by_size",
        [](const ParentLists& lists, const std::vector<double>& log_weights) {
            if (log_weights.size() < lists.variables())
                throw Error(ErrorKind::parameter, "there must be a weight for every number of parents");
            return std::make_shared<ParentLists>(
                unlocked([&] { return weighted_by_size(lists, log_weights); }));
        },
        "lists"_a, "log_weights"_a);
    m.def("network_codes", &networks, "lists"_a, "places"_a);
    m.def("class_codes", &classes, "variables"_a, "networks"_a, "kinds"_a = std::vector<std::uint32_t>{});
    m.def(
        "list_networks",
        [](const ParentLists& lists) {
            ListedNetworks listed = list_networks(lists);
            return nb::make_tuple(all_bytes(listed.codes), array_of(std::move(listed.log_weights)));
        },
        "lists"_a);
    m.def("class_weight", &weight_of_class, "scorer"_a, "constraints"_a, "essential"_a, "most"_a = 100'000);
}
