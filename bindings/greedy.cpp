#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "checks.hpp"
#include "run.hpp"
#include "search/greedy/hill_climbing.hpp"
#include "search/wide/screening.hpp"
#include "search/wide/wide_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

void check(const Scorer& scorer, const Constraints& constraints, const Dag& start) {
    const std::size_t variables = scorer.variables();
    check_fit(constraints, variables);
    if (start.variables() != variables)
        throw Error(ErrorKind::parameter, "the start is for another number of variables");
    for (std::size_t v = 0; v < variables; ++v)
        if (!constraints.allows(static_cast<Var>(v), start.parents(static_cast<Var>(v)).members()))
            throw Error(ErrorKind::parameter, "the start does not obey the constraints");
}

nb::dict climb(const Scorer& scorer, const Constraints& constraints, const Dag& start,
               const HillClimbOptions& options, std::optional<double> seconds,
               std::optional<std::size_t> max_bytes, nb::object progress) {
    check(scorer, constraints, start);
    if (options.perturb == 0) throw Error(ErrorKind::parameter, "perturb must be at least 1");
    const auto [found, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        return hill_climbing(scorer, constraints, start.arcs(), options, control);
    });
    nb::dict facts;
    facts["stopped"] = stop_name(stopped);
    if (!found) return facts;
    facts["arcs"] = found->arcs;
    facts["score"] = found->score;
    facts["steps"] = found->steps;
    facts["looked_at"] = found->looked_at;
    facts["scored"] = found->scored;
    facts["restarts"] = found->restarts;
    facts["improved"] = found->improved;
    return facts;
}

nb::dict search_wide(const Scorer& scorer, const Constraints& constraints, const Dag& start,
                     const WideSearchOptions& options, std::optional<double> seconds,
                     std::optional<std::size_t> max_bytes, nb::object progress) {
    check(scorer, constraints, start);
    const auto [found, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        return wide_search(scorer, constraints, start.arcs(), options, control);
    });
    nb::dict facts;
    facts["stopped"] = stop_name(stopped);
    facts["arcs"] = found.arcs;
    facts["score"] = found.score;
    facts["candidates"] = found.candidates;
    facts["rounds"] = found.rounds;
    facts["shakes"] = found.shakes;
    facts["improved"] = found.improved;
    facts["steps"] = found.steps;
    facts["refused"] = found.refused;
    facts["let_in"] = found.let_in;
    facts["checked"] = found.checked;
    facts["pairs"] = found.pairs;
    facts["pairs_taken"] = found.pairs_taken;
    facts["unseen"] = found.unseen;
    facts["most_unseen"] = found.most_unseen;
    facts["kept"] = found.kept;
    return facts;
}

std::vector<std::vector<Var>> parents_in(const Dag& dag) {
    std::vector<std::vector<Var>> parents;
    for (std::size_t v = 0; v < dag.variables(); ++v)
        parents.push_back(dag.parents(static_cast<Var>(v)).members());
    return parents;
}

std::vector<Var> all_variables(const Scorer& scorer) {
    std::vector<Var> all(scorer.variables());
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<Var>(v);
    return all;
}

}  // namespace

void bind_greedy(nb::module_& m) {
    nb::class_<HillClimbOptions>(m, "HillClimbOptions", "How hill climbing goes.")
        .def(
            "__init__",
            [](HillClimbOptions* at, std::size_t tabu, std::uint64_t patience, bool wander,
               std::uint64_t restarts, std::size_t perturb, std::uint64_t seed, std::size_t threads) {
                new (at) HillClimbOptions{tabu, patience, wander, restarts, perturb, seed, threads};
            },
            "tabu"_a, "patience"_a, "wander"_a, "restarts"_a, "perturb"_a, "seed"_a, "threads"_a);
    nb::class_<WideSearchOptions>(m, "WideSearchOptions", "How the search on very many variables goes.")
        .def(
            "__init__",
            [](WideSearchOptions* at, std::size_t candidates, std::uint64_t rounds, std::uint64_t looks,
               std::size_t firsts, std::size_t times, std::size_t part, std::size_t reach,
               std::size_t perturb, bool wander, std::uint64_t seed, std::size_t threads) {
                new (at) WideSearchOptions{
                    candidates, rounds, looks, firsts, times, part, {reach, perturb, wander}, seed, threads};
            },
            "candidates"_a, "rounds"_a, "looks"_a, "firsts"_a, "times"_a, "part"_a, "reach"_a, "perturb"_a,
            "wander"_a, "seed"_a, "threads"_a);
    m.def(
        "screened_candidates",
        [](const Scorer& scorer, const Constraints& constraints, std::size_t most, std::size_t threads,
           double until) {
            check_fit(constraints, scorer.variables());
            Control control;
            return screened(scorer, constraints, most, threads, control, until).candidates;
        },
        "scorer"_a, "constraints"_a, "most"_a, "threads"_a = 1,
        "until"_a = std::numeric_limits<double>::infinity());
    m.def(
        "unseen_gains",
        [](const Scorer& scorer, const Constraints& constraints, const Constraints& candidates,
           const Dag& dag, double least, std::size_t most) {
            check(scorer, constraints, dag);
            check_fit(candidates, scorer.variables());
            Control control;
            std::vector<std::tuple<Var, Var, double>> found;
            for (const UnseenGain& one : unseen_gains(scorer, constraints, candidates, parents_in(dag),
                                                      all_variables(scorer), least, most, 1, control))
                found.emplace_back(one.child, one.parent, one.gain);
            return found;
        },
        "scorer"_a, "constraints"_a, "candidates"_a, "dag"_a, "least"_a, "most"_a);
    m.def(
        "unseen_pairs",
        [](const Scorer& scorer, const Constraints& constraints, const std::vector<std::vector<Var>>& firsts,
           const Dag& dag, double least) {
            check(scorer, constraints, dag);
            if (firsts.size() != scorer.variables())
                throw Error(ErrorKind::parameter, "the firsts are for another number of variables");
            Control control;
            std::vector<std::tuple<Var, Var, Var, double>> found;
            for (const UnseenPair& one : unseen_pairs(scorer, constraints, firsts, parents_in(dag),
                                                      all_variables(scorer), least, 1, control))
                found.emplace_back(one.child, one.first, one.second, one.gain);
            return found;
        },
        "scorer"_a, "constraints"_a, "firsts"_a, "dag"_a, "least"_a);
    m.def("wide_search", &search_wide, "scorer"_a, "constraints"_a, "start"_a, "options"_a,
          "seconds"_a = nb::none(), "max_bytes"_a = nb::none(), "progress"_a = nb::none());
    m.def("hill_climb", &climb, "scorer"_a, "constraints"_a, "start"_a, "options"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none());
}
