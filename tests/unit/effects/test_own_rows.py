"""Effects in tables of experiments: whose rows have a part in what, and the experiment's own."""

import numpy as np
import pytest

import dagscape as ds
from dagscape.effects.own_rows import own_rows, rows_about


def table(seed=0, rows=900):
    """Return rows of a chain a -> b -> c, with experiments on a, and on b and c together."""
    rng = np.random.default_rng(seed)
    what = np.array(["", "a", "b+c"], dtype=object)[np.arange(rows) % 3]
    a = np.where(what == "a", rng.integers(0, 2, rows), rng.random(rows) < 0.3).astype(int)
    b = np.where(what == "b+c", rng.integers(0, 2, rows), a ^ (rng.random(rows) < 0.2))
    c = np.where(what == "b+c", rng.integers(0, 2, rows), b ^ (rng.random(rows) < 0.1))
    own = {"a": a, "b": b, "c": c, "what": what}
    return own, ds.Data(own, interventions=ds.Interventions(column="what"))


def test_parameters_come_from_rows_in_which_the_child_was_free():
    own, data = table()
    found = ds.exact(data, score="bdeu", knowledge=ds.Knowledge(required=[("a", "b"), ("b", "c")]))
    assert set(found.dag.arcs) == {("a", "b"), ("b", "c")}
    effect = ds.effect(found, "a", "c", data=data)
    free = own["what"] != "b+c"
    by_hand = np.zeros((2, 2))
    for x in (0, 1):
        for y in (0, 1):
            at = free & (own["a"] == x)
            to_b = ((own["b"] == y) & at).sum() / at.sum()
            at = free & (own["b"] == y)
            for z in (0, 1):
                by_hand[x, z] += to_b * ((own["c"] == z) & at).sum() / at.sum()
    assert effect.mean == pytest.approx(by_hand, abs=0.01)
    assert effect.mean == pytest.approx(np.array([[0.74, 0.26], [0.26, 0.74]]), abs=0.06)


def test_the_adjusted_interval_is_that_of_rows_in_which_nothing_else_was_set():
    own, data = table(1)
    kept = rows_about(data, "a")
    assert kept.n_rows == (own["what"] != "b+c").sum()
    assert not kept.rows.facts
    assert rows_about(data, "c").n_rows == (own["what"] == "").sum()
    plain = ds.Data({x: own[x] for x in "abc"})
    assert rows_about(plain, "a") is plain
    only = {x: own[x][own["what"] == "b+c"] for x in (*"abc", "what")}
    bad = ds.Data(only, interventions=ds.Interventions(column="what"))
    with pytest.raises(ds.DataError, match='something other than "a" was set'):
        ds.effect(ds.posterior(bad), "a", "c")
    chain = ds.Knowledge(required=[("a", "b"), ("b", "c")])
    alone, both = (
        ds.effect(ds.posterior(each, knowledge=chain), "a", "c").frame() for each in (kept, data)
    )
    for name in ("adjusted", "adjusted_lower", "adjusted_upper"):
        assert both[name].to_list() == pytest.approx(alone[name].to_list(), abs=0.02)


def test_own_rows_are_counted_where_the_cause_was_set():
    own, data = table(2)
    effect = ds.effect(ds.posterior(data), "a", "c")
    assert [(each.experiment, each.state) for each in effect.own_rows] == [("a", "0"), ("a", "1")]
    for each in effect.own_rows:
        here = (own["what"] == "a") & (own["a"] == int(each.state))
        assert each.rows == here.sum()
        for state, (share, low, high) in enumerate(each.outcomes):
            assert share == pytest.approx((own["c"][here] == state).mean())
            assert 0 <= low < share < high <= 1
    assert effect.own_words[0] == "rows in which a was set:"
    assert effect.own_words[1].endswith(f"(a, {effect.own_rows[0].rows} rows)")
    assert "rows in which a was set:" in str(effect)
    assert effect.to_dict()["own_rows"][1]["state"] == "1"
    # An experiment that set the outcome too says nothing of it.
    assert own_rows(data, "b", "c", 0.95) == ()
    assert [each.experiment for each in own_rows(data, "b", "a", 0.95)] == ["b+c", "b+c"]


def test_wilson_intervals_are_those_of_the_formula():
    data = ds.Data(
        {
            "x": [1] * 10 + [0, 1] * 5,
            "y": [1] * 8 + [0] * 2 + [0, 1] * 5,
            "w": ["x"] * 10 + [""] * 10,
        },
        interventions=ds.Interventions(column="w"),
    )
    (found,) = own_rows(data, "x", "y", 0.95)
    share, low, high = found.outcomes[1]
    assert (share, low, high) == pytest.approx((0.8, 0.490162, 0.943318), abs=1e-5)


def test_tables_with_numbers_and_predictions_refuse_experiments():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 60))
    data = ds.Data(
        {"x": x, "y": y, "w": ["x", ""] * 30}, interventions=ds.Interventions(column="w")
    )
    with pytest.raises(ds.DataError, match=r"interventions .*cannot obey"):
        ds.effect(ds.posterior(data), "x", "y")
    _, states = table(3)
    with pytest.raises(ds.DataError, match=r"interventions .*cannot obey"):
        ds.posterior(states).predictive(states.untouched)


def test_a_shifted_cause_was_not_set():
    own, _ = table(4)
    how = ds.Interventions(
        column="what", how={"a": "shifted", "b": "set", "c": "randomized"}, values={"b": 1}
    )
    data = ds.Data(own, interventions=how)
    assert own_rows(data, "a", "c", 0.95) == ()
