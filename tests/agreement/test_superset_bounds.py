"""What the engine says of larger parent sets it has not scored, against all of them scored."""

import itertools
import math

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer

BOUNDED = [
    ds.BIC(),
    ds.AIC(),
    ds.QNML(),
    ds.K2(),
    ds.FittedDirichlet(),
    *(ds.BDeu(ess=ess) for ess in (1e-6, 0.5, 1.0, 10.0, 1e6)),
]


def tables(seed, count):
    """Small tables: columns that follow others, repeated rows, constants, unseen states."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(2, 6))
        rows = int(rng.integers(1, 60))
        arities = rng.integers(1, 5, n)
        codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
        for child in range(1, n):
            follows = rng.random(rows) < rng.choice([0.0, 0.5, 0.9, 1.0])
            codes[follows, child] = codes[follows, rng.integers(child)] % arities[child]
        if rng.random() < 0.3:  # few distinct rows
            codes = codes[rng.integers(0, min(3, rows), rows)]
        unseen = rng.integers(0, 2, n)
        states = {
            f"v{i}": [str(s) for s in range(r + more)]
            for i, (r, more) in enumerate(zip(arities, unseen, strict=True))
        }
        yield ds.Data.from_codes(codes, states)


def subsets(items):
    return itertools.chain.from_iterable(
        itertools.combinations(items, size) for size in range(len(items) + 1)
    )


@pytest.mark.parametrize("score", BOUNDED, ids=str)
def test_no_larger_set_scores_above_the_bound(score):
    tight = 0
    for data in tables(7, 150):
        engine = scorer(data, score)
        bounds = engine.bounds()
        arity = [len(data.states[name]) for name in data.names]
        for child in range(data.n_variables):
            others = [v for v in range(data.n_variables) if v != child]
            local = {frozenset(s): engine.local(child, list(s)) for s in subsets(others)}
            most = bounds.most_parents(child)
            for parents, value in local.items():
                if sum(arity[v] > 1 for v in parents) > most:
                    assert value <= local[frozenset()] + 1e-9
                larger = [
                    other
                    for other_set, other in local.items()
                    if other_set > parents and any(arity[v] > 1 for v in other_set - parents)
                ]
                if not larger:
                    continue
                bound = bounds.superset_bound(child, sorted(parents))
                assert bound >= max(larger) - 1e-9 * (1 + abs(bound))
                tight += bound < max(local[s] for s in local if s <= parents)
    assert tight > 0  # else it would spare nothing


def test_the_charge_of_qnml_never_falls_with_parent_configurations():
    for cases in (1, 2, 3, 10, 100, 5000):
        for states in (2, 3, 7):
            charges = [
                _core.multinomial_regret(cases, states * q) - _core.multinomial_regret(cases, q)
                for q in (1, 2, 3, 4, 6, 8, 12, 50, 51, 400, 401, 10_000, 10**6, 10**9)
            ]
            assert all(b >= a - 1e-9 for a, b in itertools.pairwise(charges))


def test_bdeu_pays_for_every_state_in_every_configuration():
    """Two states in each of two configurations: four first cases of 1/2 each, not two."""
    codes = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]] * 5)
    data = ds.Data.from_codes(codes, {name: ["0", "1"] for name in "abc"})
    a, b = data.names.index("a"), data.names.index("b")
    bound = scorer(data, ds.BDeu(ess=1.0)).bounds().superset_bound(b, [a])
    assert bound == pytest.approx(-4 * math.log(2))
