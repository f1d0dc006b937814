#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings.hpp"
#include "checks.hpp"
#include "graphs/ancestral_graph.hpp"
#include "graphs/essential_graph.hpp"
#include "graphs/extension.hpp"
#include "graphs/meek.hpp"
#include "graphs/pag_rules.hpp"
#include "graphs/properties.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

template <typename Graph>
Var checked(const Graph& graph, Var v) {
    return ::checked(v, graph.variables());
}

/// An edge as the package writes it: a variable, "o->" and the like, another variable.
using WrittenEdge = std::tuple<Var, std::string, Var>;

constexpr char circle = 'o', tail = '-', head_left = '<', head_right = '>';

Mark read_mark(char written) {
    if (written == circle) return Mark::circle;
    if (written == tail) return Mark::tail;
    if (written == head_left || written == head_right) return Mark::head;
    return Mark::none;
}

/// From "->", "<-o", "o-o" and the like: the marks at both ends.
MarkedGraph marked_graph(std::size_t variables, const std::vector<WrittenEdge>& written) {
    std::vector<MarkedEdge> edges;
    for (const auto& [a, marks, b] : written)
        edges.emplace_back(a, b, read_mark(marks.empty() ? ' ' : marks.front()),
                           read_mark(marks.empty() ? ' ' : marks.back()));
    return {variables, edges};
}

std::vector<WrittenEdge> written_edges(const MarkedGraph& graph) {
    std::vector<WrittenEdge> written;
    for (const auto& [a, b, at_a, at_b] : graph.edges()) {
        std::string marks = at_a == Mark::circle ? "o-" : at_a == Mark::head ? "<-" : "-";
        if (at_b != Mark::tail) marks += at_b == Mark::circle ? circle : head_right;
        written.emplace_back(a, marks, b);
    }
    return written;
}

std::string word(Mark mark) {
    switch (mark) {
        case Mark::circle:
            return "circle";
        case Mark::tail:
            return "tail";
        case Mark::head:
            return "head";
        default:
            return "";
    }
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
        .def(
            "essential_graph",
            [](const Dag& g, const std::vector<std::uint32_t>& kinds) {
                check_kinds(kinds, g.variables());
                return kinds.empty() ? essential_graph(g) : essential_graph(g, kinds);
            },
            "kinds"_a = std::vector<std::uint32_t>{},
            "Of all equivalent networks; with kinds, of those that agree in arcs between different ones.")
        .def(
            "ancestral_graph",
            [](const Dag& g, const Vars& hidden) { return ancestral_graph(g, set_of(g, hidden)); },
            "hidden"_a)
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
            [](Orientation& o, Var a, Var c, Var b, bool join) {
                return o.add_collider(checked(o, a), checked(o, c), checked(o, b), join);
            },
            "a"_a, "child"_a, "b"_a, "join"_a = false)
        .def("follow", &Orientation::follow)
        .def("finish", &Orientation::finish)
        .def("pdag", &Orientation::pdag)
        .def("dag", &Orientation::dag);

    nb::class_<MarkedGraph>(m, "MarkedGraph",
                            "A graph on numbered variables with a mark at either end of each edge.")
        .def(
            "__init__",
            [](MarkedGraph* g, std::size_t variables, const std::vector<WrittenEdge>& edges) {
                new (g) MarkedGraph(marked_graph(variables, edges));
            },
            "variables"_a, "edges"_a)
        .def_prop_ro("variables", &MarkedGraph::variables)
        .def_prop_ro("edges", &written_edges)
        .def(
            "adjacent", [](const MarkedGraph& g, Var v) { return g.adjacent(checked(g, v)).members(); },
            "variable"_a)
        .def(
            "mark",
            [](const MarkedGraph& g, Var at, Var other) {
                return word(g.mark(checked(g, at), checked(g, other)));
            },
            "at"_a, "other"_a)
        .def(
            "followed",
            [](const MarkedGraph& g, const SaysTail& says_tail) {
                MarkedGraph followed = g;
                follow_rules(followed, says_tail);
                return followed;
            },
            "says_tail"_a)
        .def("is_maximal_ancestral", &is_maximal_ancestral)
        .def("class_of", &class_of)
        .def("member_of", &member_of)
        .def("visible_arrows", &visible_arrows)
        .def(
            "__eq__", [](const MarkedGraph& a, const MarkedGraph& b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"));

    m.def("find_cycle", &find_cycle, "variables"_a, "arcs"_a);
    m.def("structural_hamming_distance", &structural_hamming_distance, "a"_a, "b"_a);
}
