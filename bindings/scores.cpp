#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "counts/fastest_counter.hpp"
#include "error.hpp"
#include "lock.hpp"
#include "run.hpp"
#include "scores/bdeu.hpp"
#include "scores/conditional_gaussian.hpp"
#include "scores/count_function.hpp"
#include "scores/determinant_function.hpp"
#include "scores/fitted_dirichlet.hpp"
#include "scores/fnml.hpp"
#include "scores/k2.hpp"
#include "scores/mixed_likelihood.hpp"
#include "scores/multinomial_regret.hpp"
#include "scores/normal_scores.hpp"
#include "scores/penalized_likelihood.hpp"
#include "scores/qnml.hpp"
#include "scores/scaled_counts.hpp"
#include "set_functions/extension_scores.hpp"
#include "set_functions/kinds_function.hpp"
#include "set_functions/prior_function.hpp"
#include "set_functions/scorer.hpp"
#include "set_functions/set_extensions.hpp"
#include "set_functions/sum_function.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

std::vector<Var> checked_parents(const Scorer& scorer, Var child, std::vector<Var> parents) {
    std::vector<Var> set = checked_set(std::move(parents), scorer.variables());
    checked(child, scorer.variables());
    if (std::binary_search(set.begin(), set.end(), child))
        throw Error(ErrorKind::parameter, "a variable cannot be its own parent");
    return set;
}

double local(const Scorer& scorer, Var child, std::vector<Var> parents) {
    const std::vector<Var> set = checked_parents(scorer, child, std::move(parents));
    const Unlocked unlocked;
    return scorer.local(child, set);
}

/// The bounds of a scorer's function, which they need as long as they are asked.
struct Bounds {
    const Scorer& scorer;
    std::unique_ptr<FamilyBounds> bounds;

    double superset_bound(Var child, std::vector<Var> parents) const {
        return bounds->superset_bound(child, checked_parents(scorer, child, std::move(parents)),
                                      scorer.variables());
    }
    std::size_t most_parents(Var child) const {
        return bounds->most_parents(checked(child, scorer.variables()), {});
    }
};

ExtensionWay way_named(const std::string& name) {
    return named<ExtensionWay>("way", name,
                               {{"cheaper", ExtensionWay::cheaper},
                                {"bitmaps", ExtensionWay::bitmaps},
                                {"rows", ExtensionWay::rows}});
}

std::vector<double> extensions(ExtensionScores& scores, Var child, std::vector<Var> parents,
                               const std::vector<Var>& candidates) {
    const std::size_t variables = scores.scorer().variables();
    const std::vector<Var> set = checked_set(std::move(parents), variables);
    std::vector<Var> others = set;
    others.push_back(child);
    for (const Var candidate : checked_set(candidates, variables)) others.push_back(candidate);
    checked_set(std::move(others), variables);
    std::vector<double> found(candidates.size());
    const Unlocked unlocked;
    scores(child, set, candidates, found);
    return found;
}

/// A set's value, those with each one more variable, and how far they may be from the scorer's; for tests.
std::optional<std::tuple<double, std::vector<double>, double>> set_extension(const Scorer& scorer,
                                                                             std::vector<Var> members) {
    const std::vector<Var> set = checked_set(std::move(members), scorer.variables());
    const Unlocked unlocked;
    SetExtensions* shared = scorer.extensions();
    if (!shared) return std::nullopt;
    const auto found = SetExtensionMaker(*shared)(set);
    if (!found->known()) return std::nullopt;
    return std::tuple(found->value, found->with, found->error);
}

}  // namespace

