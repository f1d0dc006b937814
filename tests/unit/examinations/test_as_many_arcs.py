"""How far a graph is below the best network with as many arcs: beside all networks there are."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import dagscape as ds
from dagscape.examinations.as_many_arcs import as_many_arcs

NAMES = ("a", "b", "c", "d")
PAIRS = [(x, y) for i, x in enumerate(NAMES) for y in NAMES[i + 1 :]]


def all_networks():
    for ways in product((0, 1, 2), repeat=len(PAIRS)):
        arcs = [
            pair[:: 1 if way == 1 else -1] for pair, way in zip(PAIRS, ways, strict=True) if way
        ]
        try:
            yield ds.Dag(NAMES, arcs)
        except ds.GraphError:
            continue


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    a, c = rng.integers(0, 2, 300), rng.integers(0, 2, 300)
    b = np.where(rng.random(300) < 0.2, 1 - a, a)
    d = np.where(rng.random(300) < 0.25, rng.integers(0, 2, 300), b + c)
    return ds.Data({"a": a, "b": b, "c": c, "d": d})


@pytest.mark.parametrize("prior", ["uniform", "edges", "fair"])
def test_it_holds_among_all_networks(data, prior):
    problem = ds.Problem(data, score="bdeu", prior=prior)
    best = ds.exact(problem)
    highest: dict[int, float] = {}
    for dag in all_networks():
        score = ds.score(data, dag, score=problem.score)
        highest[len(dag.arcs)] = max(highest.get(len(dag.arcs), -np.inf), score)
    proven = set()
    for arcs in ([], [("a", "b")], [("a", "d"), ("c", "d")], list(best.dag.arcs), PAIRS):
        dag = ds.Dag(NAMES, arcs)
        found = as_many_arcs(problem, dag, best, lambda: None, lambda: False)
        truly = highest[len(arcs)] - ds.score(data, dag, score=problem.score)
        assert found.arcs == len(arcs)
        assert found.regret <= truly + 1e-9 <= found.most_regret + 2e-9
        if found.proven:
            assert found.regret == pytest.approx(truly, abs=1e-9)
            proven.add(len(arcs))
    assert {0, 2, len(best.dag.arcs)} <= proven


def test_what_is_told(data):
    told = ds.examine([("a", "d"), ("c", "d")], data, resamples=0, relabelings=0, score="bdeu")
    alike = told.as_many_arcs
    assert alike.proven
    assert 0 < alike.regret < told.regret
    words = f"{alike.regret:.2f} nats below the best network with as many arcs (2): proven"
    assert words in told.summary.replace("\n           ", " ")
    assert told.to_dict()["as_many_arcs"]["proven"]
