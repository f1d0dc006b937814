"""Completions of rows with gaps, and scores on them, against all completions listed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.special import gammaln

import dagscape as ds
from dagscape import _core
from oracles.completions import (
    PlainNetwork,
    expected_counts,
    log_likelihood,
    node_average_likelihood,
)
from seeds import for_each

Rows = list[list[int | None]]


def random_case(seed: int, n: int = 5, rows: int = 40) -> tuple[PlainNetwork, Rows]:
    """Return a network, and rows of it with a third of their cells missing."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(2, 4, size=n).tolist()
    order = rng.permutation(n).tolist()
    parents: list[list[int]] = [[] for _ in range(n)]
    for i, v in enumerate(order):
        some = rng.permutation(order[:i])[: rng.integers(0, 3)]
        parents[v] = sorted(int(p) for p in some)
    network = PlainNetwork(arities, parents, rng)
    made: Rows = []
    for _ in range(rows):
        row: list[int | None] = [int(rng.integers(r)) for r in arities]
        gaps = rng.random(n) < 0.33
        made.append([None if gap else value for gap, value in zip(gaps, row, strict=True)])
    return network, made


def gap_table(network: PlainNetwork, rows: Rows) -> _core.GapTable:
    """Return the engine's table."""
    columns = [
        np.array([network.arities[v] if row[v] is None else row[v] for row in rows], np.uint16)
        for v in range(len(network.arities))
    ]
    return _core.GapTable(columns, network.arities)


def completed(
    network: PlainNetwork, rows: Rows, most_listed: int = 1000, draws: int = 1, threads: int = 1
) -> _core.Completions:
    """Return the engine's completions."""
    flat = [np.ascontiguousarray(table).reshape(-1) for table in network.tables]
    engine = _core.TableNetwork(network.arities, network.parents, flat)
    made, stopped = _core.complete(
        gap_table(network, rows), engine, most_listed, draws, 7, 1 << 30, threads
    )
    assert stopped == ""
    return made


def sets(n: int, most: int) -> list[tuple[int, ...]]:
    """Return all sets of so many variables at most."""
    return [s for k in range(most + 1) for s in itertools.combinations(range(n), k)]


@for_each("seed", range(12))
def test_expected_counts(seed: int) -> None:
    network, rows = random_case(seed)
    found = completed(network, rows)
    assert found.rows_drawn == 0
    assert found.log_likelihood == pytest.approx(log_likelihood(network, rows), abs=1e-9)
    for variables in sets(5, 4):
        some = list(reversed(variables))  # any order
        expected = expected_counts(network, rows, some).reshape(-1)
        assert np.asarray(found.counts(some)) == pytest.approx(expected, abs=1e-9)


def test_threads_change_nothing() -> None:
    network, rows = random_case(3, rows=700)
    one, two = (completed(network, rows, 5, 50, threads=threads) for threads in (1, 3))
    assert one.log_likelihood == two.log_likelihood
    for variables in sets(5, 3):
        assert np.array_equal(one.counts(list(variables)), two.counts(list(variables)))


@pytest.mark.parametrize("seed", range(4))
def test_draws_approach_expectation(seed: int) -> None:
    network, rows = random_case(seed)
    listed, drawn = completed(network, rows), completed(network, rows, 1, 4000)
    assert drawn.rows_drawn > 0
    assert drawn.log_likelihood == pytest.approx(listed.log_likelihood, abs=1e-9)
    for variables in sets(5, 3):
        exact = np.asarray(listed.counts(list(variables)))
        # A row's share has a standard error of at most 0.5 / sqrt(4000).
        assert np.asarray(drawn.counts(list(variables))) == pytest.approx(exact, abs=0.25)


def bic(counts: np.ndarray, rows: int) -> float:
    seen = counts[counts > 0]
    return float((seen * np.log(seen)).sum()) - math.log(rows) / 2 * counts.size


