"""The named edge of the graphs; tests/agreement judges what the engine computes."""

import copy
import pickle
import random

import networkx as nx
import numpy as np
import pytest

import dagscape as ds
from dagscape.errors import DagscapeError, GraphError, ParameterError
from dagscape.graphs import Cpdag, Dag, as_dag
from dagscape.variables import Variables

# Cold and dust make one sneeze; the user lists the effect first.
NAMES = ["sneeze", "dust", "cold", "tissue"]
ARCS = [("cold", "sneeze"), ("dust", "sneeze"), ("sneeze", "tissue")]


@pytest.fixture
def sneeze():
    return Dag(NAMES, ARCS)


class TestDag:
    def test_names_and_arcs_come_in_display_order(self, sneeze):
        assert sneeze.names == tuple(NAMES)
        assert sneeze.arcs == (("sneeze", "tissue"), ("dust", "sneeze"), ("cold", "sneeze"))

    def test_sets_come_in_display_order(self, sneeze):
        assert sneeze.parents("sneeze") == ("dust", "cold")
        assert sneeze.children("sneeze") == ("tissue",)
        assert sneeze.neighbors("sneeze") == ("dust", "cold", "tissue")
        assert sneeze.spouses("cold") == ("dust",)
        assert sneeze.markov_blanket("cold") == ("sneeze", "dust")
        assert sneeze.ancestors("tissue") == ("sneeze", "dust", "cold")
        assert sneeze.descendants("cold") == ("sneeze", "tissue")

    def test_lists_of_the_whole_graph(self, sneeze):
        assert sneeze.topological_order() == ("cold", "dust", "sneeze", "tissue")
        assert sneeze.v_structures() == (("cold", "sneeze", "dust"),)
        assert sneeze.covered_arcs() == ()
        assert Dag("ba", [("a", "b")]).covered_arcs() == (("a", "b"),)

    def test_a_spouse_may_be_a_parent_too(self):
        dag = Dag("abc", [("a", "b"), ("a", "c"), ("b", "c")])
        assert dag.spouses("b") == ("a",)
        assert dag.markov_blanket("b") == ("a", "c")

    def test_moral_graph_keeps_isolated_variables(self):
        moral = Dag("dcba", [("a", "c"), ("b", "c")]).moral_graph()
        assert list(moral.nodes) == ["d", "c", "b", "a"]
        assert {frozenset(edge) for edge in moral.edges} == {
            frozenset("ac"),
            frozenset("bc"),
            frozenset("ab"),
        }

    def test_equality_and_hash_ignore_display_order(self, sneeze):
        other = Dag(sorted(NAMES), reversed(ARCS))
        assert other == sneeze
        assert hash(other) == hash(sneeze)
        assert len({other, sneeze}) == 1
        assert other.arcs != sneeze.arcs

    def test_what_differs_is_unequal(self, sneeze):
        assert sneeze != Dag(NAMES, ARCS[1:])
        assert sneeze != Dag([*NAMES, "rain"], ARCS)
        assert Dag("ab", [("a", "b")]) != Dag("ab", [("b", "a")])
        assert Dag("ab") != Dag("ac")
        assert sneeze != sneeze.to_cpdag()
        assert sneeze != "sneeze"

    def test_nothing_can_be_assigned(self, sneeze):
        for attribute in ("names", "arcs", "variables", "other"):
            with pytest.raises(AttributeError):
                setattr(sneeze, attribute, ())

    def test_it_does_not_follow_the_lists_it_was_made_from(self):
        names, arcs = ["a", "b"], [("a", "b")]
        dag = Dag(names, arcs)
        names.append("c")
        arcs.clear()
        assert (dag.names, dag.arcs) == (("a", "b"), (("a", "b"),))

    def test_iterators_lists_and_arrays_are_arcs_too(self):
        expected = Dag("abc", [("a", "b"), ("b", "c")])
        assert Dag(iter("abc"), (arc for arc in [["a", "b"], ["b", "c"]])) == expected
        assert Dag("abc", np.array([["a", "b"], ["b", "c"]])) == expected

    def test_an_arc_listed_twice_is_one(self):
        assert Dag("ab", [("a", "b"), ("a", "b")]).arcs == (("a", "b"),)

    def test_copies(self, sneeze):
        for again in (copy.deepcopy(sneeze), pickle.loads(pickle.dumps(sneeze))):
            assert again == sneeze
            assert again.names == sneeze.names

    @pytest.mark.parametrize("names", [[], ["a"]])
    def test_without_arcs(self, names):
        dag = Dag(names)
        assert dag.arcs == dag.v_structures() == dag.covered_arcs() == ()
        assert dag.topological_order() == tuple(names)
        assert list(dag.moral_graph().nodes) == names
        assert dag.to_cpdag().to_dag() == dag
        assert Dag.from_networkx(dag.to_networkx()) == dag

    def test_alone_in_its_graph(self):
        dag = Dag(["a"])
        for ask in (dag.parents, dag.children, dag.neighbors, dag.spouses, dag.markov_blanket):
            assert ask("a") == ()

    def test_repr_shows_a_few_arcs(self, sneeze):
        assert repr(Dag([])) == "<Dag: 0 variables, 0 arcs>"
        assert repr(sneeze) == (
            "<Dag: 4 variables, 3 arcs: sneeze -> tissue, dust -> sneeze, cold -> sneeze>"
        )
        fan = Dag("abcdefgh", [("a", x) for x in "bcdefgh"])
        assert repr(fan).endswith("a -> f, a -> g, ... 1 more>")

    def test_a_cycle_is_spelled_out(self):
        with pytest.raises(GraphError) as caught:
            Dag("xabc", [("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")])
        spelled = str(caught.value).removeprefix("the arcs form a cycle: ").split(" -> ")
        assert spelled[0] == spelled[-1]
        doubled = "abcabc"
        assert "".join(spelled[:-1]) in doubled
        assert len(spelled) == 4

    @pytest.mark.parametrize(
        "arc", ["ab", ("a",), ("a", "b", "c"), {"a", "b"}, ("a", "a"), ("a", 1), 3]
    )
    def test_what_is_no_arc(self, arc):
        with pytest.raises(GraphError) as caught:
            Dag("abc", [arc])
        assert str(caught.value) == f"an arc must be a pair of two different names, got {arc!r}"

    def test_unknown_ends_are_named_with_a_suggestion(self):
        with pytest.raises(GraphError) as caught:
            Dag(NAMES, [("cold", "sneze")])
        assert str(caught.value) == (
            "an arc joins 'cold' with 'sneze': unknown variable \"sneze\"; did you mean \"sneeze\"?"
        )

    def test_bad_names(self):
        with pytest.raises(ParameterError, match='name "a" is given to more than one'):
            Dag("aba")
        with pytest.raises(ParameterError, match="must be strings, got 1"):
            Dag([1, 2])

    @pytest.mark.parametrize(
        "ask",
        [
            "parents",
            "children",
            "neighbors",
            "spouses",
            "markov_blanket",
            "ancestors",
            "descendants",
        ],
    )
    def test_unknown_variables(self, sneeze, ask):
        with pytest.raises(ParameterError, match=r'^unknown variable "col"; did you mean "cold"\?'):
            getattr(sneeze, ask)("col")


