"""Graphs from networkx and from lists of arcs, and what is refused."""

import random

import networkx as nx
import pytest

from dagscape.errors import DagscapeError, GraphError, ParameterError
from dagscape.graphs import Cpdag, Dag, as_dag
from dagscape.variables import Variables
from unit.graphs.graph_cases import ARCS, NAMES


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
