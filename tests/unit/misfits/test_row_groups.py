"""Rows are counted by groups, brought near to totals, and compared; each beside its definition."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest

import dagscape as ds
from dagscape.misfits.row_groups import MOST_GROUPS, Counting, deviances, raked


def tables():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(5, 60))
        yield (
            seed,
            ds.Data(
                {
                    "many": rng.integers(0, 12, rows).astype(str),
                    "two": rng.choice(["u", "v"], rows),
                    "same": ["w"] * rows,
                    "x": rng.normal(size=rows).round(int(rng.integers(0, 4))) + 0.5,
                    "zeros": np.where(rng.random(rows) < 0.8, 0.0, rng.lognormal(size=rows)) * 1.5,
                },
                kinds={"x": "continuous", "zeros": "continuous"},
            ),
        )


def holds(words, data, row):
    """Whether a row is as a group's words say; other states together are told by none."""
    name, said = words.split(" ", 1)
    value = data.column(name)[row]
    if said.startswith("= "):
        return data.states[name][value] == said[2:]
    if said.startswith("one of "):
        return None
    low, high = -math.inf, math.inf
    parts = said.replace("up to", "to").split()
    for word, bound in zip(parts[::2], parts[1::2], strict=True):
        if word in ("from", "above"):
            low = float(bound)
        else:
            high = float(bound)
    near = 1e-2 * max(1.0, abs(float(value)))  # words have three digits
    return low - near <= value <= high + near


@pytest.mark.slow
def test_counts_are_those_of_rows_one_by_one():
    for seed, data in tables():
        for size in (1, 2, 3):
            sets = [*combinations(data.names, size)]
            counting = Counting(data, sets)
            counts = counting.counts(data)
            assert (counts.reshape(len(sets), -1).sum(axis=1) == data.n_rows).all(), seed
            for at, names in enumerate(sets):
                groups = [range(len(counting.groups[name].words)) for name in names]
                for cell in product(*groups):
                    inside = counting.rows_in(data, at, cell)
                    assert inside.sum() == counts[(at, *cell)], seed
                    for row in np.flatnonzero(inside):
                        said = [holds(words, data, row) for words in counting.words(at, cell)]
                        assert False not in said, (seed, names, cell, row)


def test_the_most_frequent_states_have_groups_of_their_own():
    data = ds.Data({"x": ["d"] * 4 + ["a"] * 3 + ["b"] * 2 + list("cefgh"), "y": ["u", "v"] * 7})
    words = Counting(data, [("x", "y")]).groups["x"].words
    assert len(words) == MOST_GROUPS
    assert words[:4] == ("x = d", "x = a", "x = b", "x = c")
    assert words[4] == "x one of 4 other states"


def test_rows_beyond_the_numbers_of_the_table_are_told():
    data = ds.Data({"x": np.linspace(1.0, 2.0, 50)})
    counting = Counting(data, [("x",)])
    beyond = ds.Data({"x": np.array([0.5, 0.99, 1.0, 2.0, 2.5, 3.5])})
    counts = counting.counts(beyond)[0]
    found = {words: counts[k] for k, words in enumerate(counting.groups["x"].words) if counts[k]}
    assert found["x below 1"] == 2
    assert found["x above 2"] == 2
    assert counting.counts(data)[0][-2:].sum() == 0


def test_columns_and_pairs_are_no_difference_any_more():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        counts = rng.integers(0, 30, (4, 3, 3)).astype(float)
        outer = rng.dirichlet(np.ones(3), 4)[:, :, None] * rng.dirichlet(np.ones(3), 4)[:, None, :]
        fitted = raked(outer, counts)
        rows, columns = counts.sum(2, keepdims=True), counts.sum(1, keepdims=True)
        independent = rows * columns / counts.sum((1, 2), keepdims=True)
        assert fitted == pytest.approx(independent), seed
        cubes = rng.integers(1, 30, (4, 3, 3, 3)).astype(float)
        base = rng.dirichlet(np.ones(27), 4).reshape(cubes.shape)
        fitted = raked(base, cubes, rounds=200)
        for axis in (1, 2, 3):
            assert fitted.sum(axis) == pytest.approx(cubes.sum(axis), rel=1e-6), seed


def test_deviances_have_the_sign_and_the_size_of_likelihood_ratios():
    for k, e in product([0, 1, 3, 50], [0.01, 1.0, 20.0]):
        found = float(deviances(np.array([float(k)]), np.array([e]))[0])
        ratio = (k * math.log(k / e) if k else 0.0) - (k - e)
        assert found**2 == pytest.approx(2 * ratio, abs=1e-9)
        assert np.sign(found) == np.sign(k - e)
    assert deviances(np.zeros(1), np.zeros(1))[0] == 0
