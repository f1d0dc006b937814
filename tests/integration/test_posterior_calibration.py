"""The prior-predictive test in small: of what is said to have probability p, a share p is there."""

import functools
import importlib
import math

import numpy as np
import pytest


@pytest.fixture(scope="module")
def script():
    return importlib.import_module("posterior_calibration")


@pytest.fixture(scope="module")
def judged(script):
    """Return what becomes of 400 tables drawn from a prior, each time the same."""
    return functools.cache(lambda prior: script.judge_tables((0, 400, prior, 1.0)))


def test_the_list_of_networks(script):
    assert [len(script.all_networks(n)) for n in range(1, 6)] == [1, 3, 25, 543, 29281]
    assert script.shares("fair").sum() == pytest.approx(1)


def test_parameters_are_drawn_from_the_prior(script):
    rng = np.random.default_rng(0)
    drawn = script._dirichlet(0.3, 20_000, 3, rng)
    assert drawn.sum(axis=1) == pytest.approx(1)
    # A Dirichlet of three times a has variance (1/3)(2/3) / (3a + 1).
    assert drawn.var(axis=0) == pytest.approx([2 / 9 / 1.9] * 3, rel=0.05)


@pytest.mark.parametrize("prior", ["fair", "uniform"])
def test_probabilities_are_kept(script, judged, prior):
    found = judged(prior)
    for kind in script.KINDS:
        tally = script.Tally()
        tally.add(found[kind])
        for line in tally.lines():
            assert abs(line["off"]) < 4, (kind, line)


def test_a_posterior_that_is_too_sure_is_found_out(script, judged):
    rows = judged("fair")["arcs"]
    odds = 2 * np.log(rows[:, 1].clip(1e-9) / (1 - rows[:, 1]).clip(1e-9))
    tally = script.Tally()
    tally.add(np.column_stack([rows[:, 0], 1 / (1 + np.exp(-odds)), rows[:, 2]]))
    assert max(abs(line["off"]) for line in tally.lines()) > 5
    assert not math.isnan(tally.said.sum())