class TestDSeparation:
    def test_names_and_collections_of_names(self, sneeze):
        assert sneeze.d_separated("cold", "dust")
        assert not sneeze.d_separated("cold", "dust", "tissue")
        assert not sneeze.d_separated("cold", {"dust", "tissue"})
        assert sneeze.d_separated(["cold", "dust"], "tissue", given=("sneeze",))

    def test_nothing_is_separated_from_anything(self, sneeze):
        assert sneeze.d_separated([], "dust")

    @pytest.mark.parametrize(
        ("a", "b", "given"),
        [("cold", "cold", ()), ("cold", "dust", "dust"), (["cold", "tissue"], "dust", ["cold"])],
    )
    def test_sets_must_not_overlap(self, sneeze, a, b, given):
        with pytest.raises(ParameterError, match=r"^a, b and given must not share a variable$"):
            sneeze.d_separated(a, b, given)

    def test_a_name_listed_twice_counts_once(self, sneeze):
        assert sneeze.d_separated(["cold", "cold"], "dust")

    def test_unknown_variables(self, sneeze):
        with pytest.raises(ParameterError, match='unknown variable "rain"'):
            sneeze.d_separated("cold", "dust", given=["rain"])


class TestCpdag:
    def test_edges_come_in_display_order(self):
        cpdag = Dag("dcba", [("a", "b"), ("b", "c"), ("d", "c")]).to_cpdag()
        assert cpdag.names == tuple("dcba")
        assert cpdag.directed == (("d", "c"), ("b", "c"))
        assert cpdag.undirected == (("b", "a"),)

    def test_sets_come_in_display_order(self):
        # b -> c <- d, with a - b free and e after the collider.
        cpdag = Dag("edcba", [("a", "b"), ("b", "c"), ("d", "c"), ("c", "e")]).to_cpdag()
        assert cpdag.parents("c") == ("d", "b")
        assert cpdag.children("c") == ("e",)
        assert cpdag.undirected_neighbors("b") == ("a",)
        assert cpdag.undirected_neighbors("c") == ()
        assert cpdag.neighbors("b") == ("c", "a")
        assert cpdag.markov_blanket("b") == ("d", "c", "a")
        assert cpdag.markov_blanket("e") == ("c",)

    def test_blankets_are_those_of_the_members(self):
        rng = random.Random(3)
        names = "hgfedcba"
        for _ in range(50):
            arcs = [(a, b) for i, a in enumerate(names) for b in names[:i] if rng.random() < 0.3]
            dag = Dag(names, arcs)
            cpdag = dag.to_cpdag()
            assert all(cpdag.markov_blanket(x) == dag.markov_blanket(x) for x in names)

    def test_free_edges_go_from_lower_to_higher_name(self):
        assert Cpdag("cba", undirected=[("c", "b"), ("b", "a")]).to_dag().arcs == (
            ("b", "c"),
            ("a", "b"),
        )

    def test_equality_and_hash(self):
        one = Cpdag("abc", undirected=[("a", "b")])
        other = Cpdag("cba", undirected=[("b", "a")])
        assert one == other
        assert hash(one) == hash(other)
        assert one == Dag("abc", [("b", "a")]).to_cpdag()
        assert one != Cpdag("abc", undirected=[("a", "c")])
        assert one != Cpdag("abd", undirected=[("a", "b")])
        assert one != one.to_dag()
        assert one != "abc"

    def test_nothing_can_be_assigned(self):
        for attribute in ("names", "directed", "undirected", "variables", "other"):
            with pytest.raises(AttributeError):
                setattr(Cpdag("ab"), attribute, ())

    def test_copies(self, sneeze):
        cpdag = sneeze.to_cpdag()
        for again in (copy.deepcopy(cpdag), pickle.loads(pickle.dumps(cpdag))):
            assert again == cpdag
            assert again.names == cpdag.names

    @pytest.mark.parametrize("names", [[], ["a"]])
    def test_without_edges(self, names):
        cpdag = Cpdag(names)
        assert cpdag.directed == cpdag.undirected == ()
        assert cpdag == Dag(names).to_cpdag()
        assert Cpdag.from_networkx(cpdag.to_networkx()) == cpdag
        assert [cpdag.markov_blanket(x) for x in names] == [()] * len(names)

    def test_repr(self):
        cpdag = Dag("abcd", [("a", "b"), ("b", "c"), ("d", "c")]).to_cpdag()
        assert repr(cpdag) == "<Cpdag: 4 variables, 2 directed and 1 undirected edges>"

    def test_an_arc_that_nothing_compels_is_refused(self):
        with pytest.raises(GraphError) as caught:
            Cpdag("ba", [("a", "b")])
        assert str(caught.value) == (
            'this is not an essential graph: the edge between "a" and "b" is directed otherwise '
            "than the rest implies; use Cpdag.from_pdag to complete it"
        )

    def test_an_edge_that_must_be_directed_is_refused(self):
        with pytest.raises(GraphError, match=r'edge between "c" and "d" is directed otherwise'):
            Cpdag("abcd", [("a", "c"), ("b", "c")], [("c", "d")])

    def test_from_pdag_completes(self):
        completed = Cpdag.from_pdag("dcba", [("a", "c"), ("b", "c")], [("d", "c")])
        assert completed == Cpdag("abcd", [("a", "c"), ("b", "c"), ("c", "d")])
        assert completed.names == tuple("dcba")
        assert Cpdag.from_pdag("ab", [("a", "b")]) == Cpdag("ab", undirected=[("a", "b")])

    @pytest.mark.parametrize("make", [Cpdag, Cpdag.from_pdag])
    def test_without_a_member(self, make):
        square = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
        for directed, undirected in [([], square), (square, [])]:
            with pytest.raises(GraphError, match=r"^no acyclic graph extends these edges: which"):
                make("abcd", directed, undirected)

    @pytest.mark.parametrize(
        ("directed", "undirected"),
        [
            ([("b", "a"), ("a", "b")], []),
            ([("b", "a")], [("a", "b")]),
            ([], [("a", "b"), ("b", "a")]),
            ([("a", "b"), ("a", "b")], []),
        ],
    )
    def test_two_edges_between_two_variables(self, directed, undirected):
        with pytest.raises(GraphError, match=r'^"a" and "b" are joined by more than one edge$'):
            Cpdag("ba", directed, undirected)

    def test_what_is_no_edge(self):
        with pytest.raises(GraphError, match=r"^a directed edge must be a pair of two different"):
            Cpdag("ab", [("a", "a")])
        with pytest.raises(GraphError, match=r"^an undirected edge must be a pair of two diff"):
            Cpdag("ab", undirected=["ab"])
        with pytest.raises(GraphError, match=r"^an undirected edge joins 'a' with 'c': unknown"):
            Cpdag("ab", undirected=[("a", "c")])

    @pytest.mark.parametrize(
        "ask", ["parents", "children", "undirected_neighbors", "neighbors", "markov_blanket"]
    )
    def test_unknown_variables(self, ask):
        with pytest.raises(ParameterError, match=r'^unknown variable "x"$'):
            getattr(Cpdag("ab"), ask)("x")