def bdeu(counts: np.ndarray, _rows: int) -> float:
    share = 1.0 / counts.size
    return float((gammaln(counts + share) - gammaln(share)).sum())


def qnml(counts: np.ndarray, rows: int) -> float:
    seen = counts[counts > 0]
    return float((seen * np.log(seen)).sum()) - _core.multinomial_regret(rows, counts.size)


def fitted(counts: np.ndarray, rows: int) -> float:
    sizes = [0.5, 1, 2, 4, 8, 16, 32, 64] + ([256, 1024] if counts.ndim < 2 else [])
    values = [
        gammaln(e) - gammaln(rows + e) + (gammaln(counts + share) - gammaln(share)).sum()
        for e in sizes
        for share in [e / counts.size]
    ]
    if counts.ndim < 2:
        values.append(-rows * math.log(counts.size))
    return float(max(values))


SCORES = {"bic": bic, "bdeu": bdeu, "fitted": fitted, "qnml": qnml}


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("seed", range(4))
def test_scores_on_expected_counts(name: str, seed: int) -> None:
    network, rows = random_case(seed)
    engine = ds.SCORES.from_words(name)._engine(len(rows))
    scorer = _core.Scorer(_core.CompletedFunction(completed(network, rows), engine), 1 << 20)
    value = SCORES[name]
    for child in range(5):
        others = [v for v in range(5) if v != child]
        for parents in (p for k in range(4) for p in itertools.combinations(others, k)):
            family = expected_counts(network, rows, [*parents, child])
            given = family.sum(axis=-1)
            expected = value(family, len(rows)) - value(given, len(rows))
            assert scorer.local(child, list(parents)) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize(("listed", "draws"), [(1000, 1), (60, 7)])
def test_one_more_variable_at_once(name: str, listed: int, draws: int) -> None:
    """Cells that depend on each other: alone, in pairs, in larger groups, listed and drawn."""
    network, rows = random_case(2, n=9, rows=60)
    engine = ds.SCORES.from_words(name)._engine(len(rows))
    completions = completed(network, rows, listed, draws)
    assert (completions.rows_drawn > 0) == (listed < 1000)
    scorer = _core.Scorer(_core.CompletedFunction(completions, engine), 1 << 20)
    few, many = (_core.ExtensionScores(scorer) for _ in range(2))
    for members in sets(9, 4)[1:]:
        value, with_, error = _core.set_extension(scorer, list(members))
        assert error < 1e-6
        child, parents = members[-1], list(members[:-1])
        others = [v for v in range(9) if v not in members]
        scores = many(child, parents, others)
        assert few(child, parents, others[::2]) == scores[::2]
        given_value, given_with, given_error = _core.set_extension(scorer, parents)
        expected = scorer.local(child, parents)
        assert value - given_value == pytest.approx(expected, abs=error + given_error)
        for v, score in zip(others, scores, strict=True):
            expected = scorer.local(child, sorted([*parents, v]))
            assert score == pytest.approx(expected, abs=1e-9)
            found = with_[v] - given_with[v]
            assert found == pytest.approx(expected, abs=error + given_error)


def test_what_cannot_be_had_at_once() -> None:
    network, rows = random_case(0, rows=10)
    completions = completed(network, rows)
    parts = _core.Scorer(_core.CompletedFunction(completions, ds.K2()._engine(10)), 1 << 20)
    assert _core.set_extension(parts, [0]) is None  # its score is not equivalent
    rng = np.random.default_rng(0)
    wide = PlainNetwork([9] * 6, [[]] * 6, rng)
    cells: Rows = [[None if v == r % 6 else 0 for v in range(6)] for r in range(20)]
    engine = ds.SCORES.from_words("bic")._engine(20)
    scorer = _core.Scorer(_core.CompletedFunction(completed(wide, cells), engine), 1 << 20)
    assert _core.set_extension(scorer, [0, 1]) is not None
    assert _core.set_extension(scorer, [0, 1, 2, 3]) is None  # more cells than are numbered
    found = _core.ExtensionScores(scorer)(0, [1, 2, 3], [4, 5])
    assert found == [scorer.local(0, [1, 2, 3, v]) for v in (4, 5)]


