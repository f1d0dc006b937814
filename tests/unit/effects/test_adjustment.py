"""The adjusted interval: regression beside what it comes to by hand, and tables of both kinds."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.effects.adjustment import AdjustedDraws, adjusted_for, adjustment_sets
from dagscape.regression import regress

TIERS = ds.Knowledge(tiers=[["age", "ward"], ["drug", "dose"], ["lab", "event"]])


def hospital(rows: int = 800, seed: int = 3) -> dict[str, object]:
    """Draw both kinds: the drug lowers the event by 0.2, the dose lifts the lab by 2."""
    rng = np.random.default_rng(seed)
    age = rng.normal(60, 10, rows)
    ward = rng.integers(2, size=rows)
    drug = rng.random(rows) < 0.3 + 0.3 * ward
    dose = 0.1 * age + rng.normal(size=rows)
    event = rng.random(rows) < 0.4 + 0.2 * ward - 0.2 * drug
    lab = 2 * dose + 3 * drug + 0.2 * age + rng.normal(size=rows)
    return {
        "age": age,
        "ward": [f"w{w}" for w in ward],
        "drug": np.where(drug, "yes", "no").tolist(),
        "dose": dose,
        "lab": lab,
        "event": np.where(event, "yes", "no").tolist(),
    }


@pytest.fixture(scope="module")
def posterior() -> ds.Posterior:
    return ds.posterior(hospital(), knowledge=TIERS)


@pytest.mark.parametrize(
    ("cause", "outcome", "states", "truth"),
    [
        ("drug", "event", ("yes", "no"), -0.2),
        ("drug", "lab", ("yes", "no"), 3.0),
        ("dose", "lab", (1.0, 0.0), 2.0),
        ("dose", "event", (1.0, 0.0), 0.0),
    ],
)
@pytest.mark.parametrize("interval", ["posterior", "adjusted"])
def test_tables_of_both_kinds_are_answered(posterior, cause, outcome, states, truth, interval):
    found = ds.effect(posterior, cause, outcome, networks=300)
    change = found.difference(*states, interval=interval)
    mean, low, high = change["yes"] if isinstance(change, dict) else change
    assert low <= truth <= high
    assert low - 0.001 <= mean <= high + 0.001  # nearly all networks may say no effect
    assert high - low < 0.5
    columns = found.frame("dict")
    assert all(each is not None for column in columns.values() for each in column)
    assert found.outcome in str(found).splitlines()[0]


def test_with_all_combinations_it_is_the_mean_of_strata():
    """States alone, rows enough: the difference in each stratum, weighed by its rows."""
    rng = np.random.default_rng(1)
    a, b = rng.integers(2, size=(2, 2000))
    t = (rng.random(2000) < 0.3 + 0.4 * a).astype(int)
    y = 5 + t * (1 + a - 2 * b) + 2 * a * b + rng.normal(size=2000)
    table = ds.Data(
        {**{n: [f"s{v}" for v in c] for n, c in zip("abt", (a, b, t), strict=True)}, "y": y}
    )
    draws = AdjustedDraws(table, "t", "y", rng)
    dag = ds.Dag(table.names, [("a", "t"), ("b", "t")])
    found = draws.of([dag], 20_000)
    strata = 2 * a + b
    for state in range(2):
        means = [y[(strata == s) & (t == state)].mean() for s in range(4)]
        mean = np.bincount(strata) @ means / 2000
        assert found[:, state].mean() == pytest.approx(mean, abs=0.01)


def test_two_groups_have_the_error_of_two_means():
    rng = np.random.default_rng(2)
    t = np.repeat([0, 1], [60, 140])
    y = np.where(t == 1, 3 * rng.normal(size=200), rng.normal(size=200))
    table = ds.Data({"t": [f"s{v}" for v in t], "y": y})
    found = AdjustedDraws(table, "t", "y", rng).of([ds.Dag(["t", "y"])], 40_000)
    means = [y[t == state] for state in range(2)]
    for state, own in enumerate(means):
        assert found[:, state].mean() == pytest.approx(own.mean(), abs=0.01)
        assert found[:, state].std() == pytest.approx(own.std(ddof=1) / len(own) ** 0.5, rel=0.03)


def test_a_slope_is_that_of_least_squares():
    rng = np.random.default_rng(4)
    z = rng.normal(size=400)
    x = 1000 * (z + rng.normal(size=400))
    y = 0.003 * x + z + rng.normal(size=400)
    table = ds.Data({"x": x, "y": y, "z": z})
    dag = ds.Dag(["x", "y", "z"], [("z", "x")])
    found = AdjustedDraws(table, "x", "y", rng).of([dag], 20_000)
    columns = np.stack([x, np.ones(400), z, z**2], axis=1)
    slope = np.linalg.lstsq(columns, y, rcond=None)[0][0]
    assert found.mean() == pytest.approx(slope, rel=0.01)
    own = regress(table, "y", ["x", "z"]).of("x")[0]
    low, high = np.quantile(found, (0.025, 0.975))
    assert high - low == pytest.approx(own.upper - own.lower, rel=0.1)


def test_what_is_adjusted_for():
    table = ds.Data(
        {
            n: [f"s{i // k % 2}" for i in range(64)]
            for n, k in zip("abcty", (1, 2, 4, 8, 16), strict=True)
        }
    )
    arcs = [("a", "t"), ("b", "y"), ("t", "c"), ("c", "y")]
    assert adjusted_for(ds.Dag(table.names, arcs), "t", "y") == ("a", "b")
    above = ds.Dag(table.names, [("y", "a"), ("a", "t")])
    assert adjusted_for(above, "t", "y") is None
    networks = [ds.Dag(table.names, arcs)] * 2 + [above, ds.Dag(table.names, [])]
    assert adjustment_sets(networks, "t", "y") == ((("a", "b"), 0.5), ((), 0.25))


def test_what_was_adjusted_for_is_told():
    data = ds.load_network("asia").sample(500, seed=1)
    known = ds.Knowledge(
        required=[("smoke", "lung"), ("smoke", "bronc")], forbidden=[("lung", "bronc")]
    )
    e = ds.effect(ds.posterior(data, knowledge=known), "lung", "dysp", networks=200)
    shares = [share for _, share in e.adjusted_for]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1 + 1e-9
    assert all("smoke" in names for names, _ in e.adjusted_for)
    said = e.adjusting
    assert said.startswith("adjusted for ")
    assert said in str(e)
    assert e.to_dict()["adjusted_for"][0]["variables"] == list(e.adjusted_for[0][0])


def test_what_rows_do_not_tell_is_no_number():
    """Parents that determine the cause: nothing varies where they are the same."""
    rng = np.random.default_rng(5)
    a = rng.integers(2, size=100)
    table = ds.Data(
        {"a": [f"s{v}" for v in a], "t": [f"t{v}" for v in a], "y": rng.normal(size=100)}
    )
    known = ds.Knowledge(required=[("a", "t")], tiers=[["a"], ["t"], ["y"]])
    found = ds.effect(ds.posterior(table, knowledge=known), "t", "y", networks=20)
    assert found.frame()["adjusted_lower"].null_count() == 2
    assert "adjusted:" in str(found)
    assert "[?, ?]" in str(found)
    assert "NaN" not in json.dumps(found.to_dict())


def test_ratios_of_probabilities(posterior):
    found = ds.effect(posterior, "drug", "event", networks=300)
    ratio, low, high = found.ratio("yes", "no", interval="adjusted")["yes"]
    assert low < ratio < high < 1
    back = found.ratio("no", "yes", interval="adjusted")["yes"]
    assert back == pytest.approx((1 / ratio, 1 / high, 1 / low), rel=1e-6)
    with pytest.raises(ds.ParameterError, match='only probabilities have ratios, and "lab" holds'):
        ds.effect(posterior, "drug", "lab", networks=20).ratio("yes", "no")


def test_intervals_have_two_names(posterior):
    found = ds.effect(posterior, "drug", "event", networks=20)
    with pytest.raises(ds.ParameterError, match='interval must be "posterior" or "adjusted", got'):
        found.difference("yes", "no", interval="adjust")


@pytest.mark.slow
def test_probabilities_stay_between_0_and_1():
    """So few rows that a regression goes beyond, and leaves some numbers open."""
    for rows in range(2, 9):
        table = {"a": ["x", "y"] * rows, "b": ["u", "v", "v"] * rows, "z": [*map(float, range(24))]}
        table = {name: values[:rows] for name, values in table.items()}
        data = ds.Data(table, kinds={"z": "continuous"})
        found = ds.effect(ds.posterior(data), "a", "b", networks=200)
        ends = found.frame().drop("do(a)", "b").to_numpy()
        assert ((ends >= 0) & (ends <= 1))[~np.isnan(ends)].all(), rows
        for one in found.to_dict()["alternatives"]:
            assert all(0 <= p <= 1 for row in one["mean"] for p in row if p is not None), rows
        for interval in ("posterior", "adjusted"):
            ends = np.array([*found.difference("x", "y", interval=interval).values()])
            assert (abs(ends) <= 1)[np.isfinite(ends)].all(), rows
        assert "nan" not in str(found)
        slope = ds.effect(ds.posterior(data), "z", "b", networks=200)
        ends = np.array([*slope.difference(9.0, 0.0, interval="adjusted").values()], dtype=float)
        assert (abs(ends) <= 1)[np.isfinite(ends)].all(), rows


def test_probabilities_of_two_states_add_up():
    found = ds.effect(ds.posterior(hospital(60)), "drug", "event", networks=50)
    ends = found.frame().filter(pl.col("do(drug)") == "yes")
    assert ends["adjusted"].sum() == pytest.approx(1, abs=0.001)
