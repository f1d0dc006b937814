"""Edges set against all the pairs there are: nothing is made of noise, little is lost else."""

import math
from itertools import combinations

import numpy as np
import pytest

import dagscape as ds
from dagscape.chance import Chances, Shuffles, chances_of, pairs
from dagscape.chance.pairs import false_discoveries, log_ps
from seeds import for_each


def table(columns: dict[str, np.ndarray]) -> ds.Data:
    return ds.Data({name: [f"s{v}" for v in values] for name, values in columns.items()})


def shares_by_the_book(logs: dict, pairs: int) -> dict:
    """For each edge the least false discovery rate of any of the sets of strongest that have it."""
    ordered = sorted(logs, key=logs.get)
    rates = [pairs * math.exp(logs[pair]) / rank for rank, pair in enumerate(ordered, start=1)]
    if min(rates) > 0.05:
        return dict.fromkeys(logs, 1.0)
    return {pair: min(1.0, *rates[at:], 1.0) for at, pair in enumerate(ordered)}


@for_each("seed", range(20))
def test_shares_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    logs = {("x", f"v{i}"): -float(rng.exponential(6)) for i in range(1 + seed)}
    assert false_discoveries(logs, 45) == pytest.approx(shares_by_the_book(logs, 45))


def test_no_probability_is_ever_too_small():
    assert false_discoveries({("a", "b"): -1e5}, 3)["a", "b"] == 0
    assert false_discoveries({("a", "b"): 0.0}, 3)["a", "b"] == 1
    assert false_discoveries({}, 3) == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["coins", "rare", "many"])
def test_noise_shows_nothing(kind):
    """Not even where every pair is put forward: in 1 of 20 tables at most, and these in 60."""
    hit = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        columns = {
            "coins": rng.integers(2, size=(8, 80)),
            "rare": (rng.random((8, 200)) < 0.02).astype(int),
            "many": rng.integers(20, size=(8, 80)),
        }[kind]
        data = table({f"c{i}": column for i, column in enumerate(columns)})
        dag = ds.Dag(data.names, [("c0", "c2"), ("c1", "c2"), ("c3", "c4")])
        found = chances_of(data, dag, combinations(data.names, 2)).values()
        hit += min(each.alone for each in found) <= 0.05
    assert hit <= 6


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [False, True])
def test_of_many_rows_some_are_shuffled_first(monkeypatch, numbers):
    """What stands out in some rows is not asked of all; what needs all of them, is."""
    whole, tried = pairs._logs, []

    def recorded(data, dag, edges):
        tried.append((data.n_rows, [*edges]))
        return whole(data, dag, tried[-1][1])

    monkeypatch.setattr(pairs, "MOST_ROWS", 60)
    monkeypatch.setattr(pairs, "_logs", recorded)
    hit = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        strong, faint, *noise = rng.integers(2, size=(6, 600))
        ties = {"same": strong ^ (rng.random(600) < 0.05), "near": faint ^ (rng.random(600) < 0.36)}
        columns = {"strong": strong, "faint": faint, **ties}
        columns |= {f"c{i}": column for i, column in enumerate(noise)}
        data = table(columns)
        if numbers:
            data = ds.Data({x: each + 0.1 * rng.normal(size=600) for x, each in columns.items()})
        asked = [("same", "strong"), ("faint", "near"), *combinations(["c0", "c1", "c2", "c3"], 2)]
        dag = ds.Dag(data.names, [("strong", "same"), ("faint", "near")])
        tried.clear()
        found = chances_of(data, dag, asked)
        (some, first), (all_rows, again) = tried
        assert (some, first, all_rows) == (60, asked, 600)
        assert ("same", "strong") not in again
        assert max(found[pair].alone for pair in asked[:2]) <= pairs.STRUCTURED
        hit += min(found[pair].alone for pair in asked[2:]) <= 0.05
    assert hit <= 6


def test_two_rare_events_that_never_meet_are_not_related():
    """Whatever a prior says that expects balanced columns."""
    columns = {name: np.zeros(200, dtype=int) for name in "ab"}
    columns["a"][:2] = columns["b"][-2:] = 1
    data = table(columns)
    joined = ds.local_score(data, "a", ["b"], score=ds.BDeu(32))
    assert joined - ds.local_score(data, "a", [], score=ds.BDeu(32)) > math.log(10_000)
    assert chances_of(data, ds.Dag(data.names), [("a", "b")])["a", "b"] == Chances(1.0, 1.0)


