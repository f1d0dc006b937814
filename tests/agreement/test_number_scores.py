"""Scores of numbers against their definitions, on many small tables, hard ones too."""

from __future__ import annotations

import itertools
import math
from functools import partial

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer
from oracles import numbers as oracle
from seeds import for_each, in_part


def table(seed: int, *, mixed: bool, rows: int | None = None):
    """Return a small table as ds.Data and as the oracle has it: later columns follow earlier."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 5))
    rows = rows or int(rng.choice([2, 3, 4, 5, 8, 20, 60]))
    columns: list = []
    for v in range(n):
        if mixed and rng.random() < 0.5:
            arity = int(rng.integers(2, 4))
            codes = rng.integers(0, arity, rows)
            if rng.random() < 0.1:
                codes[:] = 0
            columns.append((codes, arity))
            continue
        values = rng.normal(size=rows) * 10.0 ** rng.integers(-3, 4) + rng.normal() * 10
        for u in range(v):
            before = columns[u][0] if isinstance(columns[u], tuple) else columns[u]
            values = values + rng.choice([0, 0, 1.0]) * before
        if rng.random() < 0.1:
            values[:] = 2.5  # never changes
        columns.append(values)
    return _data(columns), columns


def _data(columns):
    rows = len(columns[0][0] if isinstance(columns[0], tuple) else columns[0])
    frame, states, kinds = {}, {}, {}
    for v, column in enumerate(columns):
        if isinstance(column, tuple):
            frame[f"v{v}"] = column[0]
            states[f"v{v}"] = range(column[1])
        else:
            frame[f"v{v}"] = column
            kinds[f"v{v}"] = "continuous"
    assert rows
    return ds.Data(frame, states=states, kinds=kinds)


def sets(n):
    return [s for size in range(n + 1) for s in itertools.combinations(range(n), size)]


def close(found, expected, rows):
    """Near copies and too few rows leave a determinant of 10⁻⁹, of which rounding takes digits."""
    return found == pytest.approx(expected, rel=1e-8, abs=1e-5 * rows)


def compare(data, score, value):
    """Compare every local score of a table with differences of the definition's values."""
    on_data = scorer(data, score)
    n, rows = data.n_variables, data.n_rows
    values = {s: value(s) for s in sets(n)}
    for child in range(n):
        for parents in sets(n):
            if child in parents:
                continue
            expected = values[tuple(sorted((*parents, child)))] - values[parents]
            found = on_data.local(child, list(parents))
            assert math.isfinite(found)
            assert close(found, expected, rows), (child, parents)


@for_each("seed", range(in_part(150)))
def test_gaussian_bic_and_bge(seed):
    data, columns = table(seed, mixed=False)
    compare(data, ds.GaussianBIC(), lambda s: oracle.basis_bic(columns, s, 1))
    compare(data, ds.BGe(), lambda s: oracle.bge(columns, s))
    w = data.n_variables + 4.5
    compare(
        data,
        ds.BGe(iss_mu=0.5, iss_w=w, standardized=True),
        lambda s: oracle.bge(columns, s, iss_mu=0.5, iss_w=w, standardized=True),
    )


def value(columns, degree, members):
    return oracle.basis_bic(columns, members, degree)


@for_each("seed", range(in_part(150)))
def test_basis_bic(seed):
    data, columns = table(seed, mixed=True)
    for degree in (1, 2, 3):
        compare(data, ds.BasisBIC(degree=degree), partial(value, columns, degree))


@for_each("seed", range(in_part(150)))
def test_rank_bge(seed):
    data, columns = table(seed, mixed=seed % 3 > 0)
    for degree in (1, 2):
        kind = ds.RankBGe(degree=degree)
        compare(data, kind, lambda s, degree=degree: oracle.rank_bge(columns, s, degree))


@pytest.mark.parametrize(("widths", "rows"), [((45,), 90), ((70, 80), 250)])
def test_many_states_beside_numbers(widths, rows):
    """Wide blocks come first in determinants, one by one, side by side and all of a size."""
    rng = np.random.default_rng(0)
    wide = [(rng.integers(0, width, rows), width) for width in widths]
    numbers = [rng.normal(size=rows) + 0.1 * wide[0][0] for _ in range(2)]
    columns = [numbers[0], *wide, (rng.integers(0, 2, rows), 2), numbers[1]]
    data, n = _data(columns), len(columns)
    compare(data, ds.RankBGe(), lambda s: oracle.rank_bge(columns, s))
    compare(data, ds.BasisBIC(degree=1), lambda s: oracle.basis_bic(columns, s, 1))
    for score in (ds.RankBGe(), ds.BasisBIC(degree=1)):
        on_data = scorer(data, score)
        for members in sets(n):
            value, with_, error = _core.set_extension(on_data, list(members))
            for v in set(range(n)) - set(members):
                own = on_data.local(v, list(members))
                assert abs(with_[v] - value - own) <= max(2 * error, 1e-9), (members, v)
        lists = ds.candidate_parents(data, score=score, prune=(), max_parents=3)
        for child in data.names:
            for value, parents in lists[child]:
                local = ds.local_score(data, child, parents, score=score)
                assert value == pytest.approx(local, abs=1e-6)


