"""What a network does not reproduce is named with what mends it; what chance makes is not."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest

import dagscape as ds
from dagscape.misfits import Fit, fit_of, network_fit
from dagscape.misfits.network_fit import MOST_PAIRS, MOST_TRIPLES, sets


def fit_to(frame, arcs, *, tables=39, **asked):
    data = ds.Data(frame)
    found = fit_of(ds.Problem(data, **asked), ds.Dag(data.names, arcs), tables)
    assert found is not None
    return found


def coins(rng, rows, columns=3):
    return {f"c{k}": rng.integers(0, 2, rows) for k in range(columns)}


def follows(rng, column, share=0.2):
    return column ^ (rng.random(len(column)) < share)


@pytest.mark.slow
def test_what_the_network_made_itself_has_no_misfits():
    named = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        a = rng.integers(0, 2, 150)
        b = follows(rng, a)
        rare = (rng.random(150) < 0.03).astype(int)
        found = fit_to({"a": a, "b": b, "rare": rare}, [("a", "b")])
        named += bool(found.misfits)
    # At a level of 0.05 six or more of 40 are named in a share of 0.01 of such runs.
    assert named < 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["states", "numbers", "mixed"])
def test_a_missing_arc_mends_what_lacks_it(kind):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        frame = coins(rng, 400)
        if kind == "states":
            frame["d"] = follows(rng, frame["c0"])
        else:
            start = frame["c0"] if kind == "mixed" else rng.normal(size=400)
            frame["x"] = start + 0.5 * rng.normal(size=400)
            frame["c0"] = start
        child = "d" if kind == "states" else "x"
        found = fit_to(frame, [])
        assert found.misfits[0].columns == ("c0", child), seed
        (mend,) = found.mends
        assert mend.kind == "arcs", seed
        assert {frozenset(arc) for arc in mend.arcs} == {frozenset(("c0", child))}, seed
        assert mend.misfits == len(found.misfits), seed
        assert mend.gain > 0, seed
        whole = fit_to(frame, [("c0", child)])
        assert not whole.mends, seed


def test_shares_are_those_of_the_table_and_of_the_network():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 1000)
    b = follows(rng, a)
    found = fit_to({"a": a, "b": b}, [])
    (worst,) = found.misfits
    inside = np.ones(1000, dtype=bool)
    expected = 1.0
    for words in worst.cell:
        name, state = words.split(" = ")
        column = {"a": a, "b": b}[name] == int(state)
        inside &= column
        expected *= column.mean()
    assert worst.table == pytest.approx(inside.mean())
    assert worst.network == pytest.approx(expected, abs=0.01)
    assert worst.p_adjusted == worst.p == 1 / 40
    assert f"{100 * worst.table:.1f} %" in str(worst)


def test_what_three_columns_make_together_is_told_of_the_three():
    rng = np.random.default_rng(1)
    frame = coins(rng, 500, 2)
    frame["both"] = follows(rng, frame["c0"] ^ frame["c1"], 0.1)
    found = fit_to(frame, [])
    assert [each.columns for each in found.misfits] == [("both", "c0", "c1")]
    (mend,) = found.mends
    assert mend.kind == "arcs"
    assert len(mend.arcs) == 2


def test_a_relation_that_differs_by_a_third_column_is_split_by_it():
    rng = np.random.default_rng(2)
    frame = coins(rng, 500, 2)
    frame["both"] = follows(rng, frame["c0"] ^ frame["c1"], 0.1)
    (mend,) = fit_to(frame, [("c0", "both")]).mends
    assert mend.kind == "split"
    assert mend.columns == ("c1", "both", "c0")
    assert mend.arcs == (("c1", "both"),)


def test_where_knowledge_keeps_columns_apart_a_cause_outside_may_be_missing():
    rng = np.random.default_rng(3)
    hidden = rng.integers(0, 2, 600)
    names = ("a", "b", "c")
    frame = {name: follows(rng, hidden) for name in names} | {"d": rng.integers(0, 2, 600)}
    forbidden = [(x, y) for x in names for y in names if x != y]
    found = fit_to(frame, [], knowledge=ds.Knowledge(forbidden=forbidden))
    (mend,) = found.mends
    assert mend.kind == "hidden cause"
    assert mend.columns == names
    assert mend.misfits == 3
    assert "outside the table" in str(mend)


def test_a_limit_of_parents_is_obeyed():
    rng = np.random.default_rng(4)
    frame = coins(rng, 400)
    frame["d"] = follows(rng, frame["c0"])
    assert not fit_to(frame, [], max_parents=0).mends


def test_of_skewed_numbers_the_logarithm_mends_the_shape():
    rng = np.random.default_rng(5)
    found = fit_to({"x": rng.lognormal(sigma=1.2, size=300), "y": rng.normal(size=300)}, [])
    worst = found.misfits[0]
    assert worst.columns == ("x",)
    assert (worst.table, worst.cell[0].split()[:2]) == (0.0, ["x", "below"])
    assert [mend.kind for mend in found.mends] == ["logarithm"]


@pytest.mark.slow
def test_normal_numbers_have_the_shape_of_the_network():
    named = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        a = rng.normal(size=200)
        frame = {"a": a, "b": a + rng.normal(size=200), "s": rng.choice(["u", "v"], 200)}
        named += bool(fit_to(frame, [("a", "b")]).misfits)
    assert named < 4


def test_the_order_of_columns_and_other_names_of_states_change_nothing():
    rng = np.random.default_rng(6)
    frame = coins(rng, 200, 4)
    frame["d"] = follows(rng, frame["c0"])
    turned = dict(reversed(frame.items()))
    assert fit_to(frame, []) == fit_to(turned, [])


def test_a_table_that_is_counted_is_as_one_that_is_written_out():
    rng = np.random.default_rng(7)
    frame = coins(rng, 300)
    frame["d"] = follows(rng, frame["c0"])
    rows, times = np.unique(np.array([*frame.values()]).T, axis=0, return_counts=True)
    counted = {name: rows[:, k] for k, name in enumerate(frame)} | {"n": 1_000_000 * times}
    data = ds.Data(counted, weights="n")
    assert data.rows.times is not None
    found = fit_of(ds.Problem(data), ds.Dag(data.names, []), 19)
    assert found.misfits[0].columns == ("c0", "d")


def test_columns_of_many_states_and_constants_are_looked_at():
    rng = np.random.default_rng(8)
    many = {f"m{k}": rng.integers(0, 80, 200).astype(str) for k in range(3)}
    found = fit_to(many | {"same": ["x"] * 200, "gap": ["y"] * 200}, [], tables=9)
    assert len(found.checks) == 5 + 10 + 10
    assert all(0 <= each.table <= 1 and 0 <= each.network <= 1 for each in found.checks)


def test_of_many_columns_the_nearest_are_looked_at():
    names = [f"v{k:02}" for k in range(60)]
    chain = ds.Dag(names, [*pairwise(names)])
    pairs, triples = list(sets(chain, 2)), list(sets(chain, 3))
    far = [abs(names.index(a) - names.index(b)) for a, b in pairs]
    assert len(pairs) == MOST_PAIRS == len({*pairs})
    assert far == sorted(far)
    assert triples == [*zip(names, names[1:], names[2:], strict=False)]
    star = ds.Dag(names, [(names[0], other) for other in names[1:]])
    assert len({*sets(star, 3)}) == MOST_TRIPLES
    assert all(names[0] in each for each in sets(star, 3))
    few = ds.Dag(names[:5], [])
    assert [len(list(sets(few, size))) for size in (1, 2, 3)] == [5, 10, 10]


def test_no_answer_where_rows_or_cells_say_otherwise():
    rng = np.random.default_rng(9)
    frame = {"a": rng.choice(["u", "v"], 60), "b": rng.choice(["u", "v"], 60)}
    empty = ds.Dag(("a", "b"), [])
    clusters = ds.Data(frame | {"who": np.arange(60) // 3}, clusters="who")
    gaps = ds.Data({"a": [None, *frame["a"][1:]], "b": frame["b"]}, missing="keep")
    few = ds.Data({name: column[:10] for name, column in frame.items()})
    for data in (clusters, gaps, few):
        assert fit_of(ds.Problem(data), empty) is None


@pytest.mark.slow
def test_learning_knows_how_its_network_fits():
    data = ds.load_network("asia").sample(300, seed=1)
    learned = ds.learn(data, runs=0, resamples=0)
    found = learned.fit
    assert isinstance(found, Fit)
    assert learned.fit is found
    assert found.rows == 300
    assert "8 columns, 28 pairs and 56 triples" in found.scope
    rows = found.frame(frame="dict")
    assert len(rows["p"]) == 8 + 28 + 56
    assert min(rows["p_adjusted"]) >= 0.01
    assert found.to_dict()["misfits"] == [each.to_dict() for each in found.misfits]
    again = pickle.loads(pickle.dumps(learned))
    assert again.fit == found


def test_fewer_rows_are_drawn_where_many_states_follow_numbers(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.standard_normal(400)
    town = [f"t{int(v)}" for v in np.clip(3 * x + rng.standard_normal(400) + 10, 0, 19)]
    data = ds.Data({"x": x, "town": town})
    dag = ds.Dag(["x", "town"], [("x", "town")])
    problem = ds.Problem(data)
    states = len(data.states["town"])
    assert fit_of(problem, dag).rows == 400
    monkeypatch.setattr(network_fit, "MOST_CHANCES", 99 * states * 50)
    assert fit_of(problem, dag).rows == 50
    monkeypatch.setattr(network_fit, "MOST_CHANCES", 99 * states * 19)
    assert fit_of(problem, dag) is None  # too few to tell anything
