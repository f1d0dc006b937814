"""Shuffles that are drawn: beside shuffling rows, and where the answer is exact."""

import math

import numpy as np
import pytest
from tests.oracles import shuffles as oracle

import dagscape as ds
from dagscape.chance import Shuffles
from dagscape.chance.draws import _shuffled, log_share
from dagscape.chance.moments import log_fisher


def test_drawn_tables_keep_their_margins_and_have_the_right_means():
    rng = np.random.default_rng(0)
    table = np.array([[9, 1, 0], [3, 4, 2], [0, 1, 5], [0, 0, 0]])
    drawn = _shuffled(table, 4000, rng)
    assert (drawn.sum(axis=2) == table.sum(axis=1)).all()
    assert (drawn.sum(axis=1) == table.sum(axis=0)).all()
    assert (drawn >= 0).all()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    assert drawn.mean(axis=0) == pytest.approx(expected, abs=0.1)


def test_of_two_by_two_the_share_is_the_exact_probability():
    for cells in ([[8, 2], [3, 7]], [[20, 5], [15, 10]], [[3, 0], [1, 6]]):
        said = math.exp(log_share([np.array(cells)], 40_000))
        assert said == pytest.approx(math.exp(log_fisher(np.array(cells))), rel=0.35, abs=0.003)


@pytest.mark.slow
def test_the_share_is_that_of_shuffled_rows():
    rng = np.random.default_rng(1)
    for seed in range(8):
        x, y, z = rng.integers(3, size=40), rng.integers(4, size=40), rng.integers(2, size=40)
        y = np.where(rng.random(40) < 0.4, x, y)
        data = ds.Data({n: [f"s{v}" for v in c] for n, c in {"x": x, "y": y, "z": z}.items()})
        found = Shuffles(data)
        codes = {name: found._known(name) for name in "xyz"}
        for given in ([], ["z"]):
            strata = codes["z"] if given else np.zeros(40, dtype=int)
            share = oracle.share_as_strong(codes["x"], codes["y"], strata, 600, rng)
            said = math.exp(found.drawn("y", "x", given, 2000))
            assert said == pytest.approx(share, rel=0.5, abs=0.02), (seed, given)


@pytest.mark.slow
def test_far_out_the_smooth_tail_is_too_small_and_the_draws_are_not():
    """Of rare states that have nothing to do with each other: how often a level is undercut."""
    rng, smooth, drawn, tables = np.random.default_rng(2), 0, 0, 600
    for _ in range(tables):
        x, y = (
            np.where(rng.random(100) < 0.1, 1, np.where(rng.random(100) < 0.1, 2, 0)) for _ in "xy"
        )
        found = Shuffles(ds.Data({"x": [f"s{v}" for v in x], "y": [f"s{v}" for v in y]}))
        log_p = found.alone("y", "x")
        smooth += log_p <= math.log(0.005)
        if log_p <= math.log(0.02):
            drawn += (found.drawn("y", "x", [], 4000) or log_p) <= math.log(0.005)
    assert drawn <= 10  # 3 are expected, and more than 10 once in a thousand times
    assert smooth > drawn


def test_where_nothing_better_can_be_had_nothing_is_drawn():
    rng = np.random.default_rng(3)
    coins = {name: [f"s{v}" for v in rng.integers(2, size=30)] for name in "ab"}
    found = Shuffles(ds.Data({**coins, "x": rng.normal(size=30)}))
    assert found.drawn("a", "b", [], 100) is None
    assert found.drawn("a", "x", [], 100) is None
    constant = Shuffles(ds.Data({"a": ["s"] * 30, "b": coins["b"]}))
    assert constant.drawn("a", "b", [], 100) == 0.0