void bind_scores(nb::module_& m) {
    nb::class_<Score>(m, "Score", "The formula of a score.").def_prop_ro("equivalent", &Score::equivalent);
    nb::class_<LogLikelihood, Score>(m, "LogLikelihood").def(nb::init<>());
    nb::class_<Aic, Score>(m, "Aic").def(nb::init<>());
    nb::class_<Bic, Score>(m, "Bic").def(nb::init<double>(), "cases"_a);
    nb::class_<Bdeu, Score>(m, "Bdeu").def(nb::init<double>(), "ess"_a);
    nb::class_<FittedDirichlet, Score>(m, "FittedDirichlet")
        .def(nb::init<double>(), "cases"_a)
        .def(
            "best_size",
            [](const FittedDirichlet& score, const InputArray<double>& counts, double combinations,
               std::size_t size) { return score.best_size(span_of(counts), combinations, size); },
            "counts"_a, "combinations"_a, "size"_a,
            "The sample size that fits the counts of a set of so many variables best.");
    nb::class_<K2, Score>(m, "K2").def(nb::init<>());
    nb::class_<Qnml, Score>(m, "Qnml").def(nb::init<double>(), "cases"_a);
    nb::class_<Fnml, Score>(m, "Fnml").def(nb::init<>());
    nb::class_<ScaledCounts, Score>(m, "ScaledCounts", "A score of rows that count for parts of a case.")
        .def(nb::new_([](std::shared_ptr<Score> score, double unit) {
                 if (!(unit > 0)) throw Error(ErrorKind::parameter, "a row must count for something");
                 return std::make_shared<ScaledCounts>(std::move(score), unit);
             }),
             "score"_a, "unit"_a);
    m.def("multinomial_regret", &multinomial_regret, "n"_a, "states"_a);

    nb::class_<SetFunction>(m, "SetFunction", "What searches see of data and score: values of sets.")
        .def_prop_ro("variables", &SetFunction::variables)
        .def_prop_ro("cases", &SetFunction::cases)
        .def_prop_ro("equivalent", &SetFunction::equivalent);
    nb::class_<KindsFunction, SetFunction>(m, "KindsFunction",
                                           "A function for each kind of child: where some rows are not its.")
        .def(nb::new_([](const std::vector<std::shared_ptr<SetFunction>>& functions,
                         std::vector<std::uint32_t> kinds) {
                 return std::make_shared<KindsFunction>(
                     std::vector<std::shared_ptr<const SetFunction>>(functions.begin(), functions.end()),
                     std::move(kinds));
             }),
             "functions"_a, "kinds"_a, "kinds[v]: which of the functions the variable has.");
    nb::class_<CountFunction, SetFunction>(m, "CountFunction", "A score on a table.")
        .def(nb::new_([](std::shared_ptr<Table> table, std::shared_ptr<Score> score,
                         std::shared_ptr<Counter> counter) {
                 if (!counter) counter = std::make_shared<FastestCounter>(*table, best_instructions());
                 return std::make_shared<CountFunction>(std::move(table), std::move(counter),
                                                        std::move(score));
             }),
             "table"_a, "score"_a, "counter"_a.none() = nb::none());
    nb::class_<SumFunction, SetFunction>(m, "SumFunction", "A share of the sum of several functions.")
        .def(nb::new_([](const std::vector<std::shared_ptr<SetFunction>>& functions, double share) {
                 return std::make_shared<SumFunction>(
                     std::vector<std::shared_ptr<const SetFunction>>(functions.begin(), functions.end()),
                     share);
             }),
             "functions"_a, "share"_a = 1.0);
    nb::class_<PriorFunction, SetFunction>(m, "PriorFunction", "A function with a prior on structures.")
        .def(nb::new_([](std::shared_ptr<SetFunction> function, std::vector<double> log_weights) {
                 return std::make_shared<PriorFunction>(std::move(function), std::move(log_weights));
             }),
             "function"_a, "log_weights"_a, "log_weights[k]: of a child with k parents, for every k.");
    nb::class_<DeterminantFunction, SetFunction>(m, "DeterminantFunction",
                                                 "A score of numbers, by covariances.");
    m.def(
        "basis_bic",
        [](const MixedTable& table, std::size_t degree, bool penalized) {
            const Unlocked unlocked;
            ColumnBlocks blocks = column_blocks(table, degree);
            DeterminantTerms terms = gaussian_bic_terms(blocks);
            if (!penalized) terms.price = 0;
            return std::make_shared<DeterminantFunction>(std::move(blocks), std::move(terms));
        },
        "table"_a, "degree"_a, "penalized"_a = true,
        "Of degree 1 on numbers alone it is the Gaussian BIC. Not penalized: the likelihood alone.");
    m.def(
        "bge",
        [](const MixedTable& table, double iss_mu, double iss_w, bool standardized) {
            for (std::size_t v = 0; v < table.variables(); ++v)
                if (!table.is_number(static_cast<Var>(v)))
                    throw Error(ErrorKind::data, "BGe scores numbers alone");
            if (!(iss_mu > 0) || (iss_w != 0 && !(iss_w > static_cast<double>(table.variables()) + 1)))
                throw Error(ErrorKind::parameter, "iss_w must be above the number of variables + 1");
            const Unlocked unlocked;
            ColumnBlocks blocks = column_blocks(table, 1);
            DeterminantTerms terms = bge_terms(blocks, {iss_mu, iss_w, standardized});
            return std::make_shared<DeterminantFunction>(std::move(blocks), std::move(terms));
        },
        "table"_a, "iss_mu"_a, "iss_w"_a, "standardized"_a);
    nb::class_<ConditionalGaussian, SetFunction>(m, "ConditionalGaussian", "A Gaussian in every cell.")
        .def(nb::new_([](std::shared_ptr<MixedTable> table) {
                 return std::make_shared<ConditionalGaussian>(std::move(table));
             }),
             "table"_a);
    nb::class_<MixedLikelihood, SetFunction>(m, "MixedLikelihood", "States, and normal scores given them.");
    m.def(
        "normal_scores",
        [](const InputArray<double>& values) {
            const std::vector<double> column(values.data(), values.data() + values.size());
            return array_of(unlocked([&] { return normal_scores(column); }));
        },
        "values"_a, "What a normal sample has at the ranks of the values.");
    m.def(
        "rank_bge",
        [](const MixedTable& table, std::shared_ptr<SetFunction> states,
           std::size_t degree) -> std::shared_ptr<SetFunction> {
            std::vector<bool> is_number(table.variables());
            for (std::size_t v = 0; v < is_number.size(); ++v)
                is_number[v] = table.is_number(static_cast<Var>(v));
            const auto others =
                static_cast<std::size_t>(std::count(is_number.begin(), is_number.end(), false));
            if ((states ? states->variables() : 0) != others)
                throw Error(ErrorKind::parameter, "the function of states is of other columns");
            const nb::gil_scoped_release unlocked;
            ColumnBlocks blocks = column_blocks(table, degree, NumbersAs::normal_scores);
            if (others > 0)
                return std::make_shared<MixedLikelihood>(std::move(states), std::move(is_number),
                                                         std::move(blocks));
            DeterminantTerms terms = normal_score_terms(blocks, is_number);
            return std::make_shared<DeterminantFunction>(std::move(blocks), std::move(terms));
        },
        "table"_a, "states"_a.none(), "degree"_a,
        "The marginal likelihood of normal scores, given the states, whose own function is given.");
    bind_python_function(m);

    nb::class_<Bounds>(m, "FamilyBounds", "What is known of parent sets that are not scored.")
        .def("superset_bound", &Bounds::superset_bound, "child"_a, "parents"_a,
             "No larger set scores above this, unless all that it adds has one state.")
        .def("most_parents", &Bounds::most_parents, "child"_a,
             "With more parents than this the child scores no higher than with none.");
    nb::class_<Scorer>(m, "Scorer", "A function of sets, with a cache that searches share.")
        .def(nb::new_(
                 [](std::shared_ptr<SetFunction> function, std::size_t cache_bytes, std::vector<Var> free) {
                     const std::vector<Var> known = checked_set(std::move(free), function->variables());
                     return std::make_shared<Scorer>(std::move(function), cache_bytes, known);
                 }),
             "function"_a, "cache_bytes"_a, "free"_a = std::vector<Var>{},
             "free: variables that are given, without parents and without a score of their own.")
        .def("local", &local, "child"_a, "parents"_a)
        .def(
            "bounds", [](const Scorer& scorer) { return Bounds{scorer, scorer.function().bounds()}; },
            nb::keep_alive<0, 1>())
        .def_prop_ro("sets_counted", &Scorer::sets_counted)
        .def_prop_ro("cache_entries", &Scorer::cache_entries)
        .def_prop_ro("cache_bytes", &Scorer::cache_bytes);
    nb::class_<ExtensionScores>(m, "ExtensionScores", "Scores of a child with one more parent, many at once.")
        .def(
            "__init__",
            [](ExtensionScores* at, const Scorer& scorer, const std::string& way) {
                new (at) ExtensionScores(scorer, way_named(way));
            },
            "scorer"_a, "way"_a = "cheaper", nb::keep_alive<1, 2>())
        .def("__call__", &extensions, "child"_a, "parents"_a, "candidates"_a);
    m.def("set_extension", &set_extension, "scorer"_a, "members"_a);
}
