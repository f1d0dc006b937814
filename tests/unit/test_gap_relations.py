"""What gaps go with, as learning tells it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagscape as ds
from dagscape.learning.gap_relations import LEVEL, with_gaps_told
from dagscape.notes import in_no_words, sentences


def _table(rng: np.random.Generator, depends: bool, rows: int = 400) -> ds.Data:
    smokes = rng.random(rows) < 0.4
    age = rng.normal(50, 10, rows)
    by_state = np.where(smokes, 0.4, 0.1) if depends else 0.2
    by_number = np.where(age > 55, 0.4, 0.05) if depends else 0.15
    x = np.where(rng.random(rows) < by_state, np.nan, rng.normal(size=rows))
    words, gone = rng.choice(["u", "v", "w"], rows), rng.random(rows) < by_number
    y = [None if no else str(word) for no, word in zip(gone, words, strict=True)]
    frame = {"smokes": np.where(smokes, "yes", "no"), "age": age, "x": x, "y": y}
    return ds.Data(frame, missing="keep", rows_independent=True)


def _told(data: ds.Data) -> list[ds.data.Note]:
    return [note for note in with_gaps_told(data).notes if note.kind == "gaps_go_with"]


def test_what_gaps_go_with_is_told_with_its_figures() -> None:
    data = _table(np.random.default_rng(1), depends=True)
    of_x, of_y = _told(data)
    assert (of_x.column, of_x.how, of_y.column, of_y.how) == ("x", "smokes", "y", "age")
    p, state, there, elsewhere = of_x.examples
    missing, yes = np.isnan(data.numbers["x"]), data.column("smokes") == 1
    assert state == "yes"
    assert there == f"{100 * missing[yes].mean():.2g} %"
    assert elsewhere == f"{100 * missing[~yes].mean():.2g} %"
    assert of_x.counts["tests"] == 6  # each of two with three others
    assert p == f"{_fisher(missing, yes):.1g}"
    gone = data.column("y") == 3
    medians = [f"{np.median(data.numbers['age'][rows]):.4g}" for rows in (gone, ~gone)]
    assert of_y.examples[1:] == ("", *medians)
    words = [said.words for said in sentences([of_x, of_y], in_no_words)]
    assert len(words) == 1
    assert 'of "x" with "smokes" (missing in' in words[0]
    assert 'of "y" with "age" (median' in words[0]


def _fisher(one: np.ndarray, other: np.ndarray) -> float:
    """Return Fisher's two-sided p, from its definition."""
    n, a, b = len(one), int(one.sum()), int(other.sum())
    chances = [
        math.comb(b, k) * math.comb(n - b, a - k) / math.comb(n, a)
        for k in range(max(0, a + b - n), min(a, b) + 1)
    ]
    seen = chances[int((one & other).sum()) - max(0, a + b - n)]
    return sum(chance for chance in chances if chance <= seen * (1 + 1e-9))


@pytest.mark.slow
def test_gaps_at_random_go_with_nothing() -> None:
    tables = 60
    hit = sum(
        bool(_told(_table(np.random.default_rng(seed), depends=False, rows=120)))
        for seed in range(tables)
    )
    assert hit <= 3  # at the level of all tests, 1 in 100; more than 3 of 60 are 3 in a thousand
    assert LEVEL == 0.01


def test_it_is_told_once_and_only_of_gaps() -> None:
    data = with_gaps_told(_table(np.random.default_rng(1), depends=True))
    assert with_gaps_told(data) is data
    whole = ds.Data({"a": ["x", "y"] * 20, "b": ["u", "u", "v", "v"] * 10})
    assert with_gaps_told(whole) is whole


@pytest.mark.slow
def test_learning_keeps_them_apart_and_joins_the_gap_to_its_cause() -> None:
    data = ds.Data(_table(np.random.default_rng(1), depends=True), missing="indicator")
    r = ds.learn(data, runs=0, resamples=0, seed=0)
    joined = {frozenset(arc) for arc in r.dag.arcs}
    assert frozenset({"smokes", "x missing"}) in joined
    assert frozenset({"x", "x missing"}) not in joined
    assert "join no variable to where it is missing" in str(r.scope)
    assert {"indicator", "gaps_go_with"} <= {note.kind for note in r.notes}
    assert any("no method mends it" in said.words for said in sentences(r.notes, in_no_words))
