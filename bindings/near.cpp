#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "graphs/class_size.hpp"
#include "run.hpp"
#include "search/near/near_optimal.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

/// A row of places for each network, what each loses, and what was done.
nb::tuple near(ParentLists& parents, double within, std::size_t limit, bool classes,
               std::optional<double> most_regret, std::size_t threads, std::optional<double> seconds,
               std::optional<std::size_t> max_bytes, nb::object progress, std::vector<std::uint32_t> kinds) {
    check_kinds(kinds, parents.variables());
    for (const ParentList& list : parents.lists)
        if (list.size() == 0)
            throw Error(ErrorKind::graph, "every variable needs a parent set, if only the empty one");
    const NearOptions options{within, limit, classes, std::move(kinds), most_regret, at_least_one(threads)};
    auto [found, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        parents.sort(options.threads);
        return near_optimal(parents, options, control);
    });
    nb::dict facts;
    facts["complete"] = found.complete;
    facts["complete_to"] = found.complete_to;
    facts["limited"] = found.limited;
    facts["too_large"] = found.too_large;
    facts["largest_component"] = found.largest;
    facts["sinks_placed"] = found.steps;
    facts["stopped"] = stop_name(stopped);
    const std::size_t rows = found.differences.size();
    return nb::make_tuple(array_of(std::move(found.places), rows, parents.variables()),
                          array_of(std::move(found.differences)), facts);
}

}  // namespace

void bind_near(nb::module_& m) {
    m.def("near_optimal", &near, "parents"_a, "within"_a, "limit"_a, "classes"_a,
          "most_regret"_a = nb::none(), "threads"_a = 1, "seconds"_a = nb::none(), "max_bytes"_a = nb::none(),
          "progress"_a = nb::none(), "kinds"_a = std::vector<std::uint32_t>{});
    m.def(
        "class_size", [](const Pdag& graph) { return unlocked([&] { return class_size(graph); }); },
        "essential_graph"_a);
}
