"""Cuts that look at another column: against the definition, and as a setting."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagscape as ds
from dagscape.data.mdl import mdl_points
from seeds import for_each


def entropy(classes):
    _, counts = np.unique(classes, return_counts=True)
    return float(-sum(n / len(classes) * math.log2(n / len(classes)) for n in counts))


def by_the_book(values, classes):
    """Cut as the paper says, one point after another."""
    order = np.argsort(values, kind="stable")
    values, classes = values[order], classes[order]
    n, best = len(values), None
    for i in range(1, n):
        if values[i] == values[i - 1]:
            continue
        rest = (i * entropy(classes[:i]) + (n - i) * entropy(classes[i:])) / n
        if best is None or rest < best[0] - 1e-12:
            best = rest, i
    if best is None:
        return []
    rest, i = best
    left, right = classes[:i], classes[i:]
    k, k1, k2 = (len(set(part.tolist())) for part in (classes, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(classes) - k1 * entropy(left) - k2 * entropy(right))
    if entropy(classes) - rest <= (math.log2(n - 1) + delta) / n:
        return []
    below, above = by_the_book(values[:i], left), by_the_book(values[i:], right)
    return [*below, (values[i - 1] + values[i]) / 2, *above]


@for_each("seed", range(25))
def test_the_points_are_those_of_the_paper(seed):
    rng = np.random.default_rng(seed)
    rows, kinds = int(rng.integers(5, 120)), int(rng.integers(2, 5))
    classes = rng.integers(0, kinds, rows)
    values = np.round(classes * rng.choice([0.0, 1.0, 3.0]) + rng.normal(size=rows), 1)
    assert mdl_points(values, classes).tolist() == pytest.approx(by_the_book(values, classes))


def test_a_column_is_cut_by_another_and_that_is_said():
    rng = np.random.default_rng(1)
    bmi = np.round(rng.uniform(18, 40, 400), 2)
    ill = np.where((bmi > 25) ^ (rng.random(400) < 0.05), "yes", "no")
    data = ds.Data({"bmi": bmi, "noise": rng.random(400), "ill": ill}, discretize=("mdl", "ill"))
    low, high = data.states["bmi"]
    assert float(low.removeprefix("<=")) == pytest.approx(25, abs=0.3)
    assert high == low.replace("<=", ">")
    assert data.states["noise"] == ("any",)
    said = [note for note in data.notes if note.kind == "cut"]
    assert [note.how for note in said] == ['mdl for "ill"'] * 2
    words = " ".join(ds.learn(data, runs=0, resamples=0).data.warnings)
    assert 'column "noise" has only one state, "any"' in words


def test_gaps_in_either_column_are_left_aside():
    bmi = [20.0, 21.0, 22.0, None, 30.0, 31.0, 32.0, 33.0] * 10
    ill = ["no", "no", None, "no", "yes", "yes", "yes", "yes"] * 10
    data = ds.Data({"bmi": bmi, "ill": ill}, discretize={"bmi": ("mdl", "ill")}, missing="state")
    assert data.states["bmi"] == ("<=25.5", ">25.5", "missing")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            {"bmi": ("mdl", "il")},
            'discretize names "il", which is not a column; did you mean "ill"?',
        ),
        ({"bmi": ("mdl", "bmi")}, 'discretize cuts "bmi" by itself; name another column'),
        ({"bmi": ("mdl", 3)}, '"mdl" in discretize goes with the name of a column of states'),
        ({"bmi": ("mdl", "age")}, 'discretize cuts by column "age", which holds numbers'),
    ],
)
def test_mistakes(rule, said):
    frame = {"bmi": [20.5, 21.5, 30.5] * 5, "age": [1.5, 2.5, 3.5] * 5, "ill": ["a", "b", "b"] * 5}
    with pytest.raises((ds.ParameterError, ds.DataError)) as error:
        ds.Data(frame, discretize=rule)
    assert said in str(error.value)
