"""Tables and classes that searches over classes are tried on, and how the engine is asked."""

import functools
import itertools
import math
import random

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from oracles import equivalence as oracle
from oracles import exact, graphs

SCORES = {
    "bic": ds.BIC(),
    "aic": ds.AIC(),
    "bdeu": ds.BDeu(ess=1.0),
    "bdeu 10": ds.BDeu(ess=10.0),
    "qnml": ds.QNML(),
    "loglik": ds.LogLikelihood(),
}
NO_LIMIT = 1000


def table(codes, arities):
    states = {f"v{v:03}": [str(s) for s in range(r)] for v, r in enumerate(arities)}
    return ds.Data.from_codes(np.asarray(codes), states)


def mixed(seed, n, rows=None):
    """Columns that follow or repeat others, constant ones, unseen states, up to five states."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, 6, n)
    rows = rows or int(rng.integers(2, 80))
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        parent, share = int(rng.integers(0, child)), rng.choice([0.0, 0.3, 0.6, 0.9, 1.0])
        if share == 1.0:
            arities[child] = arities[parent]
        copied = rng.random(rows) < share
        codes[copied, child] = codes[copied, parent] % arities[child]
    return table(codes, arities.tolist())


def symmetric(seed, n=4):
    """Every order of the columns in turn, so that classes tie."""
    base = np.random.default_rng(seed).integers(0, 2, (3, n))
    orders = itertools.permutations(range(n))
    return table(np.concatenate([base[:, list(order)] for order in orders]), [2] * n)


def sparse(seed, n, rows=300, arity=3):
    """A sample of a network in which each variable has up to three parents among the earlier."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, arity, (rows, n))
    for child in range(1, n):
        for parent in rng.choice(child, min(child, int(rng.integers(0, 4))), replace=False):
            copied = rng.random(rows) < 0.4
            codes[copied, child] = codes[copied, parent]
    return table(codes, [arity] * n)


def pdag(n, here):
    return _core.Pdag(n, sorted(graphs.directed(here)), sorted(graphs.undirected(here)))


def as_class(graph):
    free = frozenset(graph.undirected)
    return frozenset(graph.directed) | free | {(b, a) for a, b in free}


def total_of(data, score):
    name, _, ess = score.partition(" ")
    arities = list(data.arities.values())
    lists = exact.all_parents(data.codes.tolist(), arities, name, float(ess or 1))
    return oracle.total_score(len(arities), lists)


def boundary(n, max_parents=None):
    return oracle.within(n, max_parents, lambda here: oracle.inclusion_boundary(n, here))


@functools.cache
def some_classes(n):
    """All of four variables, a thousand of five."""
    every = sorted(oracle.members(n), key=sorted)
    return every if n < 5 else random.Random(5).sample(every, 1000)


def kes(on_data, seed=0, run=0, *, k=0.8, **options):
    found, stopped = _core.kes(on_data, _core.KesOptions(k, **options), seed, run)
    assert stopped == ""
    return found


def ges(on_data, *, two_phases, turning=False, max_parents=NO_LIMIT):
    found, stopped = _core.ges(on_data, two_phases, turning, max_parents)
    assert stopped == ""
    return found


def random_dag(rng, n, density):
    order = rng.permutation(n).tolist()
    pairs = itertools.combinations(order, 2)
    return frozenset(pair for pair in pairs if rng.random() < density)


def check_class(on_data, n, found):
    """Graph, network and score belong together."""
    dag = frozenset(found.dag.arcs)
    assert oracle.essential_by_labeling(n, dag) == as_class(found.graph)
    score = math.fsum(on_data.local(v, sorted(graphs.parents(dag, v))) for v in range(n))
    assert found.score == pytest.approx(score, abs=1e-7)
