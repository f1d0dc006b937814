"""States that are said to have an order are scored by their places in it."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from dagscape.chance import Shuffles
from dagscape.data.ordered_states import by_order, ordered_states


def rising(seed, rows=1000, slope=0.17):
    """Five ordered levels each, of which two rise together: Spearman's p is 1e-6 or less."""
    rng = np.random.default_rng(seed)
    a = rng.integers(1, 6, rows)
    b = np.clip(np.round(3 + slope * (a - 3) + 1.1 * rng.normal(size=rows)), 1, 5).astype(int)
    return {"a": a, "b": b, "c": rng.choice(["u", "v"], rows), "d": rng.integers(1, 6, rows)}


ORDERED = dict.fromkeys("abd", "ordered")


def test_what_rises_together_is_likely_though_states_alone_do_not_show_it():
    for seed in (1, 3):
        frame = rising(seed)
        ordered = ds.posterior(ds.Data(frame, kinds=ORDERED))
        states = ds.posterior(ds.Data(frame))
        assert ordered.probability("a", "b", "adjacencies") > 0.95, seed
        assert ordered.probability("a", "d", "adjacencies") < 0.5, seed
        assert states.probability("a", "b", "adjacencies") < 0.3, seed


def test_scores_and_tests_are_those_of_the_same_columns_as_numbers():
    frame = rising(1, rows=200)
    ordered = ds.Data(frame, kinds=ORDERED)
    numbers = ds.Data(frame, kinds=dict.fromkeys("abd", "continuous"))
    assert ds.default_score(ordered) == ds.default_score(numbers)
    for parents in ([], ["b"], ["b", "c"], ["b", "c", "d"]):
        scored = [ds.local_score(data, "a", parents) for data in (ordered, numbers)]
        assert scored[0] == pytest.approx(scored[1])
    assert Shuffles(ordered).alone("a", "b") == Shuffles(numbers).alone("a", "b")
    assert ds.fit(ds.Dag("abcd", [("a", "b")]), ordered).table("b").shape == (5, 5)


def test_words_have_the_order_that_is_given():
    frame = rising(2)
    words = np.array(["", "none", "little", "some", "much", "most"])
    frame["a"], levels = words[frame["a"]], words[1:].tolist()
    data = ds.Data(frame, states={"a": levels}, kinds=ORDERED)
    assert data.states["a"] == tuple(levels)
    assert ordered_states(data) == ("a", "b", "d")
    assert ds.posterior(data).probability("a", "b", "adjacencies") > 0.9
    assert ordered_states(ds.Data(frame, states={"a": levels})) == ()


def test_the_order_goes_where_rows_and_columns_go():
    data = ds.Data(rising(3), kinds=ORDERED)
    assert ordered_states(data.take(range(50))) == ("a", "b", "d")
    assert ordered_states(data.select(["c", "b"])) == ("b",)
    assert ordered_states(ds.Data(data, rows_independent=True)) == ("a", "b", "d")


def test_the_order_is_passed_over_where_a_score_of_states_must_do():
    frame = rising(4, rows=60)
    gaps = ds.Data(frame | {"a": [None, *frame["a"][1:]]}, kinds=ORDERED, missing="keep")
    states = ds.Data(frame | {"a": [None, *frame["a"][1:]]}, kinds=ORDERED, missing="state")
    clusters = ds.Data(frame | {"who": np.arange(60) // 3}, kinds=ORDERED, clusters="who")
    plain = ds.Data(frame)
    for data in (gaps, clusters, plain):
        assert by_order(data) is data
        assert str(ds.default_score(data).base) == "fitted_dirichlet"
    assert ordered_states(states) == ("b", "d")


def test_learning_says_so_and_foretells_no_rows():
    learned = ds.learn(ds.Data(rising(5, slope=0.06), kinds=ORDERED), runs=0, resamples=10)
    assert not learned.rows_foretold
    with pytest.raises(ds.ParameterError, match="rows to settle"):
        learned.rows_to_settle("a", "b")
    assert "ordered states count by ranks" in learned.score_reason
    (note,) = [each for each in learned.notes if each.kind == "ordered" and each.column == "a"]
    assert note.examples == ("1", "2", "3", "4", "5")
    assert note.level == "fact"
