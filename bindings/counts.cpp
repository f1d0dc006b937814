#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>

#include "bindings.hpp"
#include "checks.hpp"
#include "counts/ad_tree.hpp"
#include "counts/bare_counting.hpp"
#include "counts/bitmap_counter.hpp"
#include "counts/fastest_counter.hpp"
#include "counts/row_partition.hpp"
#include "error.hpp"
#include "lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

Instructions instructions_named(const std::string& name) {
    const auto asked = named<Instructions>("instructions", name,
                                           {{"auto", best_instructions()},
                                            {"plain", Instructions::plain},
                                            {"avx2", Instructions::avx2},
                                            {"avx512", Instructions::avx512}});
    if (!available(asked)) throw Error(ErrorKind::parameter, "this machine has no " + name + " instructions");
    return asked;
}

namespace {

std::vector<std::uint32_t> count(const Counter& counter, const Table& table, std::vector<Var> set) {
    std::vector<std::uint32_t> counts;
    counter.count(checked_set(std::move(set), table.variables()), counts);
    return counts;
}

}  // namespace

void bind_counts(nb::module_& m) {
    nb::class_<Counter>(m, "Counter", "Counts of the value combinations of a set that occur.")
        .def("count", &count, "table"_a, "variables"_a, nb::call_guard<Unlocked>());
    nb::class_<RowPartition, Counter>(m, "RowPartition", "Counts by splitting the rows.")
        .def(nb::init<const Table&>(), "table"_a)
        .def_prop_ro("rows", &RowPartition::rows);
    nb::class_<BitmapCounter, Counter>(m, "BitmapCounter", "Counts by intersecting bitmaps of states.")
        .def(nb::new_([](const Table& table, const std::string& instructions) {
                 if (!table.weights().empty())
                     throw Error(ErrorKind::parameter, "bitmaps cannot count rows with weights");
                 return std::make_shared<BitmapCounter>(table, instructions_named(instructions));
             }),
             "table"_a, "instructions"_a = "auto");
    nb::class_<FastestCounter, Counter>(m, "FastestCounter", "Counts each set the way that is sooner done.")
        .def(nb::new_([](const Table& table, const std::string& instructions) {
                 return std::make_shared<FastestCounter>(table, instructions_named(instructions));
             }),
             "table"_a, "instructions"_a = "auto");
    nb::class_<AdTree, Counter>(m, "AdTree", "Counts read from an AD-tree, for sets up to its depth.")
        .def(nb::init<const Table&, int, std::size_t, std::uint32_t>(), "table"_a, "depth"_a, "most_bytes"_a,
             "leaf_rows"_a = 16, nb::call_guard<Unlocked>())
        .def_prop_ro("depth", &AdTree::depth)
        .def_prop_ro("nodes", &AdTree::nodes)
        .def_prop_ro("bytes", &AdTree::bytes)
        .def_static("paper_depth", &AdTree::paper_depth, "cases"_a);
    m.def("ad_tree_nodes", &ad_tree_nodes, "table"_a, "depth"_a, nb::call_guard<Unlocked>());
    m.def("full_ad_tree_nodes", &full_ad_tree_nodes, "table"_a);
    m.def("available_instructions", [] {
        std::vector<std::string> names = {"plain"};
        if (available(Instructions::avx2)) names.emplace_back("avx2");
        if (available(Instructions::avx512)) names.emplace_back("avx512");
        return names;
    });
    m.def(
        "bare_and_counts",
        [](const Table& table, double seconds, const std::string& instructions) {
            return bare_and_counts(table, seconds, instructions_named(instructions));
        },
        "table"_a, "seconds"_a, "instructions"_a = "auto", nb::call_guard<Unlocked>());
}