def test_sums_of_very_wide_blocks():
    """From 512 columns on they are made side by side."""
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=900), *((rng.integers(0, k, 900), k) for k in (300, 320))]
    on_data = scorer(_data(columns), ds.RankBGe())
    expected = oracle.rank_bge(columns, (0, 1, 2)) - oracle.rank_bge(columns, (1, 2))
    assert close(on_data.local(0, [1, 2]), expected, 900)
    value, with_, error = _core.set_extension(on_data, [0, 1])
    assert abs(with_[2] - value - on_data.local(2, [0, 1])) <= max(2 * error, 1e-9)


@pytest.mark.parametrize("rows", [4, 30])
def test_numbers_given_states_are_a_regression(rows):
    """The integral over its parameters: of variances by a grid, given which y is normal."""
    rng = np.random.default_rng(rows)
    codes = np.array([0, 1] * (rows // 2))
    values = rng.normal(size=rows) + codes
    x = 2.0 * codes - 1
    # Of length √rows, as the latent column is in the mean, with what ranks tell of its slope.
    ranks = oracle.normal_scores(values)
    along = x * (x @ ranks / rows / ranks.std()) * math.sqrt(np.mean(ranks**2))
    rest = ranks - ranks.mean() - x * (x @ ranks) / rows
    y = along + rest * math.sqrt((rows - along @ along) / (rest @ rest))
    variance = np.exp(np.linspace(-6, 6, 2001))
    spread = np.eye(rows) + np.ones((rows, rows)) + np.outer(x, x) / 0.5
    square = y @ np.linalg.solve(spread, y)
    log = -rows / 2 * np.log(2 * np.pi * variance) - np.linalg.slogdet(spread)[1] / 2
    log -= square / (2 * variance)
    log += 1.5 * math.log(0.25) - math.lgamma(1.5) - 2.5 * np.log(variance) - 0.25 / variance
    heights = np.exp(log) * variance
    steps = np.diff(np.log(variance))
    integral = float(np.sum((heights[1:] + heights[:-1]) / 2 * steps))
    data = ds.Data({"d": codes, "y": values}, kinds={"y": "continuous"})
    found = ds.local_score(data, "y", ["d"], score="rank_bge")
    assert found == pytest.approx(math.log(integral), abs=1e-3)


@for_each("seed", range(in_part(200)))
def test_conditional_gaussian(seed):
    data, columns = table(seed, mixed=True)
    compare(data, ds.ConditionalGaussian(), lambda s: oracle.conditional_gaussian(columns, s))


@for_each("seed", range(20))
def test_with_many_rows_no_digits_are_lost(seed):
    rng = np.random.default_rng(seed)
    columns = list(rng.normal(size=(4, 500)) * np.array([[1e-3], [1], [50], [1e6]]))
    columns[2] += 40 * columns[1]
    columns[3] -= 4e8 * columns[0] + 1e4 * columns[2]
    data = _data(columns)
    on_data = scorer(data, ds.GaussianBIC())
    varying = [v for v, column in enumerate(columns) if column.std() > 0]
    for child, *parents in itertools.permutations(varying):
        members = tuple(sorted(parents))
        expected = oracle.basis_bic(columns, tuple(sorted(varying)), 1) - oracle.basis_bic(
            columns, members, 1
        )
        assert on_data.local(child, list(members)) == pytest.approx(expected, rel=1e-8)


def test_on_one_kind_alone_they_are_the_plain_ones():
    rng = np.random.default_rng(3)
    codes = {f"v{i}": rng.integers(0, 3, 400) for i in range(3)}
    states = ds.Data(codes)
    x = rng.normal(size=(4, 400))
    x[1] += x[0]
    x[3] -= x[1] + 0.3 * x[2]
    numbers = ds.Data({f"v{i}": x[i] for i in range(4)})
    for child, *parents in itertools.permutations(["v0", "v1", "v2"]):
        assert ds.local_score(
            states, child, parents, score=ds.ConditionalGaussian()
        ) == pytest.approx(ds.local_score(states, child, parents, score="bic"))
        plain = ds.local_score(numbers, child, parents, score=ds.GaussianBIC())
        for score in (ds.ConditionalGaussian(), ds.BasisBIC(degree=1)):
            assert ds.local_score(numbers, child, parents, score=score) == pytest.approx(
                plain, rel=1e-8
            )


def test_a_regression_says_the_same():
    """N ln of the residual variance, from least squares, which knows nothing of determinants."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(300, 3))
    y = 3 + x @ [0.5, -2.0, 0.0] + rng.normal(size=300)
    data = ds.Data({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": y})
    design = np.column_stack([np.ones(300), x])
    residual = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    likelihood = -150 * (math.log(2 * math.pi) + 1 + math.log(np.mean(residual**2)))
    expected = likelihood - math.log(300) / 2 * 5
    found = ds.local_score(data, "y", ["a", "b", "c"], score="gaussian_bic")
    assert found == pytest.approx(expected, rel=1e-8)


HARD = {
    "copies": lambda x: np.stack([x[0], 2 * x[0] + 1, -x[0], x[1]]),
    "sums": lambda x: np.stack([x[0], x[1], x[0] + x[1], x[0] - 3 * x[1]]),
    "one outlier": lambda x: np.stack([x[0], x[1], np.where(np.arange(30) == 4, 1e300, x[2])]),
    "huge": lambda x: np.stack([x[0] * 1e300, x[1] * 1e-300, x[2] * 1e307, x[0] * 1e300]),
    "near the ends": lambda x: np.stack([np.sign(x[0]) * 1.7e308, x[1] * 5e-324, x[2]]),
    "constants": lambda x: np.stack([x[0], x[1] * 0 + 7, x[2] * 0, x[3] * 0 + 1e300]),
    "near constants": lambda x: np.stack([x[0], 1 + np.sign(x[1]) * 1e-16, 1e16 + x[2]]),
    "two rows": lambda x: x[:, :2],
    "one row": lambda x: x[:, :1],
}
SCORES = (
    ds.GaussianBIC(),
    ds.BGe(),
    ds.BGe(standardized=True),
    ds.BasisBIC(degree=4),
    ds.ConditionalGaussian(),
    ds.RankBGe(),
    ds.RankBGe(degree=3),
)


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("score", SCORES, ids=str)
def test_no_table_has_a_score_that_is_no_number(name, score):
    rng = np.random.default_rng(7)
    made = HARD[name](rng.normal(size=(4, 30)))
    frame = {f"v{i}": row for i, row in enumerate(made)}
    data = ds.Data(frame, kinds=dict.fromkeys(frame, "continuous"))
    on_data = scorer(data, score)
    for child in range(len(made)):
        for parents in sets(len(made)):
            if child not in parents:
                assert math.isfinite(on_data.local(child, list(parents)))
    for found in (ds.exact(data, score=score), ds.ges(data, score=score)):
        assert math.isfinite(found.score)
        constants = [v for v, row in frame.items() if (row == row[0]).all()]
        assert not [arc for arc in found.dag.arcs if set(arc) & set(constants)], found.method


def rounding(on_data, members):
    """How far two ways may differ: near copies amplify rounding, on each machine in its own way."""
    *_, error = _core.set_extension(on_data, members)
    return max(2 * error, 1e-6)


@for_each("seed", range(60))
def test_all_ways_to_a_value_agree(seed):
    """One set, a set with every one more variable, and all sets of a size."""
    data, _ = table(seed, mixed=seed % 2 == 0, rows=40)
    n = data.n_variables
    numbers_alone = (ds.BGe(),) if seed % 2 else ()
    for score in (ds.BasisBIC(degree=2), ds.RankBGe(), *numbers_alone):
        on_data = scorer(data, score)
        for members in sets(n):
            value, with_, error = _core.set_extension(on_data, list(members))
            for v in range(n):
                if v in members:
                    continue
                own = on_data.local(v, list(members))
                assert abs(with_[v] - value - own) <= max(2 * error, 1e-9), (members, v)
        for child in range(n):
            scores = _core.ExtensionScores(on_data)
            others = [v for v in range(n) if v != child]
            for v, found in zip(others, scores(child, [], others), strict=True):
                assert found == pytest.approx(on_data.local(child, [v]), abs=rounding(on_data, [v]))
        lists = ds.candidate_parents(data, score=score, prune=())
        number = data.variables.number
        for child in data.names:
            for value, parents in lists[child]:
                local = ds.local_score(data, child, parents, score=score)
                most = rounding(on_data, [number(name) for name in parents])
                assert value == pytest.approx(local, abs=most)
