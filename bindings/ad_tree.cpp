#include "counts/ad_tree.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bindings.hpp"
#include "error.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

std::vector<std::uint32_t> count(const AdTree& tree, std::vector<Var> set) {
    std::sort(set.begin(), set.end());
    if (!set.empty() && set.back() >= tree.variables())
        throw Error(ErrorKind::parameter, "there is no variable " + std::to_string(set.back()));
    if (std::adjacent_find(set.begin(), set.end()) != set.end())
        throw Error(ErrorKind::parameter, "a variable is listed twice");
    std::vector<std::uint32_t> counts;
    tree.count(set, counts);
    return counts;
}

}  // namespace

void bind_ad_tree(nb::module_& m) {
    nb::class_<AdTree>(m, "AdTree", "Counts read from an AD-tree, for sets up to its depth.")
        .def(nb::init<const Table&, int, std::size_t, std::uint32_t>(), "table"_a, "depth"_a, "most_bytes"_a,
             "leaf_rows"_a = 16, Unlocked())
        .def("count", &count, "variables"_a, Unlocked())
        .def_prop_ro("depth", &AdTree::depth)
        .def_prop_ro("nodes", &AdTree::nodes)
        .def_prop_ro("bytes", &AdTree::bytes)
        .def_static("paper_depth", &AdTree::paper_depth, "cases"_a);
    m.def("ad_tree_nodes", &ad_tree_nodes, "table"_a, "depth"_a, Unlocked());
    m.def("full_ad_tree_nodes", &full_ad_tree_nodes, "table"_a);
}
