"""Graphs in which causes may be hidden: what they say, and which are refused."""

import copy
import pickle
import random

import networkx as nx
import pytest

import dagscape as ds

Y = ds.Dag("abcd", [("a", "c"), ("b", "c"), ("c", "d")])


def test_a_y_structure_shows_a_cause_that_nothing_hidden_stands_beside():
    pag = Y.to_pag()
    assert pag.edges == (("a", "o->", "c"), ("b", "o->", "c"), ("c", "->", "d"))
    assert pag.directed == pag.visible == (("c", "d"),)
    assert pag.bidirected == ()
    assert pag.neighbors("c") == ("a", "b", "d")
    assert (pag.edge("c", "a"), pag.edge("d", "c"), pag.edge("a", "b")) == ("<-o", "<-", None)
    assert pag.possible_descendants("a") == ("c", "d")
    assert pag.possible_descendants("d") == ()
    assert repr(pag) == "<Pag: 4 variables; a o-> c, b o-> c, c -> d>"


def test_what_is_hidden_drives_both():
    dag = ds.Dag("abchd", [("a", "b"), ("h", "b"), ("h", "c"), ("d", "c")])
    pag = dag.to_pag(hidden="h")
    assert pag.names == ("a", "b", "c", "d")
    assert pag.edges == (("a", "o->", "b"), ("b", "<->", "c"), ("d", "o->", "c"))
    assert pag.bidirected == (("b", "c"),)
    with pytest.raises(ds.ParameterError, match="leave at least one"):
        dag.to_pag(hidden=[*"abchd"])
    with pytest.raises(ds.ParameterError, match="unknown variable"):
        dag.to_pag(hidden=["x"])


def test_equal_whatever_the_order_of_names_and_ends():
    pag = Y.to_pag()
    turned = ds.Pag("dcba", [("c", "<-o", "a"), ("c", "<-o", "b"), ("d", "<-", "c")])
    assert pag == turned
    assert hash(pag) == hash(turned)
    assert pag not in (ds.Pag("abcd"), Y)
    for same in (copy.deepcopy(pag), pickle.loads(pickle.dumps(pag))):
        assert (same, same.names) == (pag, pag.names)


def test_every_class_is_taken_back():
    for seed in range(30):
        rng = random.Random(seed)
        names = [f"x{i}" for i in range(9)]
        order = rng.sample(names, 9)
        pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
        dag = ds.Dag(names, [pair for pair in pairs if rng.random() < 0.3])
        pag = dag.to_pag(hidden=rng.sample(names, 3))
        assert ds.Pag(pag.names, pag.edges) == pag, f"seed {seed}"


def test_knowledge_may_say_more_than_the_independences():
    assert ds.Pag("ab", [("a", "->", "b")]).directed == (("a", "b"),)
    assert ds.Pag("ab", [("a", "<->", "b")]).visible == ()


@pytest.mark.parametrize(
    ("edges", "sentence"),
    [
        ([("a", "->", "b"), ("b", "->", "c"), ("a", "<->", "c")], "no ancestral graph"),
        ([("a", "->", "b"), ("b", "->", "c"), ("c", "->", "a")], "no ancestral graph"),
        (
            [("a", "o-o", "b"), ("b", "o-o", "c"), ("c", "o-o", "d"), ("d", "o-o", "a")],
            "no ancestral graph",
        ),
        ([("a", "o->", "b"), ("b", "o-o", "c")], "imply a tail at b of its edge with c, where"),
        ([("a", "->", "b"), ("b", "->", "a")], "joined by more than one edge"),
        ([("a", "-", "b")], "must be one of ->, <->"),
        ([("a", "->", "a")], 'joins "a" with itself'),
        ([("a", "->", "x")], "unknown variable"),
        ([("a", "b")], "must be a triple"),
        (["a->b"], "must be a triple"),
    ],
)
def test_what_is_refused(edges, sentence):
    with pytest.raises(ds.GraphError, match=sentence):
        ds.Pag("abcd", edges)


def test_compared_with_another_and_with_a_network():
    pag = Y.to_pag()
    found = ds.compare(pag, Y)
    assert (found.shd, found.arrow_precision, found.arrow_recall) == (0, 1, 1)
    other = ds.Pag("abcd", [("a", "o-o", "c"), ("c", "o-o", "d"), ("a", "o-o", "d")])
    found = ds.compare(other, pag)
    assert found.shd == ds.shd(other, Y) == 4
    assert (found.missing, found.extra) == ((("b", "c"),), (("a", "d"),))
    assert found.misdirected == (("a", "c"), ("c", "d"))
    assert (found.skeleton_precision, found.skeleton_recall) == (2 / 3, 2 / 3)
    with pytest.raises(ds.GraphError, match="different variables"):
        ds.compare(pag, ds.Pag("abc"))


def test_networkx_has_each_edge_once():
    graph = Y.to_pag().to_networkx()
    assert isinstance(graph, nx.DiGraph)
    assert sorted(graph.edges(data="edge")) == [
        ("a", "c", "o->"),
        ("b", "c", "o->"),
        ("c", "d", "->"),
    ]