def test_scores_of_many_combinations() -> None:
    # More value combinations than are numbered, and larger than any 64-bit number.
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 10, size=(50, 24))
    rows: Rows = [[int(x) if rng.random() < 0.97 else None for x in row] for row in codes]
    network = PlainNetwork([10] * 24, [[]] * 24, rng)
    scorer = _core.Scorer(
        _core.CompletedFunction(completed(network, rows), ds.LogLikelihood()._engine(50)), 1 << 20
    )
    weights: dict[tuple[int, ...], float] = {}
    for row in rows:
        for whole, weight in network.completions(row):
            total = math.prod(
                1.0 if row[v] is not None else float(network.tables[v][whole[v]]) for v in range(24)
            )
            assert weight > 0
            weights[whole] = weights.get(whole, 0.0) + total
    family = sum(n * math.log(n) for n in weights.values())
    given: dict[tuple[int, ...], float] = {}
    for whole, n in weights.items():
        given[whole[:-1]] = given.get(whole[:-1], 0.0) + n
    expected = family - sum(n * math.log(n) for n in given.values())
    assert scorer.local(23, list(range(23))) == pytest.approx(expected, abs=1e-9)


def as_data(network: PlainNetwork, rows: Sequence[Sequence[int | None]]) -> ds.Data:
    """Return the table as users have it."""
    states = {f"x{v}": list(range(r)) for v, r in enumerate(network.arities)}
    frame = {f"x{v}": [row[v] for row in rows] for v in range(len(network.arities))}
    return ds.Data(frame, missing="keep", states=states)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alpha", [0.25, 0.8])
def test_node_average_likelihood(seed: int, alpha: float) -> None:
    network, rows = random_case(seed, rows=25)
    data = as_data(network, rows)
    for child in range(5):
        others = [v for v in range(5) if v != child]
        for parents in (p for k in range(5) for p in itertools.combinations(others, k)):
            found = ds.local_score(
                data, f"x{child}", [f"x{p}" for p in parents], score=ds.NAL(alpha)
            )
            expected = node_average_likelihood(rows, network.arities, child, parents, alpha)
            assert found == pytest.approx(expected, abs=1e-8)


def test_bic_on_complete_rows_is_a_node_average_likelihood() -> None:
    data = ds.load_network("asia").sample(1000, seed=1)
    alpha = 1 - math.log(math.log(1000) / 2) / math.log(1000)
    dag = ds.load_network("asia").dag
    assert ds.score(data, dag, score=ds.NAL(alpha)) == pytest.approx(
        ds.score(data, dag, score="bic")
    )


@pytest.mark.parametrize("seed", range(3))
def test_searches_by_available_cases_agree(seed: int) -> None:
    network, rows = random_case(seed, n=4, rows=200)
    data = as_data(network, rows)
    best = max(
        (ds.score(data, dag, score="nal(alpha=0.8)"), dag.arcs) for dag in _all_dags(data.names)
    )
    exact = ds.exact(data, score="nal(alpha=0.8)")
    assert exact.optimal
    assert exact.score == pytest.approx(best[0])
    for search in (ds.hill_climb, ds.order_search):
        assert search(data, score="nal(alpha=0.8)").score == pytest.approx(best[0])


def _all_dags(names: Sequence[str]) -> list[ds.Dag]:
    pairs = list(itertools.combinations(names, 2))
    found = []
    for ways in itertools.product((None, 0, 1), repeat=len(pairs)):
        arcs = [
            (a, b) if way == 0 else (b, a)
            for (a, b), way in zip(pairs, ways, strict=True)
            if way is not None
        ]
        try:
            found.append(ds.Dag(names, arcs))
        except ds.GraphError:
            continue
    return found
