#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "bindings.hpp"
#include "checks.hpp"
#include "run.hpp"
#include "search/greedy/hill_climbing.hpp"

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
    m.def("hill_climb", &climb, "scorer"_a, "constraints"_a, "start"_a, "options"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none());
}
