"""What a table says of causes where some may be hidden."""

import itertools
import math
import random

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.hidden_causes.relations import DEVIATIONS, LEFT, Relation, Relations
from dagscape.hidden_causes.removals import Removal, pag_of
from oracles import ancestral


def table(seed: int, rows: int, arcs: str, hidden: str = "", flip: float = 0.25) -> ds.Data:
    """Return a sample of a network of two states: a variable is one of its parents, or flipped."""
    rng = np.random.default_rng(seed)
    dag = ds.Dag(sorted({*arcs.replace(" ", "")}), [(a, b) for a, b in arcs.split()])
    columns: dict[str, np.ndarray] = {}
    for name in dag.topological_order():
        own = (rng.random(rows) < 0.4).astype(int)
        parents = [columns[p] for p in dag.parents(name)]
        if parents:
            strong = np.sum(parents, axis=0) * 2 >= len(parents)
            own = (strong ^ (rng.random(rows) < flip)).astype(int)
        columns[name] = own
    return ds.Data({name: columns[name] for name in dag.names if name not in hidden})


def found(data: ds.Data, **options: object) -> ds.hidden_causes.Hidden:
    return ds.hidden(data, resamples=0, dag=ds.exact(data).dag, **options)


def test_an_arrow_out_of_a_collider_has_tests_of_its_own():
    h = found(table(0, 4000, "ac bc cd"))
    assert h.pag.edges == (("a", "o->", "c"), ("b", "o->", "c"), ("c", "->", "d"))
    assert h.arrows == (("c", "d"),)
    (arrow,) = h.supported
    assert {arrow.parted.a, arrow.parted.b} <= {"a", "b", "d"}
    assert arrow.parted.by == arrow.cause == "c"
    assert arrow.related is not None
    assert {arrow.related.a, arrow.related.b} == {"a", "b"}
    assert arrow.parted.log_p < -10
    assert "c -> d" in h.summary
    assert h.rows_independent


def test_a_hidden_cause_of_two_shows_as_heads_at_both_ends():
    # w -> a <- H -> b <- v: the best network must join one of w, v with what H drives.
    h = found(table(1, 6000, "wa Ha Hb vb", hidden="H", flip=0.15))
    assert h.pag.edge("a", "b") == "<->"
    assert h.pag.edge("w", "a") == "o->"
    assert h.pag.edge("v", "b") == "o->"
    assert h.pag.edge("w", "b") is h.pag.edge("v", "a") is None
    assert h.arrows == ()
    assert len(h.removed) == len(h.dag.arcs) - 3 > 0
    assert "went" in h.summary


def test_a_chain_says_nothing_of_causes():
    h = found(table(1, 4000, "ab bc"))
    assert h.pag.edges == (("a", "o-o", "b"), ("b", "o-o", "c"))
    assert h.supported == ()
    assert "No arrow" in h.summary


def test_what_is_known_beforehand_stands_for_a_collider():
    data = table(1, 4000, "ab bc")
    h = found(data, knowledge=ds.Knowledge(tiers=[["a"], ["b", "c"]]))
    assert h.pag.edges == (("a", "o->", "b"), ("b", "->", "c"))
    (arrow,) = h.supported
    assert (arrow.cause, arrow.effect, arrow.related) == ("b", "c", None)
    assert "known" in h.features(frame="dict")["because"][1]


def test_columns_in_another_order_give_the_same():
    data = table(2, 3000, "ac bc cd ce de")
    other = data.select(data.names[::-1])
    assert found(data).pag == found(other).pag
    assert found(data).supported == found(other).supported


def test_determined_variables_are_never_called_apart():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 2000)
    c = a ^ (rng.random(2000) < 0.2)
    relations = Relations(ds.Data({"a": a, "b": a, "c": c}))
    assert relations(0, 2, (1,)).freedom == 0  # b is a
    assert not relations.parts(1, 0, 2, ())


def test_apart_is_more_than_a_test_that_sees_nothing():
    few, clear = Relation(0.5, 1.0, -0.7), Relation(30.0, 1.0, -18.0)
    assert few.apart_beside(Relation(200.0, 1.0, -100.0))
    assert not few.apart_beside(clear._replace(log_p=-9.0))
    for statistic in (30.0, 100.0):
        left = LEFT * (statistic - 1)
        enough = 1 + left - DEVIATIONS * math.sqrt(2 * (1 + 2 * left)) >= 0.5
        assert few.apart_beside(Relation(statistic, 1.0, -15.0)) == enough