def test_a_large_set_of_parents_makes_up_any_column():
    """One parent gains much, given the other, and both together nothing beyond chance."""
    rng = np.random.default_rng(1)
    x, z = rng.integers(3, size=120), rng.integers(40, size=120)
    y = rng.integers(2, size=120)
    data = table({"x": x, "z": z, "y": y})
    dag = ds.Dag(data.names, [("x", "y"), ("z", "y")])
    shuffles = Shuffles(data)
    whole = shuffles.given("y", ["x", "z"], [])
    alone, given = log_ps(shuffles, dag, "x", "y")
    assert given >= whole
    assert alone >= min(whole, shuffles.alone("x", "y"))


def test_the_choice_of_a_set_is_paid_for():
    """Parity of two among ten: neither parent tells anything by itself."""
    rng = np.random.default_rng(0)
    columns = {f"c{i}": rng.integers(2, size=200) for i in range(10)}
    columns["c0"] = columns["c1"] ^ columns["c2"]
    data = table(columns)
    dag = ds.Dag(data.names, [("c1", "c0"), ("c2", "c0")])
    shuffles = Shuffles(data)
    given = max(shuffles.given("c0", ["c1"], ["c2"]), shuffles.given("c0", ["c1", "c2"], []))
    priced = given + math.log(4 * 1 * 2 * 8)
    assert log_ps(shuffles, dag, "c1", "c0") == pytest.approx((priced, given))
    assert chances_of(data, dag, [("c0", "c1")])["c0", "c1"].alone < 1e-20


def test_what_others_pass_on_is_no_reason_for_an_edge():
    """A chain: its ends are related, though not given the middle."""
    rng = np.random.default_rng(0)
    a = rng.integers(3, size=500)
    b = np.where(rng.random(500) < 0.8, a, rng.integers(3, size=500))
    c = np.where(rng.random(500) < 0.8, b, rng.integers(3, size=500))
    data = table({"a": a, "b": b, "c": c})
    dag = ds.Dag(data.names, [("a", "b"), ("b", "c"), ("a", "c")])
    found = chances_of(data, dag, [("a", "c"), ("b", "c")])
    assert found["a", "c"].alone < 1e-9
    assert found["a", "c"].given > 0.05
    assert found["b", "c"].given < 1e-9


@pytest.mark.parametrize("kind", ["squares", "waves", "states"])
def test_what_a_number_passes_on_along_a_curve_is_no_reason_for_an_edge(kind):
    """The network, by a score of lines, joins the two and leaves the third alone."""
    rng = np.random.default_rng(0)
    z, noise = rng.normal(size=800), 0.5 * rng.normal(size=(2, 800))
    columns = {"z": z, "other": rng.normal(size=800)}
    if kind == "squares":
        columns |= {"x": z**2 + noise[0], "y": z**2 + noise[1]}
    elif kind == "waves":
        columns |= {"x": np.sin(3 * z) + noise[0], "y": np.sin(3 * z) + np.cos(2 * z) + noise[1]}
    else:
        columns |= {x: [f"s{v}" for v in z**2 + n > 0.7] for x, n in zip("xy", noise, strict=True)}
    data = ds.Data(columns)
    (found,) = chances_of(data, ds.Dag(data.names, [("x", "y")]), [("x", "y")]).values()
    assert found.alone < 1e-6
    assert found.given > 0.3


@pytest.mark.parametrize("arcs", [[("x", "y")], [("z", "x"), ("z", "y"), ("x", "y")]])
def test_what_a_number_passes_on_within_its_intervals_is_no_reason_for_an_edge(arcs):
    rng = np.random.default_rng(0)
    z = rng.normal(size=3000)
    follows = {x: [f"s{v}" for v in 2 * z + rng.normal(size=3000) > 0] for x in "xy"}
    data = ds.Data({"z": z, **follows}, discretize={"z": ("quantile", 3)})
    assert not data.numbers
    dag = ds.Dag(data.names, arcs)
    assert chances_of(data, dag, [("x", "y")])["x", "y"].given > 0.1
    bare = ds.Data.from_codes(data.codes, data.states)  # which does not tell what it was
    assert chances_of(bare, dag, [("x", "y")])["x", "y"].given < 0.05
    some = data.select(["y", "x", "z"]).take(np.arange(2000))
    assert some.rows.before.numbers["z"].tolist() == z[:2000].tolist()
    assert chances_of(some, dag, [("x", "y")])["x", "y"].given > 0.1


