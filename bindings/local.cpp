#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <string>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "independence/chi_square.hpp"
#include "independence/likelihood_ratio_test.hpp"
#include "run.hpp"
#include "search/local/hiton.hpp"
#include "search/local/local_learning.hpp"
#include "search/local/mmpc.hpp"
#include "search/local/packed_separators.hpp"
#include "search/local/sll.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

Sought sought_named(const std::string& name) {
    return named<Sought>("aim", name,
                         {{"potential", Sought::potential},
                          {"spouses", Sought::spouses},
                          {"neighbors", Sought::neighbors},
                          {"blankets", Sought::blankets}});
}

void check(const Scorer& scorer) {
    if (scorer.of_kinds().empty()) check_equivalent(scorer, "local learning");
    for (const auto& kind : scorer.of_kinds()) check_equivalent(*kind, "local learning");
}

// What searches elsewhere found, as it travels: by target, the neighbors with what separates others, packed
// since there are so many of them, or the spouses with the children in common; and whether it is final.
using KnownPotential = std::tuple<Var, std::vector<Var>, nb::bytes, bool>;
using KnownSpouses = std::tuple<Var, std::vector<std::pair<Var, std::vector<Var>>>, bool>;

FoundElsewhere found_elsewhere(const std::vector<KnownPotential>& potential,
                               const std::vector<KnownSpouses>& spouses, std::size_t variables) {
    FoundElsewhere found;
    for (const auto& [v, neighbors, separators, done] : potential)
        found.potential.emplace_back(checked(v, variables),
                                     Potential{checked_set(neighbors, variables),
                                               unpacked_separators(view(separators), variables), done});
    for (const auto& [v, pairs, done] : spouses) {
        PotentialSpouses around{{}, done};
        for (const auto& [spouse, children] : pairs)
            around.spouses.push_back({checked(spouse, variables), checked_set(children, variables)});
        found.spouses.emplace_back(checked(v, variables), std::move(around));
    }
    return found;
}

nb::dict learn(const LocalMethod& method, std::size_t variables, std::vector<Var> asked,
               const std::string& what, std::size_t threads, Limits limits, FoundElsewhere elsewhere) {
    const std::vector<Var> targets = checked_set(std::move(asked), variables);
    const Sought sought = sought_named(what);
    const auto [learned, stopped] = run(std::move(limits), [&](Control& control) {
        return learn_around(method, variables, targets, sought, std::move(elsewhere), at_least_one(threads),
                            control);
    });
    nb::list sets, separators, spouses;
    for (const LearnedTarget& one : learned.targets) {
        sets.append(nb::make_tuple(one.target, one.neighbors, one.spouses, one.done));
        separators.append(bytes_of(one.separators));
        for (const auto& [spouse, children] : one.found_spouses)
            spouses.append(nb::make_tuple(one.target, spouse, children));
    }
    nb::dict facts;
    facts["sets"] = sets;
    if (sought == Sought::potential) facts["separators"] = separators;
    facts["spouses"] = spouses;
    facts["searches"] = learned.searches;
    facts["stopped"] = stop_name(stopped);
    return facts;
}

template <typename Method>
nb::dict learn_by_tests(const Scorer& likelihood, std::vector<Var> targets, const std::string& what,
                        double alpha, std::size_t max_conditioning, double rows_per_cell, bool adjusted,
                        std::size_t threads, std::optional<double> seconds,
                        std::optional<std::size_t> max_bytes, nb::object progress,
                        const std::vector<KnownPotential>& potential,
                        const std::vector<KnownSpouses>& spouses) {
    const std::size_t variables = likelihood.variables();
    const LikelihoodRatioTest test(likelihood, alpha, rows_per_cell,
                                   adjusted ? Degrees::adjusted : Degrees::declared);
    nb::dict facts =
        learn(Method(test, max_conditioning), variables, std::move(targets), what, threads,
              {seconds, max_bytes, std::move(progress)}, found_elsewhere(potential, spouses, variables));
    facts["tests"] = test.tests();
    return facts;
}

template <typename Method>
void bind_by_tests(nb::module_& m, const char* name) {
    m.def(name, &learn_by_tests<Method>, "likelihood"_a, "targets"_a, "what"_a, "alpha"_a,
          "max_conditioning"_a, "rows_per_cell"_a, "adjusted"_a, "threads"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none(),
          "potential"_a = std::vector<KnownPotential>{}, "spouses"_a = std::vector<KnownSpouses>{});
}

}  // namespace