def test_graphs_without_some_edges_are_legal_and_agree_with_the_separations():
    # The true separations of networks with a hidden variable, given as removals from a network that
    # has too many edges, lead to the graph of the truth, as the oracle has it.
    right = 0
    for seed in range(60):
        rng = random.Random(seed)
        names = "abcde"
        order = rng.sample(range(6), 6)
        arcs = [(x, y) for x, y in itertools.combinations(order, 2) if rng.random() < 0.35]
        seen = [x for x in order if x != 5]
        truth = ancestral.marginal(frozenset(arcs), 6, frozenset({5}))
        full = ds.Dag(names, [(names[x], names[y]) for x, y in itertools.combinations(seen, 2)])
        separations = ancestral.separations(truth, 5)
        removals = []
        for a, b in itertools.combinations(range(5), 2):
            sets = sorted(
                (s for x, y, s in separations if (x, y) == (a, b)),
                key=lambda s: (len(s), sorted(s)),
            )
            if sets:
                removals.append(Removal((a, b), tuple(sorted(sets[0])), (), 1.0))
        pag, kept = pag_of(full, removals, None)
        assert ds.Pag(pag.names, pag.edges) == pag, f"seed {seed}"
        begin, end = {"tail": "-", "head": "<-"}, {"tail": "", "head": ">"}
        given = [(a, begin[x] + end[y], b) for (a, b), (x, y) in truth.items()]
        expected = _core.MarkedGraph(5, given).class_of()
        if len(kept) == len(removals):
            right += 1
            assert pag._graph == expected, f"seed {seed}"
    assert right >= 40


def test_knowledge_is_obeyed_in_graphs_with_hidden_causes():
    pag = ds.Dag("abc", [("a", "b"), ("b", "c")]).to_pag()
    known = ds.Knowledge(required=[("a", "b")]).orient(pag)
    assert known.edges == (("a", "->", "b"), ("b", "->", "c"))
    assert ds.Knowledge(forbidden=[("b", "a")]).orient(pag).edges == (
        ("a", "o->", "b"),
        ("b", "->", "c"),
    )
    collider = ds.Dag("abc", [("a", "c"), ("b", "c")]).to_pag()
    with pytest.raises(ds.GraphError, match="c <-o a is there, but c -> a is required"):
        ds.Knowledge(required=[("c", "a")]).orient(collider)
    with pytest.raises(ds.GraphError, match="a -> b is required, and is not there"):
        ds.Knowledge(required=[("a", "b")]).orient(collider)
    child = ds.Dag("abcd", [("a", "c"), ("b", "c"), ("c", "d")]).to_pag()
    with pytest.raises(ds.GraphError, match="c -> d is there, but it is forbidden"):
        ds.Knowledge(forbidden=[("c", "d")]).orient(child)


@pytest.mark.slow
def test_knowledge_on_all_graphs_of_four_variables():
    # An arc that is ruled out keeps the ancestral graphs without its tail; their marks are kept.
    names = "abcd"
    for members in ancestral.all_classes(4):
        shared = ancestral.shared(members)
        marks = {"tail": ("-", ""), "head": ("<-", ">"), "circle": ("o-", "o")}
        edges = [
            (names[a], (marks[x][0] + marks[y][1]).removesuffix("-") or "-", names[b])
            for (a, b), (x, y) in shared.items()
        ]
        if any(edge not in ("->", "<->", "o->", "o-o", "<-", "<-o") for _, edge, _ in edges):
            continue
        pag = ds.Pag(names, edges)
        for a, b in itertools.permutations(range(4), 2):
            if not ancestral.mark(shared, a, b):
                continue
            obey = tuple(m for m in members if ancestral.mark(m, a, b) == "head")
            known = ds.Knowledge(forbidden=[(names[a], names[b])])
            if not obey:
                with pytest.raises(ds.GraphError):
                    known.orient(pag)
                continue
            expected = ancestral.shared(obey)
            oriented = known.orient(pag)
            for at, other in itertools.permutations(range(4), 2):
                own = oriented._graph.mark(at, other)
                # What is not seen to follow stays a circle; what is seen is true of all that obey.
                assert own in (ancestral.mark(expected, at, other), "circle"), (shared, a, b)


