#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "bindings.hpp"
#include "checks.hpp"
#include "independence/chi_square.hpp"
#include "independence/likelihood_ratio_test.hpp"
#include "run.hpp"
#include "search/local/hiton.hpp"
#include "search/local/mmpc.hpp"
#include "search/local/neighborhoods.hpp"
#include "search/local/sll.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

/// What to learn of the targets.
enum class Want { potential, spouses, neighbors, blankets };

Want want_named(const std::string& name) {
    return named<Want>("wish", name,
                       {{"potential", Want::potential},
                        {"spouses", Want::spouses},
                        {"neighbors", Want::neighbors},
                        {"blankets", Want::blankets}});
}

void check(const Scorer& scorer) { check_equivalent(scorer, "local learning"); }

/// Variables, each with a set.
using Pairs = std::vector<std::pair<Var, std::vector<Var>>>;
// What searches elsewhere found, as it travels: by target, the neighbours with what separates others, packed
// since there are so many of them, or the spouses with the children in common; and whether it is final.
using KnownPotential = std::tuple<Var, std::vector<Var>, nb::bytes, bool>;
using KnownSpouses = std::tuple<Var, Pairs, bool>;
struct Known {
    std::vector<KnownPotential> potential;
    std::vector<KnownSpouses> spouses;
};

nb::bytes packed(const Pairs& pairs) {
    std::vector<Var> all;
    for (const auto& [v, set] : pairs) {
        all.push_back(v);
        all.push_back(static_cast<Var>(set.size()));
        all.insert(all.end(), set.begin(), set.end());
    }
    return nb::bytes(all.data(), all.size() * sizeof(Var));
}

Pairs unpacked(const nb::bytes& bytes) {
    std::vector<Var> all(bytes.size() / sizeof(Var));
    std::memcpy(all.data(), bytes.c_str(), all.size() * sizeof(Var));
    Pairs pairs;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t begin = at + 2;
        if (begin > all.size() || all[at + 1] > all.size() - begin)
            throw Error(ErrorKind::parameter, "packed sets are cut short");
        const auto end = begin + all[at + 1];
        pairs.emplace_back(all[at], std::vector<Var>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     all.begin() + static_cast<std::ptrdiff_t>(end)));
        at = end;
    }
    return pairs;
}

Pairs checked_pairs(Pairs sets, std::size_t variables) {
    for (auto& [v, set] : sets) {
        checked(v, variables);
        set = checked_set(std::move(set), variables);
    }
    return sets;
}

void tell(Neighborhoods& neighborhoods, std::size_t variables, const Known& known) {
    for (const auto& [v, neighbors, separators, done] : known.potential) {
        checked(v, variables);
        neighborhoods.know(v, Potential{checked_set(neighbors, variables),
                                        checked_pairs(unpacked(separators), variables), done});
    }
    for (const auto& [v, pairs, done] : known.spouses) {
        checked(v, variables);
        PotentialSpouses spouses;
        for (auto& [spouse, children] : checked_pairs(pairs, variables))
            spouses.spouses.push_back({spouse, std::move(children)});
        spouses.done = done;
        neighborhoods.know(v, std::move(spouses));
    }
}

/// By target: the neighbours, the spouses and whether they are final.
nb::dict learned(const Neighborhoods& known, const std::vector<Var>& targets, Want want, bool either) {
    nb::dict facts;
    nb::list sets, separators;
    for (const Var v : targets) {
        std::vector<Var> neighbors, spouses;
        bool done = false;
        if (want == Want::potential) {
            const Potential* potential = known.potential(v);
            if (potential) neighbors = potential->neighbors;
            done = potential && potential->done;
            separators.append(packed(potential ? potential->separators : Pairs{}));
        } else if (want == Want::spouses) {
            const PotentialSpouses* found = known.potential_spouses(v);
            done = found && found->done;
        } else {
            neighbors = known.agreed(v);
            done = known.neighbors_done(v);
        }
        if (want == Want::blankets) {
            spouses = known.spouses(v, either);
            done = done && known.spouses_done(v, either);
        }
        sets.append(nb::make_tuple(v, std::move(neighbors), std::move(spouses), done));
    }
    facts["sets"] = sets;
    // By target, what separates whom from it.
    if (want == Want::potential) facts["separators"] = separators;
    // By pair of spouses found, as target and spouse: the children in common.
    nb::list pairs;
    if (want == Want::blankets || want == Want::spouses)
        for (const Var v : targets)
            if (const PotentialSpouses* found = known.potential_spouses(v))
                for (const Spouse& spouse : found->spouses)
                    pairs.append(nb::make_tuple(v, spouse.spouse, spouse.children));
    facts["spouses"] = pairs;
    facts["searches"] = known.searches();
    return facts;
}

