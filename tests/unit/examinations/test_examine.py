"""Graphs of the user's own: all kinds of them, what is refused, and what is told."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest

import dagscape as ds
from dagscape.learning import LearnResult
from limits import NO_TIME

ARCS = [("a", "b"), ("b", "d"), ("c", "d")]


def table(rows: int = 400) -> ds.Data:
    rng = np.random.default_rng(4)
    a, c = rng.integers(0, 2, rows), rng.integers(0, 3, rows)
    b = np.where(rng.random(rows) < 0.1, 1 - a, a)
    d = np.where(rng.random(rows) < 0.2, rng.integers(0, 2, rows), (b + c) % 2)
    return ds.Data({"a": a, "b": b, "c": c, "d": d})


@pytest.fixture(scope="module")
def data() -> ds.Data:
    return table()


@pytest.fixture(scope="module")
def learned(data) -> LearnResult:
    return ds.learn(data, runs=0, resamples=5)


def test_all_kinds_of_graphs_say_the_same(data, learned):
    dag = ds.Dag("abcd", ARCS)
    lines = nx.Graph(ARCS)
    given = {
        "arcs": ARCS,
        "dag": dag,
        "cpdag": dag.to_cpdag(),
        "networkx": dag.to_networkx(),
        "networkx of a class": dag.to_cpdag().to_networkx(),
        "network": ds.fit(dag, data),
    }
    told = {kind: ds.examine(graph, learned) for kind, graph in given.items()}
    for kind, e in told.items():
        assert e.regret == told["dag"].regret, kind
        assert set(e.implication_rows) == set(told["dag"].implication_rows), kind
        assert {frozenset(row[:2]): row.probability for row in e.arc_rows} == {
            frozenset(row[:2]): row.probability for row in told["dag"].arc_rows
        }, kind
    drawn = {row[:2]: row.drawn for row in told["cpdag"].arc_rows if row.drawn}
    assert drawn == {("a", "b"): "undirected", ("b", "d"): "directed", ("c", "d"): "directed"}
    with pytest.raises(ds.GraphError, match="no acyclic graph extends"):
        ds.examine(nx.Graph([*lines.edges, ("a", "c")]), learned)


def test_what_the_table_denies_is_found(learned):
    e = ds.examine([("a", "b"), ("c", "d")], learned)
    assert (e.regret > 10, e.proven) == (True, True)
    assert {row[:2] for row in e.failing} >= {("b", "d")}
    row = next(row for row in e.failing if row[:2] == ("b", "d"))
    assert (row.change, {row.start, row.end}) == ("add", {"b", "d"})
    assert "b and d are not independent" in e.summary
    assert "the table speaks against the graph" in e.summary
    assert e.changes.rows()[0][:3] == ("add", "b", "d")
    assert e.nearest.graph == ds.Dag("abcd", ARCS).to_cpdag()


def test_what_the_table_supports_is_not_denied(learned):
    e = ds.examine(ARCS, learned)
    assert (e.regret < 3, e.proven, e.failing, e.nearest.distance) == (True, True, (), 0)
    assert "nothing here speaks against the graph" in e.summary
    assert e.changes.is_empty()
    told = {row[:2]: row.told_by_data for row in e.arc_rows if row.drawn}
    assert told == {("a", "b"): False, ("b", "d"): True, ("c", "d"): True}


def test_the_best_network_has_no_regret(learned):
    e = ds.examine(learned.dag, learned)
    assert (e.regret, e.most_regret, e.proven) == (0.0, 0.0, True)
    assert e.families.is_empty()
    assert "no network scores higher: optimal" in e.summary


def test_probabilities_and_verdicts_are_those_of_learning(learned):
    e = ds.examine(ARCS, learned)
    known = {frozenset((edge.a, edge.b)): edge for edge in learned.edges}
    for row in e.arc_rows:
        edge = known.get(frozenset(row[:2]))
        if edge is not None:
            assert (row.probability, row.verdict, row.reason) == (
                edge.probability,
                edge.verdict,
                edge.reason,
            )


def test_parents_beyond_the_limit_are_allowed(data):
    full = [("a", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d"), ("c", "d")]
    e = ds.examine(full, data, max_parents=1, resamples=0)
    assert e.regret >= 0
    assert e.proven
    assert e.implications.is_empty()
    assert "it implies no independence" in e.summary


def test_a_search_that_is_not_finished_leaves_no_negative_regret(data):
    e = ds.examine(ARCS, data, resamples=0, time_limit=NO_TIME)
    assert (e.regret >= 0, e.stopped) == (True, "time")
    assert {row.verdict for row in e.implication_rows} == {"not tested"}
    assert "for want of time" in e.summary


def test_knowledge_is_obeyed_by_all_that_is_compared(data):
    known = ds.Knowledge(forbidden=[("c", "d")])
    with pytest.raises(ds.GraphError, match="does not obey the knowledge"):
        ds.examine(ARCS, data, knowledge=known)
    e = ds.examine([("a", "b"), ("b", "d"), ("d", "c")], data, knowledge=known, resamples=0)
    assert e.proven
    assert ("c", "d") not in e.best.dag.arcs
    assert all((row.start, row.end) != ("c", "d") for row in (*e.steps, *e.failing))


def test_names_cycles_and_states_are_refused_in_a_sentence(data):
    with pytest.raises(ds.GraphError, match='"dd" that the data lack; did you mean "d"'):
        ds.examine(ds.Dag(["a", "b", "c", "dd"], [("a", "b")]), data)
    with pytest.raises(ds.GraphError, match=r'"B".*did you mean "b"'):
        ds.examine([("a", "B")], data)
    with pytest.raises(ds.GraphError, match="form a cycle: b -> a -> b"):
        ds.examine([("a", "b"), ("b", "a")], data)
    net = ds.fit(ds.Dag("abcd", ARCS), data)
    other = ds.Data({**{x: data.to_pandas()[x] for x in "abd"}, "c": ["9"] * data.n_rows})
    with pytest.raises(ds.GraphError, match='column "c" has the state "9"'):
        ds.examine(net, other)
    with pytest.raises(ds.ParameterError, match="level must lie between 0 and 1"):
        ds.examine(ARCS, data, level=0)
    with pytest.raises(ds.ParameterError, match="gives equivalent networks different scores"):
        ds.examine(ds.Dag("abcd", ARCS).to_cpdag(), data, score="k2")
    with pytest.raises(ds.ParameterError, match="score belongs to what was learned"):
        ds.examine(ARCS, ds.learn(data, runs=0, resamples=0), score="bic")


def test_gaps_are_refused(data):
    columns = {x: list(data.to_pandas()[x]) for x in "abcd"}
    columns["a"][3] = None
    with pytest.raises(ds.DataError, match="missing"):
        ds.examine(ARCS, ds.Data(columns, missing="keep"))


def test_numbers_beside_states():
    rng = np.random.default_rng(1)
    s = rng.integers(0, 2, 300)
    x = s + rng.normal(size=300)
    y = 2 * x + rng.normal(size=300)
    data = ds.Data({"s": s, "x": x, "y": y})
    right = ds.examine([("s", "x"), ("x", "y")], data, resamples=0)
    wrong = ds.examine([("s", "x")], data, resamples=0)
    assert (right.failing, len(wrong.failing)) == ((), 2)
    assert right.regret < 3 < wrong.regret


def test_few_rows_deny_nothing():
    data = table(12)
    e = ds.examine([("b", "d"), ("c", "d")], data, resamples=0)
    assert {row.verdict for row in e.implication_rows} <= {"too few rows", "fails", "stands"}
    assert "too few rows" in {row.verdict for row in e.implication_rows}


def test_the_seed_decides_and_the_order_of_columns_does_not():
    net = ds.load_network("asia")
    rows = net.sample(200, seed=1)
    arcs = [("smoke", "lung"), ("lung", "either")]
    first = ds.examine(arcs, rows, resamples=0, relabelings=20)
    again = ds.examine(arcs, rows.select(rows.names[::-1]), resamples=0, relabelings=20)
    other = ds.examine(arcs, rows, resamples=0, relabelings=20, seed=1)
    assert (first.relabelings, first.steps) == (again.relabelings, again.steps)
    assert first.relabelings.number == other.relabelings.number == 20


def test_it_is_kept_as_json(learned, tmp_path):
    e = ds.examine([("a", "b"), ("c", "d")], learned)
    e.save(tmp_path / "e.json")
    kept = json.loads((tmp_path / "e.json").read_text("utf-8"))
    assert kept["kind"] == "examination"
    assert (kept["regret"], kept["proven"]) == (e.regret, True)
    assert len(kept["arcs"]) == 6
    assert kept["implications"][0]["verdict"] == "fails"
    assert repr(e).startswith("<Examination: ")
