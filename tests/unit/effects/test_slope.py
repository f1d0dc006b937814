"""The effect of one number on another: what is told, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dagscape as ds
from dagscape.effects import SlopeEffect

TIERS = ds.Knowledge(tiers=[["dose"], ["level"], ["pulse"]])


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(2)
    dose = rng.normal(50, 10, 500)
    level = 3 * dose + rng.normal(0, 20, 500)
    return {"dose": dose, "level": level, "pulse": 0.5 * level + rng.normal(0, 10, 500)}


@pytest.fixture(scope="module")
def known(table):
    return ds.effect(ds.posterior(table, knowledge=TIERS), "dose", "pulse", networks=400)


def test_the_slope_is_that_of_the_truth(known):
    assert isinstance(known, SlopeEffect)
    assert known.lower < 1.5 < known.upper  # 3 times 0.5
    assert known.upper - known.lower < 0.4
    assert known.no_effect == 0
    assert known.open == 0


def test_it_is_said_in_words(known, table):
    lines = str(known).splitlines()
    assert lines[0] == "E(pulse | do(dose))"
    assert lines[1].startswith("  rises by 1.")
    assert lines[1].endswith("for each unit of dose")
    assert lines[-2] == "all relations are treated as lines with normal noise"
    unsure = ds.effect(ds.posterior(table), "dose", "pulse", networks=400)
    assert "the answers one by one, the rise of pulse:" in str(unsure)
    assert unsure.open > 0.5


def test_by_structure_a_slope_has_no_states(known):
    rows = known.by_structure(60, 50)
    assert rows.columns == ["parents", "probability", "path", "mean", "lower", "upper"]
    mean, low, high = known.difference(60, 50)
    assert rows.rows() == [("", 1.0, True, *(pytest.approx(x) for x in (mean, low, high)))]


def test_a_table_and_json(known):
    frame = known.frame()
    assert frame.columns == [
        *("cause", "outcome", "slope", "lower", "upper"),
        *("adjusted", "adjusted_lower", "adjusted_upper"),
    ]
    assert frame["slope"].to_list() == [known.mean]
    told = json.loads(json.dumps(known.to_dict()))
    assert told["effect"][0]["lower"] == known.lower
    assert told["alternatives"][0]["mean"] == pytest.approx(known.mean, rel=0.2)


def test_the_difference_that_setting_makes(known):
    change, low, high = known.difference(60, 40)
    assert (change, low, high) == pytest.approx(
        (20 * known.mean, 20 * known.lower, 20 * known.upper)
    )
    assert known.difference(40, 60) == pytest.approx((-change, -high, -low))
    with pytest.raises(ds.ParameterError, match='two different values of "dose"'):
        known.difference(1, 1.0)
    with pytest.raises(ds.ParameterError, match="\"dose\" holds numbers; compare two, not 'high'"):
        known.difference("high", 1)


def test_units_only_change_units(table, known):
    other = {**table, "dose": table["dose"] * 1000, "pulse": table["pulse"] / 7}
    found = ds.effect(ds.posterior(other, knowledge=TIERS), "dose", "pulse", networks=400)
    np.testing.assert_allclose(found.draws, known.draws / 7000, rtol=1e-6)


def test_of_a_learned_network(table):
    learned = ds.learn(table, runs=0, resamples=0)
    found = ds.effect(learned, "dose", "pulse", networks=100)
    assert found.mean is None
    assert found.frame()["slope"].null_count() == 1
    assert found.lower == 0  # where pulse comes before dose
    assert found.difference(1, 0)[0] is None
    assert "that the data cannot tell apart" in str(found)


def test_without_a_path_there_is_no_effect(table):
    found = ds.effect(ds.posterior(table, knowledge=TIERS), "pulse", "dose", networks=50)
    assert (found.no_effect, found.mean, found.lower, found.upper) == (1, 0, 0, 0)


@pytest.mark.parametrize("score", ["gaussian_bic", "basis_bic(degree=1)", "conditional_gaussian"])
def test_scores_that_take_relations_for_lines(table, score):
    posterior = ds.posterior(table, score=score, knowledge=TIERS)
    found = ds.effect(posterior, "dose", "pulse", networks=100)
    assert found.lower < 1.5 < found.upper


def test_copies_constants_and_large_numbers(table):
    odd = {
        **table,
        "twice": 2 * table["dose"],
        "same": np.full(500, 1.5),
        "huge": table["pulse"] * 1e300,
    }
    found = ds.effect(ds.posterior(odd, max_parents=2), "dose", "pulse", networks=50)
    assert np.isfinite(found.draws).all()
    assert ds.effect(ds.posterior(odd), "dose", "same", networks=20).upper == 0
    large = ds.effect(ds.posterior(odd), "dose", "huge", networks=20)
    assert np.isfinite(large.draws).all()
    with pytest.raises(ds.DataError, match='"same" never changes, so the rows say nothing'):
        ds.effect(ds.posterior(odd), "same", "dose", networks=20)


def test_slopes_that_no_number_can_hold(table):
    odd = {"a": table["dose"] * 1e-200, "b": table["level"] * 1e200}
    known = ds.Knowledge(required=[("a", "b")])
    with pytest.raises(ds.DataError, match='slope of "b" on "a" is larger than numbers go'):
        ds.effect(ds.posterior(odd, knowledge=known), "a", "b", networks=5)


def test_networks_of_curves_are_answered_by_regression(table):
    curved = ds.posterior(table, score="basis_bic(degree=3)", knowledge=TIERS)
    found = ds.effect(curved, "dose", "pulse", networks=200)
    assert found.lower < 1.5 < found.upper
    assert "along a straight line" in found.claim


def test_the_same_causes_with_and_without_a_path_are_told_apart():
    rng = np.random.default_rng(3)
    table = {name: rng.normal(size=8) for name in "abcd"}
    weighed = ds.posterior(table, score=ds.BGe(standardized=True))
    found = ds.effect(weighed, "a", "b", networks=400)
    lines = [line for line in str(found).splitlines() if line.startswith("  if ")]
    before = [line.split(" (probability")[0] for line in lines]
    assert len(before) == len(set(before)) > 1
    assert any("and no path leads to b" in line for line in before)


def test_a_bend_is_told_where_a_slope_of_nothing_is_not_no_effect():
    rng = np.random.default_rng(1)
    x = rng.normal(size=400)
    table = {"x": x, "bent": x**2 + 0.2 * rng.normal(size=400), "line": x + rng.normal(size=400)}
    posterior = ds.posterior(table, knowledge=ds.Knowledge(tiers=[["x"], ["bent", "line"]]))
    found = ds.effect(posterior, "x", "bent", networks=50)
    assert found.bend > 0.5
    assert found.cautions[0].startswith("bent does not follow x along a line: a bend explains ")
    assert found.to_dict()["bend"] == found.bend
    straight = ds.effect(posterior, "x", "line", networks=50)
    assert straight.bend == 0
    assert straight.cautions == ()
