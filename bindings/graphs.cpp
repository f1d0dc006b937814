#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings.hpp"
#include "checks.hpp"
#include "graphs/essential_graph.hpp"
#include "graphs/extension.hpp"
#include "graphs/meek.hpp"
#include "graphs/properties.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

template <typename Graph>
Var checked(const Graph& graph, Var v) {
    return ::checked(v, graph.variables());
}

WideSet set_of(const Dag& dag, const std::vector<Var>& members) { return wide_set(members, dag.variables()); }

}  // namespace

void bind_graphs(nb::module_& m) {
    using Arcs = std::vector<Arc>;
    using Vars = std::vector<Var>;

    nb::class_<Dag>(m, "Dag", "An acyclic directed graph on numbered variables.")
        .def(nb::init<std::size_t, const Arcs&>(), "variables"_a, "arcs"_a)
        .def_prop_ro("variables", &Dag::variables)
        .def_prop_ro("arcs", &Dag::arcs)
        .def(
            "parents", [](const Dag& g, Var v) { return g.parents(checked(g, v)).members(); }, "variable"_a)
        .def(
            "children", [](const Dag& g, Var v) { return g.children(checked(g, v)).members(); }, "variable"_a)
        .def(
            "spouses", [](const Dag& g, Var v) { return spouses(g, checked(g, v)).members(); }, "variable"_a)
        .def(
            "markov_blanket", [](const Dag& g, Var v) { return markov_blanket(g, checked(g, v)).members(); },
            "variable"_a)
        .def(
            "ancestors", [](const Dag& g, const Vars& of) { return ancestors(g, set_of(g, of)).members(); },
            "of"_a)
        .def(
            "descendants",
            [](const Dag& g, const Vars& of) { return descendants(g, set_of(g, of)).members(); }, "of"_a)
        .def("topological_order", &topological_order)
        .def("v_structures", &v_structures)
        .def("covered_arcs", &covered_arcs)
        .def("moral_edges", &moral_edges)
        .def(
            "d_separated",
            [](const Dag& g, const Vars& a, const Vars& b, const Vars& given) {
                return d_separated(g, set_of(g, a), set_of(g, b), set_of(g, given));
            },
            "a"_a, "b"_a, "given"_a)
        .def("essential_graph", &essential_graph)
        .def(
            "__eq__", [](const Dag& a, const Dag& b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"));

    nb::class_<Pdag>(m, "Pdag", "A graph of directed and undirected edges on numbered variables.")
        .def(nb::init<std::size_t, const Arcs&, const Arcs&>(), "variables"_a, "directed"_a, "undirected"_a)
        .def_prop_ro("variables", &Pdag::variables)
        .def_prop_ro("directed", &Pdag::directed_edges)
        .def_prop_ro("undirected", &Pdag::undirected_edges)
        .def(
            "parents", [](const Pdag& g, Var v) { return g.parents(checked(g, v)).members(); }, "variable"_a)
        .def(
            "children", [](const Pdag& g, Var v) { return g.children(checked(g, v)).members(); },
            "variable"_a)
        .def(
            "undirected_neighbors",
            [](const Pdag& g, Var v) { return g.undirected(checked(g, v)).members(); }, "variable"_a)
        .def(
            "adjacent", [](const Pdag& g, Var v) { return g.adjacent(checked(g, v)).members(); },
            "variable"_a)
        .def("consistent_extension", &consistent_extension)
        .def(
            "__eq__", [](const Pdag& a, const Pdag& b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"));

    nb::class_<Orientation>(m, "Orientation", "Directs the edges of a skeleton, each with what follows.")
        .def(nb::init<std::size_t, const Arcs&>(), "variables"_a, "skeleton"_a)
        .def(
            "add_arc", [](Orientation& o, Var a, Var b) { return o.add_arc(checked(o, a), checked(o, b)); },
            "a"_a, "b"_a)
        .def(
            "add_collider",
            [](Orientation& o, Var a, Var c, Var b) {
                return o.add_collider(checked(o, a), checked(o, c), checked(o, b));
            },
            "a"_a, "child"_a, "b"_a)
        .def("follow", &Orientation::follow)
        .def("finish", &Orientation::finish)
        .def("pdag", &Orientation::pdag)
        .def("dag", &Orientation::dag);

    m.def("find_cycle", &find_cycle, "variables"_a, "arcs"_a);
    m.def("structural_hamming_distance", &structural_hamming_distance, "a"_a, "b"_a);
}
