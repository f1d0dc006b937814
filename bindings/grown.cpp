#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bindings.hpp"
#include "checks.hpp"
#include "run.hpp"
#include "search/grown/grown_parents.hpp"
#include "search/grown/grown_search.hpp"
#include "search/grown/polish.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

nb::dict search(const Scorer& scorer, const Constraints& constraints, const std::string& init,
                std::uint64_t restarts, std::uint64_t patience, std::uint64_t seed, std::size_t threads,
                std::optional<double> seconds, std::size_t max_bytes, nb::object progress,
                std::uint64_t first, std::vector<Var> start) {
    check_fit(constraints, scorer);
    if (!start.empty()) check_order(start, constraints.allowed.size());
    const GrownSearchOptions options{
        init_named(init), std::max<std::uint64_t>(restarts, 1), patience, seed, at_least_one(threads), first,
        std::move(start)};
    const auto [found, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        return grown_search(scorer, constraints, options, control);
    });
    nb::dict facts;
    facts["stopped"] = stop_name(stopped);
    facts["order"] = found.order;
    facts["parents"] = found.parents;
    facts["score"] = found.score;
    facts["looks"] = found.looks;
    facts["restarts_begun"] = found.restarts_begun;
    facts["nodes"] = found.nodes;
    facts["clearings"] = found.clearings;
    nb::list told;
    for (const auto& restart : found.restarts)
        told.append(nb::make_tuple(restart.initial_score, restart.score, restart.shakes));
    facts["restarts"] = told;
    return facts;
}

/// Where one child's walk ends, for tests and the curious: its score and parents.
std::pair<double, std::vector<Var>> grown_parents(const Scorer& scorer, const Constraints& constraints,
                                                  Var child, const std::vector<Var>& before) {
    check_fit(constraints, scorer);
    const std::size_t n = constraints.allowed.size();
    const WideSet set = wide_set(before, n);
    if (set.contains(checked(child, n)))
        throw Error(ErrorKind::parameter, "a variable cannot come before itself");
    Control control;
    GrownParents trees(scorer, constraints, control.max_bytes());
    const GrownParents::Node* end = GrownParents::Visit(trees).walk(child, set, control);
    return {end->score(), {end->parents().begin(), end->parents().end()}};
}

nb::dict polish(const Scorer& scorer, const Constraints& constraints, const std::vector<Var>& order,
                std::vector<std::vector<Var>> parents, std::size_t threads, std::optional<double> seconds,
                nb::object progress) {
    check_fit(constraints, scorer);
    const std::size_t n = constraints.allowed.size();
    check_order(order, n);
    if (parents.size() != n) throw Error(ErrorKind::parameter, "there must be a set for each variable");
    for (std::vector<Var>& set : parents) set = checked_set(std::move(set), n);
    const auto [polished, stopped] = run({seconds, {}, std::move(progress)}, [&](Control& control) {
        return polish_parents(scorer, constraints, order, std::move(parents), at_least_one(threads), control);
    });
    nb::dict facts;
    facts["parents"] = polished.parents;
    facts["gains"] = polished.gains;
    facts["changes"] = polished.changes;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

}  // namespace

void bind_grown(nb::module_& m) {
    m.def("grown_parents", &grown_parents, "scorer"_a, "constraints"_a, "child"_a, "before"_a);
    m.def("polish_parents", &polish, "scorer"_a, "constraints"_a, "order"_a, "parents"_a, "threads"_a,
          "seconds"_a = nb::none(), "progress"_a = nb::none());
    m.def("grown_search", &search, "scorer"_a, "constraints"_a, "init"_a, "restarts"_a, "patience"_a,
          "seed"_a, "threads"_a, "seconds"_a = nb::none(), "max_bytes"_a = std::size_t{1} << 40,
          "progress"_a = nb::none(), "first"_a = 0, "start"_a = std::vector<Var>{});
}
