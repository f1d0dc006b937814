"""What calls return shows itself in a line that says what it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def data() -> ds.Data:
    return ds.load_network("asia").sample(200, seed=0)


SHOWN: dict[str, tuple[Callable[[ds.Data], object], str]] = {
    "problem": (
        lambda data: ds.Problem(data, score="bic"),
        "<Problem: 200 rows, 8 variables; bic>",
    ),
    "problem with limits": (
        lambda data: ds.Problem(data, score="bic", max_parents=2),
        "<Problem: 200 rows, 8 variables; bic, networks with at most 2 parents>",
    ),
    "problem with knowledge": (
        lambda data: ds.Problem(data, score="bic", knowledge=ds.Knowledge(tiers=[["asia"]])),
        "<Problem: 200 rows, 8 variables; bic, under knowledge>",
    ),
    "check": (ds.check, "<Check: 200 rows, 8 columns; nothing to mend>"),
    "check of a bad table": (
        lambda _: ds.check({"a": ["x", None, "y"], "b": ["x", "y", "y"]}),
        "<Check: 3 rows, 2 columns; 2 notes>",
    ),
    "cost": (
        lambda data: ds.estimate(data, "exact"),
        "<Cost of exact: a time that is not known, ",
    ),
    "parent sets": (
        lambda data: ds.candidate_parents(data, score="bic", max_parents=0)["asia"],
        "<1 parent set of 'asia': ",
    ),
    "one of each": (
        lambda data: data.select(["asia"]).head(1),
        "Data: 1 row, 1 variable of ",
    ),
}


@pytest.mark.parametrize("thing", SHOWN)
def test_what_a_call_returns_shows_what_it_is(data, thing):
    make, begins = SHOWN[thing]
    assert repr(make(data)).startswith(begins)


@pytest.mark.slow
def test_parts_of_what_was_learned_show_what_they_are(data):
    learned = ds.learn(data, runs=0, resamples=2)
    for part in (learned, learned.fit, learned.sensitivity, learned.posterior, learned.near):
        assert repr(part).startswith(f"<{type(part).__name__.removeprefix('Learn')}")
        assert "\n" not in repr(part)
    assert repr(learned.steps[0].reason).startswith("<Reason ")