class TestMpdag:
    CHAIN = ds.Dag("abcd", [("a", "b"), ("b", "c"), ("c", "d")]).to_cpdag()

    def test_a_direction_and_what_follows(self):
        known = self.CHAIN.orient([("b", "c")])
        assert type(known) is ds.Mpdag
        assert known.directed == (("b", "c"), ("c", "d"))
        assert known.undirected == (("a", "b"),)
        assert known.orient([]) == known
        assert known.to_cpdag() == self.CHAIN
        assert {("b", "c"), ("c", "d")} <= set(known.to_dag().arcs)

    def test_an_essential_graph_is_one(self):
        assert isinstance(self.CHAIN, ds.Mpdag)
        assert ds.Mpdag(self.CHAIN.names, (), self.CHAIN.undirected) == self.CHAIN
        assert self.CHAIN.to_cpdag() is self.CHAIN

    @pytest.mark.parametrize(
        ("arcs", "said"),
        [
            ([("a", "c")], "a -> c cannot be directed: they are not joined"),
            ([("a", "b"), ("c", "b")], "c -> b cannot be directed: no network"),
            ([("b", "c"), ("d", "c")], "d -> c cannot be directed: no network"),
            ([("a", "x")], 'unknown variable "x"'),
        ],
    )
    def test_what_no_network_of_the_class_has_is_refused(self, arcs, said):
        with pytest.raises(GraphError, match=said):
            self.CHAIN.orient(arcs)

    def test_a_direction_that_follows_must_be_there(self):
        with pytest.raises(GraphError, match="the other edges imply the direction b -> c"):
            ds.Mpdag("abc", [("a", "b")], [("b", "c")])

    def test_copies_repr_and_networkx(self):
        known = self.CHAIN.orient([("b", "c")])
        assert pickle.loads(pickle.dumps(known)) == copy.deepcopy(known) == known
        assert hash(pickle.loads(pickle.dumps(known))) == hash(known)
        assert repr(known) == "<Mpdag: 4 variables, 2 directed and 1 undirected edges>"
        assert ds.Mpdag.from_networkx(known.to_networkx()) == known

    def test_it_is_taken_where_an_essential_graph_is(self):
        known = self.CHAIN.orient([("b", "c")])
        data = ds.Data({name: [0, 1, 1, 0, 1] for name in "abcd"})
        assert ds.score(data, known) == ds.score(data, self.CHAIN)
        assert ds.shd(known, self.CHAIN) == 0
        with pytest.raises(ds.ParameterError, match="score a Dag"):
            ds.score(data, known, score="k2")