nb::dict learn(const LocalMethod& method, std::size_t variables, std::vector<Var> asked,
               const std::string& what, std::size_t threads, Limits limits, const Known& elsewhere) {
    const std::vector<Var> targets = checked_set(std::move(asked), variables);
    const Want want = want_named(what);
    const bool either = method.either_spouse();
    const auto [known, stopped] = run(std::move(limits), [&](Control& control) {
        Neighborhoods around(method, variables, at_least_one(threads), control);
        tell(around, variables, elsewhere);
        control.stage(want == Want::blankets ? 0.5 : 1);
        if (want == Want::potential) around.learn_potential(targets);
        if (want == Want::spouses) around.learn_spouses(targets, false);
        if (want == Want::neighbors) around.learn_neighbors(targets);
        if (want == Want::blankets) around.learn_spouses(targets, either);
        return around;
    });
    nb::dict facts = learned(known, targets, want, either);
    facts["stopped"] = stop_name(stopped);
    return facts;
}

template <typename Method>
nb::dict learn_by_tests(const Scorer& likelihood, std::vector<Var> targets, const std::string& what,
                        double alpha, std::size_t max_conditioning, double rows_per_cell, bool adjusted,
                        std::size_t threads, std::optional<double> seconds,
                        std::optional<std::size_t> max_bytes, nb::object progress,
                        std::vector<KnownPotential> potential, std::vector<KnownSpouses> spouses) {
    const LikelihoodRatioTest test(likelihood, alpha, rows_per_cell,
                                   adjusted ? Degrees::adjusted : Degrees::declared);
    nb::dict facts =
        learn(Method(test, max_conditioning), likelihood.variables(), std::move(targets), what, threads,
              {seconds, max_bytes, std::move(progress)}, {std::move(potential), std::move(spouses)});
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
            const nb::gil_scoped_release unlocked;
            const Degrees degrees = adjusted ? Degrees::adjusted : Degrees::declared;
            const Dependence test = LikelihoodRatioTest(likelihood, 0.05, 0, degrees)(x, y, given);
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
           nb::object progress, bool shortcuts, std::vector<KnownPotential> potential,
           std::vector<KnownSpouses> spouses) {
            check(scorer);
            if (!ranks.empty() && ranks.size() != scorer.variables())
                throw Error(ErrorKind::parameter, "there must be a rank for every variable");
            const OptimalNetworks networks(scorer, {exact_limit, max_parents, shortcuts});
            nb::dict facts =
                learn(Sll(networks, std::move(ranks)), scorer.variables(), std::move(targets), what, threads,
                      {seconds, max_bytes, std::move(progress)}, {std::move(potential), std::move(spouses)});
            const OptimalNetworks::Work work = networks.work();
            facts["networks"] = work.asked;
            facts["apart"] = work.apart;
            facts["exact_networks"] = work.exact;
            facts["greedy_networks"] = work.greedy;
            return facts;
        },
        "scorer"_a, "targets"_a, "what"_a, "ranks"_a, "exact_limit"_a, "max_parents"_a, "threads"_a,
        "seconds"_a = nb::none(), "max_bytes"_a = nb::none(), "progress"_a = nb::none(), "shortcuts"_a = true,
        "potential"_a = std::vector<KnownPotential>{}, "spouses"_a = std::vector<KnownSpouses>{});
    bind_by_tests<Hiton>(m, "hiton");
    bind_by_tests<Mmpc>(m, "mmpc");
}
