"""Every search on tables with numbers: what it finds is what the definition says."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import as_score, likelihood, score_from_dict
from oracles import graphs
from oracles import numbers as oracle
from seeds import for_each

N = 4
NAMES = [f"v{i}" for i in range(N)]


def mixed_table(seed, rows=150):
    """A chain of states and numbers, with a common effect."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, rows)
    b = rng.normal(size=rows) + 1.2 * a
    c = (b + rng.normal(size=rows) > 0.5).astype(int) + rng.integers(0, 2, rows)
    d = 0.8 * b - 0.6 * a + rng.normal(size=rows)
    return [(a, 2), b, (c, 3), d]


def number_table(seed, rows=80):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(N, rows))
    for v in range(1, N):
        x[v] += rng.choice([0, 0.5, 1.0]) * x[v - 1]
    return list(x)


def problems(seed):
    mixed, numbers = mixed_table(seed), number_table(seed)
    yield numbers, ds.GaussianBIC(), lambda s: oracle.basis_bic(numbers, s, 1)
    yield numbers, ds.BGe(), lambda s: oracle.bge(numbers, s)
    yield mixed, ds.BasisBIC(degree=1), lambda s: oracle.basis_bic(mixed, s, 1)
    yield mixed, ds.BasisBIC(degree=3), lambda s: oracle.basis_bic(mixed, s, 3)
    yield mixed, ds.ConditionalGaussian(), lambda s: oracle.conditional_gaussian(mixed, s)
    yield mixed, ds.RankBGe(), lambda s: oracle.rank_bge(mixed, s)


def data_of(columns):
    frame = {NAMES[v]: c[0] if isinstance(c, tuple) else c for v, c in enumerate(columns)}
    states = {NAMES[v]: range(c[1]) for v, c in enumerate(columns) if isinstance(c, tuple)}
    return ds.Data(frame, states=states)


def locals_of(value):
    """Return the score of every child with all its parents, from the definition."""
    values = {s: value(s) for size in range(N + 1) for s in itertools.combinations(range(N), size)}
    return {
        (child, parents): values[tuple(sorted((*parents, child)))] - values[parents]
        for child in range(N)
        for parents in values
        if child not in parents
    }


def total(local, dag):
    return sum(
        local[v, tuple(sorted(NAMES.index(p) for p in dag.parents(NAMES[v])))] for v in range(N)
    )


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 6))]
)
def test_every_search(seed):
    for columns, score, value in problems(seed):
        data, local = data_of(columns), locals_of(value)
        best = max(
            sum(local[v, tuple(sorted(a for a, b in dag if b == v))] for v in range(N))
            for dag in graphs.all_dags(N)
        )
        for algorithm in ("dp", "astar", "systematic", "ilp"):
            found = ds.exact(data, score=score, algorithm=algorithm)
            assert found.optimal
            assert found.score == pytest.approx(best, rel=1e-8), (score, algorithm)
        for found in (
            ds.ges(data, score=score),
            ds.kes(data, score=score, seed=1),
            ds.hill_climb(data, score=score, seed=1),
            ds.order_search(data, score=score, seed=1),
            ds.order_search(data, score=score, parent_sets="grown", seed=1),
            ds.sll_g(data, score=score),
            ds.mmhc(data, score=score),
        ):
            where = (score, found.method)
            assert found.score == pytest.approx(total(local, found.dag), rel=1e-8), where
            assert found.score <= best + 1e-6, where
        landscape = ds.local_optima(data, score=score, runs=20, seed=0)
        assert landscape.best.score == pytest.approx(best, rel=1e-8)
        again = ds.bootstrap(data, score=score, runs=5, method="ges", seed=0)
        assert again.runs == 5


@pytest.mark.parametrize("seed", range(3))
def test_probabilities(seed):
    for columns, score, value in problems(seed):
        data, local = data_of(columns), locals_of(value)
        weights: dict = {}
        for dag in graphs.all_dags(N):
            weights[frozenset(dag)] = sum(
                local[v, tuple(sorted(a for a, b in dag if b == v))] for v in range(N)
            )
        most = max(weights.values())
        whole = sum(math.exp(w - most) for w in weights.values())
        for method in ("exact", "mcmc"):
            found = ds.posterior(data, score=score, prior="uniform", method=method, seed=0)
            for a, b in itertools.permutations(range(N), 2):
                share = (
                    sum(math.exp(w - most) for dag, w in weights.items() if (a, b) in dag) / whole
                )
                near = 1e-6 if method == "exact" else 0.05
                assert found.probability(NAMES[a], NAMES[b], "arcs") == pytest.approx(
                    share, abs=near
                ), (score, method)
        if score.marginal:
            assert ds.posterior(data, score=score).log_evidence is not None