class TestNetworkx:
    def test_dag_there_and_back(self):
        dag = Dag(["lone", *NAMES], ARCS)
        graph = dag.to_networkx()
        assert type(graph) is nx.DiGraph
        assert tuple(graph.nodes) == dag.names
        assert tuple(graph.edges) == dag.arcs
        again = Dag.from_networkx(graph)
        assert again == dag
        assert again.names == dag.names

    def test_attributes_do_no_harm(self):
        graph = nx.DiGraph(title="weather")
        graph.add_node("sun", states=["no", "yes"])
        graph.add_node("rain", color="blue")
        graph.add_edge("rain", "sun", weight=0.0)
        before = (dict(graph.nodes(data=True)), list(graph.edges(data=True)))
        assert Dag.from_networkx(graph) == Dag(["sun", "rain"], [("rain", "sun")])
        assert before == (dict(graph.nodes(data=True)), list(graph.edges(data=True)))

    def test_what_is_given_out_is_the_callers_own(self, sneeze):
        sneeze.to_networkx().remove_node("cold")
        assert sneeze == Dag(NAMES, ARCS)

    def test_undirected_graphs_are_no_dags(self):
        with pytest.raises(GraphError, match=r"^a Dag needs a directed graph \(networkx.DiGraph\)"):
            Dag.from_networkx(nx.Graph([("a", "b")]))

    def test_cycles_loops_and_strange_nodes(self):
        with pytest.raises(GraphError, match="the arcs form a cycle: "):
            Dag.from_networkx(nx.DiGraph([("a", "b"), ("b", "a")]))
        with pytest.raises(GraphError, match=r"two different names, got \('a', 'a'\)"):
            Dag.from_networkx(nx.DiGraph([("a", "a")]))
        with pytest.raises(ParameterError, match="names must be strings, got 0"):
            Dag.from_networkx(nx.path_graph(3, create_using=nx.DiGraph))

    def test_an_essential_graph_is_not_taken_for_a_dag(self):
        """Its free edges, taken as arcs, would make the chain a - b - c a collider."""
        chain = Cpdag("acb", undirected=[("a", "b"), ("b", "c")]).to_networkx()
        assert set(chain.edges) == {("a", "b"), ("c", "b")}
        with pytest.raises(GraphError) as caught:
            Dag.from_networkx(chain)
        assert str(caught.value) == (
            'the edge between "a" and "b" is marked directed=False; '
            "use Cpdag.from_networkx, then to_dag"
        )

    def test_cpdag_there_and_back(self):
        cpdag = Dag(["lone", "d", "c", "b", "a"], [("a", "b"), ("b", "c"), ("d", "c")]).to_cpdag()
        graph = cpdag.to_networkx()
        assert tuple(graph.nodes) == cpdag.names
        assert dict(graph.edges) == {
            ("d", "c"): {"directed": True},
            ("b", "c"): {"directed": True},
            ("b", "a"): {"directed": False},
        }
        again = Cpdag.from_networkx(graph)
        assert again == cpdag
        assert again.names == cpdag.names

    @pytest.mark.parametrize("marked", [False, True])
    def test_opposite_arcs_are_an_undirected_edge(self, marked):
        graph = nx.DiGraph([("b", "a"), ("a", "b")])
        if marked:
            graph["a"]["b"]["directed"] = False
        graph.add_node("c", color="blue")
        assert Cpdag.from_networkx(graph) == Cpdag("abc", undirected=[("a", "b")])

    def test_an_undirected_graph_is_all_undirected(self):
        graph = nx.Graph([("a", "b"), ("b", "c")])
        graph.add_node("d")
        assert Cpdag.from_networkx(graph) == Cpdag("abcd", [], [("a", "b"), ("b", "c")])

    def test_graphs_that_are_not_essential(self):
        with pytest.raises(GraphError, match="not an essential graph"):
            Cpdag.from_networkx(nx.DiGraph([("a", "b")]))
        with pytest.raises(GraphError, match=r"two different names, got \('a', 'a'\)"):
            Cpdag.from_networkx(nx.DiGraph([("a", "a")]))
        with pytest.raises(ParameterError, match="names must be strings, got 1"):
            Cpdag.from_networkx(nx.DiGraph([(1, "a"), ("a", 1)]))