def test_drawn_tables_say_how_often_each_edge_comes_back():
    data = table(0, 4000, "ac bc cd")
    h = ds.hidden(data, resamples=4)
    assert h.resamples == 4
    rows = h.features(frame="dict")
    assert rows["edge"] == ["o->", "o->", "->"]
    assert all(0 <= share <= 1 for share in (*rows["share"], *rows["supported_share"]))
    assert rows["share"][2] == h.share("c", "d") >= 0.5
    assert h.share("a", "d") >= 0.5  # joined in few of them
    assert h == ds.hidden(data, resamples=4) or h.pag == ds.hidden(data, resamples=4).pag


def test_what_learning_found_has_a_graph_with_hidden_causes():
    data = table(0, 4000, "ac bc cd")
    r = ds.learn(data, runs=0, resamples=0)
    assert r.pag is not None
    assert r.pag.directed == r.hidden.arrows == (("c", "d"),)
    assert (
        ds.learn(
            ds.Data({"a": ["x", None, "y"] * 20, "b": ["u", "v", "v"] * 20}, missing="keep"),
            runs=0,
            resamples=0,
        ).pag
        is None
    )


def test_what_cannot_be_asked_is_refused():
    data = table(0, 300, "ac bc cd")
    with pytest.raises(ds.ParameterError, match="resamples must be a whole number"):
        ds.hidden(data, resamples=-1)
    with pytest.raises(ds.GraphError, match='variable "c" that the graph lacks'):
        ds.hidden(data, dag=ds.Dag("ab"))
    clustered = ds.Data(
        {**data.to_pandas(), "who": [str(i // 3) for i in range(300)]}, clusters="who"
    )
    with pytest.raises(ds.DataError, match="clusters"):
        ds.hidden(clustered)


def test_knowledge_that_a_network_obeys_leaves_a_legal_graph():
    for seed in range(300):
        rng = random.Random(seed)
        names = "abcdefg"
        order = rng.sample(names, 7)
        arcs = [pair for pair in itertools.combinations(order, 2) if rng.random() < 0.35]
        dag = ds.Dag(names, arcs)
        apart = [pair for pair in itertools.permutations(names, 2) if pair not in arcs]
        known = (
            ds.Knowledge(tiers=[order[:3], order[3:]])
            if seed % 2
            else ds.Knowledge(
                forbidden=rng.sample(apart, 3), required=rng.sample(arcs, min(len(arcs), 2))
            )
        )
        pag = known.orient(dag.to_pag())
        assert ds.Pag(pag.names, pag.edges) == pag, f"seed {seed}"
        for a, edge, b in pag.edges:  # the network has no mark against it
            assert not (edge == "->" and (b, a) in dag.arcs), f"seed {seed}"
            assert pag.edge(a, b) != "<->", f"seed {seed}"
            assert (b, a) not in dag.arcs or edge == "o-o", f"seed {seed}"


def test_what_networks_of_a_posterior_say_of_each_pair():
    P = ds.posterior(table(0, 4000, "ac bc cd"))
    rows = P.ends(networks=200, frame="dict")
    pairs = list(zip(rows["a"], rows["b"], strict=True))
    kinds = ["arrow", "arrow_back", "circle_arrow", "circle_arrow_back", "circles", "none"]
    for i, (a, b) in enumerate(pairs):
        assert sum(rows[kind][i] for kind in kinds) == pytest.approx(1)
        assert rows["visible"][i] <= rows["arrow"][i]
        joined = P.probability(a, b, "adjacencies")
        assert 1 - rows["none"][i] == pytest.approx(joined, abs=0.15)
    at = pairs.index(("c", "d"))
    assert rows["arrow"][at] > 0.8
    assert rows["circle_arrow"][pairs.index(("a", "c"))] > 0.8
    # The same, by hand.
    drawn = [dag.to_pag() for dag in P.sample(200, seed=0)]
    assert rows["visible"][at] == sum(("c", "d") in pag.visible for pag in drawn) / 200