void bind_local(nb::module_& m) {
    m.def("log_chi_square_tail", &log_chi_square_tail, "statistic"_a, "freedom"_a);
    m.def(
        "g2",
        [](const Scorer& likelihood, Var x, Var y, std::vector<Var> given, bool adjusted) {
            std::vector<Var> all = given;
            all.insert(all.end(), {x, y});
            checked_set(std::move(all), likelihood.variables());
            std::sort(given.begin(), given.end());
            const Degrees degrees = adjusted ? Degrees::adjusted : Degrees::declared;
            const Dependence test =
                unlocked([&] { return LikelihoodRatioTest(likelihood, 0.05, 0, degrees)(x, y, given); });
            return std::make_tuple(test.statistic, test.freedom, test.log_p);
        },
        "likelihood"_a, "x"_a, "y"_a, "given"_a, "adjusted"_a = false,
        "The G² statistic, degrees of freedom and ln p.");
    m.def(
        "optimal_network",
        [](const Scorer& scorer, std::vector<Var> asked, std::size_t exact_limit, std::size_t max_parents,
           std::optional<Var> last, bool shortcuts) {
            check(scorer);
            const std::vector<Var> set = checked_set(std::move(asked), scorer.variables());
            if (set.empty()) throw Error(ErrorKind::parameter, "a network needs a variable");
            std::vector<Var> base = set;
            const Var tried = last.value_or(set.back());
            if (std::erase(base, tried) == 0)
                throw Error(ErrorKind::parameter, "the variable tried last must be among them");
            auto [arcs, stopped] = run({{}, {}, nb::none()}, [&](Control& control) {
                const OptimalNetworks networks(scorer, {exact_limit, max_parents, shortcuts});
                return OptimalNetworks::Trials(networks).with(base, tried, control);
            });
            if (stopped != Stop::none) arcs.reset();  // there is no other way to tell of a late Ctrl-C
            return std::move(arcs);
        },
        "scorer"_a, "variables"_a, "exact_limit"_a, "max_parents"_a, "tried"_a = nb::none(),
        "shortcuts"_a = true, "The arcs of the best network on some variables.");
    m.def(
        "sll",
        [](const Scorer& scorer, std::vector<Var> targets, const std::string& what,
           std::vector<std::size_t> ranks, std::size_t exact_limit, std::size_t max_parents,
           std::size_t threads, std::optional<double> seconds, std::optional<std::size_t> max_bytes,
           nb::object progress, bool shortcuts, const std::string& child_check,
           const std::vector<KnownPotential>& potential, const std::vector<KnownSpouses>& spouses) {
            check(scorer);
            if (!ranks.empty() && ranks.size() != scorer.variables())
                throw Error(ErrorKind::parameter, "there must be a rank for every variable");
            const auto checks = named<ChildCheck>(
                "check of children", child_check,
                {{"none", ChildCheck::none}, {"either", ChildCheck::either}, {"both", ChildCheck::both}});
            const OptimalNetworks networks(scorer, {exact_limit, max_parents, shortcuts});
            nb::dict facts =
                learn(Sll(networks, std::move(ranks), checks), scorer.variables(), std::move(targets), what,
                      threads, {seconds, max_bytes, std::move(progress)},
                      found_elsewhere(potential, spouses, scorer.variables()));
            const OptimalNetworks::Work work = networks.work();
            facts["networks"] = work.asked;
            facts["apart"] = work.apart;
            facts["exact_networks"] = work.exact;
            facts["greedy_networks"] = work.greedy;
            return facts;
        },
        "scorer"_a, "targets"_a, "what"_a, "ranks"_a, "exact_limit"_a, "max_parents"_a, "threads"_a,
        "seconds"_a = nb::none(), "max_bytes"_a = nb::none(), "progress"_a = nb::none(), "shortcuts"_a = true,
        "child_check"_a = "none", "potential"_a = std::vector<KnownPotential>{},
        "spouses"_a = std::vector<KnownSpouses>{});
    bind_by_tests<Hiton>(m, "hiton");
    bind_by_tests<Mmpc>(m, "mmpc");
}