class TestAsDag:
    VARIABLES = Variables(["c", "b", "a"])

    def test_a_dag_is_taken_as_it_is(self):
        dag = Dag("abc", [("a", "b")])
        assert as_dag(dag, self.VARIABLES) is dag

    def test_a_member_of_an_essential_graph(self):
        cpdag = Cpdag("abc", undirected=[("a", "b")])
        assert as_dag(cpdag, self.VARIABLES) == Dag("abc", [("a", "b")])

    def test_networkx(self):
        dag = Dag("abc", [("c", "b")])
        assert as_dag(dag.to_networkx(), self.VARIABLES) == dag

    @pytest.mark.parametrize("arcs", [[("b", "a")], (("b", "a"),), iter([["b", "a"]])])
    def test_arcs_need_not_mention_every_variable(self, arcs):
        dag = as_dag(arcs, self.VARIABLES)
        assert dag.names == self.VARIABLES.names
        assert dag.arcs == (("b", "a"),)

    def test_no_arcs(self):
        assert as_dag([], self.VARIABLES) == Dag("abc")

    def test_an_unknown_name_in_the_arcs(self):
        with pytest.raises(GraphError, match=r"an arc joins 'a' with 'x': unknown variable .x.$"):
            as_dag([("a", "x")], self.VARIABLES)

    @pytest.mark.parametrize("form", [Dag, Cpdag, lambda names: Dag(names).to_networkx()])
    def test_the_variables_must_be_the_same(self, form):
        with pytest.raises(GraphError) as caught:
            as_dag(form("abcx"), self.VARIABLES)
        assert str(caught.value) == 'the graph has a variable "x" that the data lack'
        with pytest.raises(GraphError) as caught:
            as_dag(form("ac"), self.VARIABLES)
        assert str(caught.value) == 'the data have a variable "b" that the graph lacks'

    @pytest.mark.parametrize("graph", [None, 3])
    def test_what_is_no_graph(self, graph):
        with pytest.raises(GraphError) as caught:
            as_dag(graph, self.VARIABLES)
        assert str(caught.value) == (
            "a graph is a Dag, a Cpdag, a networkx DiGraph or a list of arcs, "
            f"got {type(graph).__name__}"
        )

    def test_undirected_networkx_graphs(self):
        with pytest.raises(GraphError, match="needs a directed graph"):
            as_dag(nx.Graph([("a", "b")]), self.VARIABLES)
        with pytest.raises(GraphError, match="marked directed=False"):
            as_dag(Cpdag("abc", undirected=[("a", "b")]).to_networkx(), self.VARIABLES)


def test_errors_are_value_errors_of_the_package():
    for kind in (GraphError, ParameterError):
        assert issubclass(kind, DagscapeError)
        assert issubclass(kind, ValueError)


def test_large_graphs_keep_their_names():
    """1,500 variables in an order of their own and thousands of arcs, through every form."""
    rng = random.Random(8)
    names = [f"v{number}" for number in range(1500)]
    rng.shuffle(names)
    chosen = {tuple(sorted(rng.sample(range(1500), 2))) for _ in range(4000)}
    arcs = {(names[a], names[b]) for a, b in chosen}
    dag = Dag(names, arcs)
    cpdag = dag.to_cpdag()
    assert set(dag.arcs) == arcs
    assert Dag.from_networkx(dag.to_networkx()) == dag
    assert Cpdag(names, cpdag.directed, cpdag.undirected) == cpdag
    assert cpdag.to_dag().to_cpdag() == cpdag
    assert [cpdag.markov_blanket(x) for x in names] == [dag.markov_blanket(x) for x in names]
