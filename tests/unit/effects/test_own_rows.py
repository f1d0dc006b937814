"""Effects in tables of experiments: whose rows have a part in what, and the experiment's own."""

import pickle

import numpy as np
import pytest

import dagscape as ds
from dagscape.effects.make_effect import rows_about
from dagscape.networks.own_rows import own_rows


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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert own_rows(data, "b", "a")[0].words(("0", "1")).endswith(" rows; c set too)")
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


def numbers(seed=0, rows=300):
    """Return rows of u -> x -> y -> z and u -> z, with experiments on x, and on y by one value."""
    rng = np.random.default_rng(seed)
    what = np.array(["", "x", "y"], dtype=object)[np.arange(rows) % 3]
    u = rng.normal(size=rows)
    x = np.where(what == "x", 2 * rng.normal(size=rows), 0.8 * u + 0.6 * rng.normal(size=rows))
    y = np.where(what == "y", 1.5, 0.5 * x + 0.7 * rng.normal(size=rows))
    z = 2 * y - u + 0.7 * rng.normal(size=rows)
    own = {"u": u, "x": x, "y": y, "z": z, "what": what}
    return own, ds.Data(own, interventions=ds.Interventions(column="what"))


ARCS = [("u", "x"), ("x", "y"), ("y", "z"), ("u", "z")]


def test_slopes_come_from_rows_in_which_the_child_was_free():
    own, data = numbers()
    found = ds.exact(data, score=ds.BGe(), knowledge=ds.Knowledge(required=ARCS))
    assert {*found.dag.arcs} == {*ARCS}
    effect = ds.effect(found, "x", "z", data=data)
    assert effect.lines
    free = own["what"] != "y"
    ones = np.ones(len(free))
    to_y = np.linalg.lstsq(np.column_stack([own["x"], ones])[free], own["y"][free], rcond=None)[0]
    above = np.column_stack([own["y"], own["u"], ones])
    to_z = np.linalg.lstsq(above, own["z"], rcond=None)[0]
    assert effect.mean == pytest.approx(to_y[0] * to_z[0], abs=0.02)
    assert effect.lower < 1 < effect.upper
    # The other interval is that of a table of rows in which nothing else was set.
    columns = {name: column[free] for name, column in own.items() if name != "what"}
    alone = ds.effect(found, "x", "z", data=ds.Data(columns))
    for name in ("adjusted", "adjusted_lower", "adjusted_upper"):
        assert effect.frame()[name][0] == pytest.approx(alone.frame()[name][0], abs=0.01)


def test_own_rows_of_numbers():
    own, data = numbers(1)
    (slope,) = own_rows(data, "x", "z")
    here = own["what"] == "x"
    (low_end,) = slope.outcomes
    assert low_end[0] == pytest.approx(np.polyfit(own["x"][here], own["z"][here], 1)[0])
    assert low_end[1] < 1 < low_end[2]
    assert slope.words(()).startswith("for each unit  ")
    assert slope.to_dict()["slopes"] == [low_end[0]]
    (mean,) = own_rows(data, "y", "z")  # set to one value
    here = own["what"] == "y"
    assert mean.state == "1.5"
    assert mean.outcomes[0][0] == pytest.approx(own["z"][here].mean())
    half = 1.98422 * own["z"][here].std(ddof=1) / 10  # Student's, 99 degrees of freedom
    assert mean.outcomes[0][2] - mean.outcomes[0][0] == pytest.approx(half, rel=1e-4)
    states = {**own, "z": np.where(own["z"] > 0, "up", "down")}
    mixed = ds.Data(states, interventions=ds.Interventions(column="what"))
    ((down, _, _), (up, _, _)) = own_rows(mixed, "x", "z")[0].outcomes
    assert up == pytest.approx(-down)
    effect = ds.effect(ds.posterior(mixed), "x", "z", networks=100)
    assert "rows in which x was set:\n  for each unit  down -" in str(effect)
    few = ds.Data({**own, "what": ["x"] * 2 + [""] * 298}, interventions=ds.Interventions("what"))
    assert own_rows(few, "x", "z")[0].to_dict()["slopes"] == [None]


def test_a_parent_that_was_held_where_the_child_was_free_is_left_to_the_prior():
    """No row shows what x does to y, so the slope may be anything, and is not called 0."""
    rng = np.random.default_rng(0)
    what = np.array(["x", "y"])[np.arange(200) % 2]
    x = np.where(what == "x", 1.0, rng.normal(size=200))
    own = {"x": x, "y": rng.normal(size=200), "what": what}
    data = ds.Data(own, interventions=ds.Interventions(column="what"))
    known = ds.Knowledge(required=[("x", "y")])
    found = ds.exact(data, score=ds.BGe(standardized=True), knowledge=known)
    effect = ds.effect(found, "x", "y", data=data)
    assert effect.upper - effect.lower > 0.2
    assert effect.frame()["adjusted"][0] is None


def test_a_network_shows_beside_what_an_experiment_saw():
    own, data = table(5)
    net = ds.fit(ds.Dag("abc", [("a", "b"), ("b", "c")]), data)
    answer = net.do({"a": "1"}).query("c")
    (seen,) = answer.own_rows
    here = (own["what"] == "a") & (own["a"] == 1)
    assert seen.rows == here.sum()
    assert seen.outcomes[1][0] == pytest.approx(own["c"][here].mean())
    assert "rows in which a was set, with 95 % intervals:\n  1  0 " in str(answer)
    assert answer.to_dict()["own_rows"] == [seen.to_dict()]
    both = net.do({"a": "1"}).do({"b": "0"})
    (together,) = net.do({"b": "1"}).do({"c": "0"}).query("a").own_rows
    here = (own["what"] == "b+c") & (own["b"] == 1) & (own["c"] == 0)
    assert (together.rows, together.state) == (here.sum(), "1, 0")
    assert together.outcomes[1][0] == pytest.approx(own["a"][here].mean())
    plain = ds.Network(net.dag, net.states, {x: net.node(x) for x in net.names})
    for other in (
        net.query("c"),
        net.do({"a": "1"}).query("c", {"b": "0"}),
        net.do({"b": "1"}).query("c"),  # set together with the outcome
        net.do({"b": "1"}).query("a"),  # and not alone
        both.query("c"),
        plain.do({"a": "1"}).query("c"),
        pickle.loads(pickle.dumps(net)).do({"a": "1"}).query("c"),
    ):
        assert other.own_rows == ()
        assert "own_rows" not in other.to_dict()
    _, data = numbers(2)
    net = ds.fit(ds.Dag(data.names, ARCS), data)
    answer = net.do({"y": 1.5}).query("z")
    assert "rows in which y was set, with 95 % intervals:\n  1.5  " in str(answer)
    assert answer.own_rows[0].outcomes[0][0] == pytest.approx(answer.mean, abs=0.3)
    assert net.do({"y": 2.0}).query("z").own_rows == ()


def test_predictions_refuse_experiments():
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
    subjects = {**own, "who": np.arange(900) // 3}
    done = ds.Interventions(column="what")
    data = ds.Data(subjects, interventions=done, clusters="who")
    assert own_rows(data, "a", "c") == ()  # intervals would take rows for independent