@for_each("seed", range(8))
def test_what_pruning_leaves_out_can_be_left_out(seed):
    for columns, score, _ in problems(seed):
        data = data_of(columns)
        kept = ds.candidate_parents(data, score=score)
        whole = ds.candidate_parents(data, score=score, prune=())
        for name in NAMES:
            best = {}
            for value, parents in whole[name]:
                best[frozenset(parents)] = value
            wanted = {
                parents: value
                for parents, value in best.items()
                if all(other >= parents or best[other] < value for other in best if other < parents)
            }
            found = {frozenset(parents): value for value, parents in kept[name]}
            assert found == pytest.approx(wanted), (score, name)


@for_each("seed", range(10))
def test_independence_of_numbers_is_partial_correlation(seed):
    columns = number_table(seed)
    data = data_of(columns)
    test = likelihood(data)
    rows = np.stack(columns, axis=1)
    for size in range(N - 1):
        for x, y, *given in itertools.permutations(range(N), 2 + size):
            precision = np.linalg.inv(np.cov(rows[:, [x, y, *given]], rowvar=False))
            partial = -precision[0, 1] / math.sqrt(precision[0, 0] * precision[1, 1])
            statistic, freedom, _ = _core.g2(test, x, y, sorted(given))
            assert freedom == pytest.approx(1)
            expected = -len(rows) * math.log1p(-(partial**2))
            assert statistic == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_independence_of_states_and_numbers_is_wilks_lambda():
    columns = mixed_table(3)
    codes, number = columns[2][0], columns[3]
    statistic, freedom, _ = _core.g2(likelihood(data_of(columns)), 2, 3, [])
    within = sum(((number[codes == s] - number[codes == s].mean()) ** 2).sum() for s in range(3))
    whole = ((number - number.mean()) ** 2).sum()
    assert freedom == 2
    assert statistic == pytest.approx(-len(codes) * math.log(within / whole), rel=1e-6)


@pytest.mark.parametrize("method", ["hiton", "mmpc", "sll"])
def test_neighbors_and_blankets(method):
    rng = np.random.default_rng(2)
    a = rng.integers(0, 2, 1500)
    x = rng.normal(size=1500) + 1.5 * a
    y = 0.8 * x + rng.normal(size=1500)
    z = y + rng.normal(size=1500)
    data = ds.Data({"a": a, "x": x, "y": y, "z": z})
    score = {"score": "basis_bic(degree=1)"} if method == "sll" else {}
    assert set(ds.neighbors(data, "x", method=method, **score)) == {"a", "y"}
    assert set(ds.neighbors(data, "y", method=method, **score)) == {"x", "z"}


def test_column_order_and_threads_change_nothing():
    for columns, score, _ in problems(1):
        data = data_of(columns)
        turned = data.select(list(reversed(NAMES)))
        for search in (ds.ges, ds.exact, lambda d, **k: ds.hill_climb(d, seed=3, **k)):
            one, other = search(data, score=score), search(turned, score=score)
            assert one.cpdag == other.cpdag
            assert one.score == other.score


def test_scores_refuse_the_wrong_kinds():
    mixed = data_of(mixed_table(0))
    for score in (ds.GaussianBIC(), ds.BGe(), "bge"):
        with pytest.raises(ds.DataError, match=r'column "v0" holds states.*basis_bic.*conditional'):
            ds.exact(mixed, score=score)
    with pytest.raises(ds.DataError, match=r'column "v1" holds numbers.*"basis_bic\(degree=3\)"'):
        ds.ges(mixed, score="bdeu")
    with pytest.raises(ds.DataError, match=r'column "v0" holds numbers.*"gaussian_bic"'):
        ds.ges(data_of(number_table(0)), score="bic")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ds.BGe(iss_mu=0), "iss_mu must be a positive number"),
        (lambda: ds.BGe(iss_w=-1), "iss_w must be a positive number"),
        (lambda: ds.BGe(standardized=1), "standardized must be True or False"),
        (lambda: ds.BasisBIC(degree=0), "degree must be between 1 and 10"),
        (lambda: ds.BasisBIC(degree=1.5), "degree must be a whole number"),
        (
            lambda: ds.ges(data_of(number_table(0)), score=ds.BGe(iss_w=3)),
            "iss_w must be above 5, the number of variables",
        ),
    ],
)
def test_parameters_are_checked(make, message):
    with pytest.raises(ds.ParameterError, match=message):
        make()


def test_scores_are_told_and_made_again():
    for score in (
        ds.GaussianBIC(),
        ds.BGe(iss_w=9),
        ds.BasisBIC(degree=2),
        ds.BGe(standardized=True),
    ):
        assert score_from_dict(score.to_dict()) == score
        assert as_score(str(score)) == score
