#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <vector>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "error.hpp"
#include "gaps/available_function.hpp"
#include "gaps/completed_function.hpp"
#include "gaps/completions.hpp"
#include "gaps/gap_table.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using Code = GapTable::Code;

std::shared_ptr<GapTable> make_table(const std::vector<InputArray<Code>>& columns,
                                     std::vector<std::uint32_t> arities) {
    std::vector<std::vector<Code>> codes;
    codes.reserve(columns.size());
    for (const InputArray<Code>& column : columns)
        codes.emplace_back(column.data(), column.data() + column.size());
    return std::make_shared<GapTable>(std::move(codes), std::move(arities));
}

/// The completions, and what stopped their making.
nb::tuple complete(std::shared_ptr<GapTable> table, const TableNetwork& network, std::size_t most_listed,
                   std::size_t draws, std::uint64_t seed, std::size_t max_bytes, std::size_t threads,
                   std::optional<double> seconds) {
    if (draws == 0) throw Error(ErrorKind::parameter, "there must be a draw at least");
    const CompletionOptions options{most_listed, draws, seed, max_bytes / sizeof(double)};
    auto [made, stopped] = run({seconds, {}, nb::none()}, [&](Control& control) {
        return std::make_shared<Completions>(std::move(table), network, options, at_least_one(threads),
                                             control);
    });
    return nb::make_tuple(std::move(made), stop_name(stopped));
}

auto counts_of(const Completions& completions, const std::vector<Var>& variables) {
    checked_set(variables, completions.table().variables());
    return array_of(unlocked([&] { return completions.counts_of_all(variables); }));
}

double of_counts(const CompletedFunction& function, const InputArray<double>& counts, std::size_t variables) {
    std::vector<double> occurring;
    const std::span<const double> all(counts.data(), counts.size());
    return function.of_counts(all, variables, static_cast<double>(all.size()), occurring);
}

nb::list drawn(const Completions& completions, std::uint64_t seed) {
    nb::list columns;
    for (std::vector<Code>& column : unlocked([&] { return completions.drawn(seed); }))
        columns.append(array_of(std::move(column)));
    return columns;
}

}  // namespace

void bind_gaps(nb::module_& m) {
    nb::class_<GapTable>(m, "GapTable", "Discrete data in which cells may be missing.")
        .def(nb::new_(&make_table), "columns"_a, "arities"_a)
        .def_prop_ro("rows", &GapTable::rows);
    nb::class_<Completions>(m, "Completions", "How probable the completions of rows are in a network.")
        .def_prop_ro("log_likelihood", &Completions::log_likelihood)
        .def_prop_ro("rows_drawn", &Completions::rows_drawn)
        .def("counts", &counts_of, "variables"_a, "Of all value combinations, the last variable fastest.")
        .def("drawn", &drawn, "seed"_a);
    m.def("complete", &complete, "table"_a, "network"_a, "most_listed"_a, "draws"_a, "seed"_a, "max_bytes"_a,
          "threads"_a, "seconds"_a = nb::none());
    nb::class_<CompletedFunction, SetFunction>(m, "CompletedFunction", "A score on expected counts.")
        .def(nb::new_([](std::shared_ptr<Completions> completions, std::shared_ptr<Score> score) {
                 return std::make_shared<CompletedFunction>(std::move(completions), std::move(score));
             }),
             "completions"_a, "score"_a)
        .def("of_counts", &of_counts, "counts"_a, "variables"_a,
             "The value of a set of so many variables by the counts of all its combinations.");
    nb::class_<AvailableFunction, SetFunction>(m, "AvailableFunction", "Node-average likelihood.")
        .def(nb::new_([](std::shared_ptr<GapTable> table, double price) {
                 return std::make_shared<AvailableFunction>(std::move(table), price);
             }),
             "table"_a, "price"_a);
}