@pytest.mark.parametrize("fill", ["mode", "random"])
def test_cells_that_were_filled_are_no_reason_for_an_edge(fill):
    rng = np.random.default_rng(0)
    gone = rng.random(400) < 0.3
    columns = {
        x: [None if g else f"s{v}" for v, g in zip(rng.integers(3, size=400), gone, strict=True)]
        for x in "xy"
    }
    whole = {"z": [f"s{v}" for v in rng.integers(2, size=400)]}
    with pytest.warns(ds.DataWarning, match="filled"):
        data = ds.Data({**columns, **whole}, missing=fill)
    assert not data.missing
    (found,) = chances_of(data, ds.Dag(data.names, [("x", "y")]), [("x", "y")]).values()
    with pytest.warns(ds.DataWarning, match="dropped"):
        left = ds.Data({**columns, **whole}, missing="drop")
    alone = Shuffles(left).alone("x", "y")
    assert Shuffles(data).alone("x", "y") == pytest.approx(alone)
    assert found.alone > 0.05


@pytest.mark.parametrize("other", ["states", "numbers"])
def test_what_two_columns_pass_on_together_is_no_reason_for_an_edge(other):
    rng = np.random.default_rng(0)
    z, noise = rng.normal(size=1000), rng.normal(size=(2, 1000))
    sign = np.where(rng.random(1000) < 0.5, 1, -1) if other == "states" else rng.normal(size=1000)
    by = [f"s{v}" for v in sign] if other == "states" else sign
    columns = {x: 2 * sign * z + each for x, each in zip("xy", noise, strict=True)}
    data = ds.Data({"z": z, "by": by, **columns, "u": rng.normal(size=1000)})
    assert {*Shuffles(data).curved("x", "y", [])} == {"z", "by"}
    (found,) = chances_of(data, ds.Dag(data.names, [("x", "y")]), [("x", "y")]).values()
    assert found.alone < 1e-6
    assert found.given > 0.3


@pytest.mark.slow
def test_a_bent_middle_among_the_parents_is_taken_away_finely():
    """A wave: powers of the middle leave some of it, in which the ends are related."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=1500)
    y = np.exp(x) + 0.3 * rng.normal(size=1500)
    y = (y - y.mean()) / y.std()
    data = ds.Data({"x": x, "y": y, "z": np.sin(3 * y) + 0.5 * rng.normal(size=1500)})
    shuffles = Shuffles(data)
    assert shuffles.given("z", ["x"], ["y"]) < np.log(1e-3)  # by powers alone
    arcs = [("x", "y"), ("x", "z"), ("y", "z")]
    found = chances_of(data, ds.Dag(data.names, arcs), arcs)
    assert found["x", "z"].given > 0.05
    assert max(found["x", "y"].given, found["y", "z"].given) < 1e-6


def test_a_line_that_may_be_bent_is_not_trusted():
    """A step with few rows: a line misses little of it, and enough to join the ends."""
    rng = np.random.default_rng(101)
    x = rng.normal(size=300)
    y = x**3 + 0.3 * rng.normal(size=300)
    y = (y - y.mean()) / y.std()
    data = ds.Data({"x": x, "y": y, "z": 2.0 * (y > 0.5) + 0.5 * rng.normal(size=300)})
    (found,) = chances_of(data, ds.Dag(data.names, [("x", "z")]), [("x", "z")]).values()
    assert found.alone < 1e-6
    assert found.given > 0.3


def test_an_edge_beside_a_curve_stands_out():
    rng = np.random.default_rng(0)
    z, x, y = rng.normal(size=(3, 800))
    x, y = x + z**2, y + z**2
    data = ds.Data({"x": x, "y": y + x / 2, "z": z})
    assert Shuffles(data).curved("x", "y", []) == ["z"]
    assert Shuffles(data).curved("x", "y", ["z"]) == ["z"]  # the other parent, too
    (found,) = chances_of(data, ds.Dag(data.names, [("x", "y")]), [("x", "y")]).values()
    assert found.given < 1e-6


def test_lines_are_no_curves():
    rng = np.random.default_rng(0)
    z = rng.normal(size=800)
    data = ds.Data({"x": z + rng.normal(size=800), "y": z + rng.normal(size=800), "z": z})
    assert Shuffles(data).curved("x", "y", []) == []


def test_required_arcs_are_not_doubted():
    flips = np.random.default_rng(1).integers(2, size=(60, 4))
    data = table({f"c{i}": flips[:, i] for i in range(4)})
    known = ds.Knowledge(required=[("c0", "c1")])
    learned = ds.learn(data, knowledge=known, runs=0, resamples=3)
    edge = next(edge for edge in learned.edges if {edge.a, edge.b} == {"c0", "c1"})
    assert edge.chance is None
    assert edge.verdict == "near certain"
