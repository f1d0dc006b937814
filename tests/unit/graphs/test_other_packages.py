"""Graphs of causal-learn and models of DoWhy, both ways, where the libraries are installed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import dagscape as ds
from dagscape.graphs.causallearn_and_dowhy import arcs_and_lines, from_causallearn


def optional(module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(module)


@pytest.fixture
def learned_elsewhere():
    return optional("causallearn.graph.GeneralGraph")


@pytest.fixture
def dowhy():
    return optional("dowhy")


@pytest.mark.usefixtures("learned_elsewhere")
class TestCausalLearn:
    @pytest.mark.parametrize("seed", range(5))
    def test_graphs_of_every_kind_come_back(self, seed):
        dag = ds.random_network(7, max_parents=2, seed=seed).dag
        hidden = dag.to_pag(hidden=[dag.names[seed]])
        for graph in (dag, dag.to_cpdag(), hidden):
            assert type(graph).from_causallearn(graph.to_causallearn()) == graph
        assert ds.Mpdag.from_causallearn(dag.to_causallearn()).directed == dag.arcs

    def test_a_bidirected_edge_comes_back(self):
        pag = ds.Pag("abcd", [("a", "o->", "b"), ("b", "<->", "c"), ("d", "o->", "c")])
        assert ds.Pag.from_causallearn(pag.to_causallearn()) == pag

    def test_what_a_graph_cannot_hold_is_refused(self):
        lines = ds.Cpdag("ab", (), [("a", "b")]).to_causallearn()
        with pytest.raises(ds.GraphError, match="has no direction; use Mpdag"):
            ds.Dag.from_causallearn(lines)
        circles = ds.Pag("ab", [("a", "o-o", "b")]).to_causallearn()
        with pytest.raises(ds.GraphError, match="take the graph as a Pag"):
            ds.Cpdag.from_causallearn(circles)

    def test_what_its_searches_give_is_taken(self):
        ges = optional("causallearn.search.ScoreBased.GES").ges
        asia = ds.load_network("asia").sample(500, seed=3).select(["smoke", "lung", "bronc"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = ges(np.asarray(asia.codes, dtype=float), "local_score_BDeu")
        assert ds.Cpdag.from_causallearn(found).names == ("X1", "X2", "X3")


class TestDoWhy:
    def test_the_graph_comes_back_and_the_effect_is_found(self, dowhy):
        net = ds.load_network("asia")
        data = net.sample(3000, seed=1)
        r = ds.learn(data, knowledge=ds.Knowledge(required=net.dag.arcs), runs=0, resamples=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = r.to_dowhy("bronc", "dysp")
            found = model.identify_effect(proceed_when_unidentifiable=True)
            value = model.estimate_effect(found, method_name="backdoor.linear_regression").value
        assert isinstance(model, dowhy.CausalModel)
        assert ds.Dag.from_dowhy(model) == r.dag
        cause = (
            net.do({"bronc": "no"}).query("dysp")["no"]
            - net.do({"bronc": "yes"}).query("dysp")["no"]
        )
        assert value == pytest.approx(cause, abs=0.05)

    def test_states_and_numbers_are_told_as_they_are(self, dowhy):
        rng = np.random.default_rng(0)
        x = rng.normal(size=60)
        data = ds.Data({"x": x, "two": ["u", "v"] * 30, "three": ["p", "q", "r"] * 20})
        r = ds.exact(data)
        model = r.to_dowhy("two", "x", data=data)
        frame = model._data
        assert list(frame["x"]) == pytest.approx(list(x))
        assert sorted(set(frame["two"])) == [0, 1]
        assert frame["three"].dtype.name == "category"
        assert dowhy.CausalModel is type(model)

    def test_what_is_wrong_is_refused(self):
        data = ds.load_network("asia").sample(50, seed=0)
        r = ds.exact(data)
        with pytest.raises(ds.ParameterError, match="give the one that it is of: data="):
            r.to_dowhy("smoke", "dysp")
        with pytest.raises(ds.ParameterError, match="two variables"):
            r.to_dowhy("smoke", "smoke", data=data)
        with pytest.raises(ds.DagscapeError, match="somke"):
            r.to_dowhy("somke", "dysp", data=data)
        with pytest.raises(ds.DataError, match="other columns"):
            r.to_dowhy("smoke", "dysp", data=data.select(["smoke", "dysp"]))


def test_others_are_refused():
    with pytest.raises(ds.GraphError, match="a graph of causal-learn is needed, got int"):
        ds.Pag.from_causallearn(3)
    with pytest.raises(ds.GraphError, match="a CausalModel of DoWhy is needed, got dict"):
        ds.Dag.from_dowhy({})


class End:
    def __init__(self, name):
        self.name = name


class Edge:
    """As causal-learn has it."""

    def __init__(self, a, one, other, b):
        self._of = [a, one, other, b]

    def get_node1(self):
        return Node(self._of[0])

    def get_node2(self):
        return Node(self._of[3])

    def get_endpoint1(self):
        return End(self._of[1])

    def get_endpoint2(self):
        return End(self._of[2])


class Node:
    def __init__(self, name):
        self._name = name

    def get_name(self):
        return self._name


class Graph:
    """What is read of a graph of causal-learn, to be tried without it."""

    def __init__(self, names, edges):
        self._names, self._edges = names, edges

    def get_nodes(self):
        return [Node(name) for name in self._names]

    def get_graph_edges(self):
        return [Edge(*edge) for edge in self._edges]


def test_ends_are_read_as_they_are_drawn():
    edges = [
        *(("a", "TAIL", "ARROW", "b"), ("a", "ARROW", "TAIL", "c"), ("b", "TAIL", "TAIL", "d")),
        ("c", "CIRCLE", "ARROW", "d"),
    ]
    names, read = from_causallearn(Graph("abcd", edges))
    assert names == list("abcd")
    assert [edge for _, edge, _ in read] == ["->", "<-", "-", "o->"]
    assert arcs_and_lines(read[:3]) == ([("a", "b"), ("c", "a")], [("b", "d")])
    with pytest.raises(ds.GraphError, match="for two edges in one"):
        from_causallearn(Graph("ab", [("a", "TAIL_AND_ARROW", "ARROW_AND_ARROW", "b")]))
