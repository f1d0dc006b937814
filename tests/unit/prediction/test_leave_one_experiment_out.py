"""Experiments that were left out, foretold: against counts by hand."""

import math

import numpy as np
import pytest

import dagscape as ds


def table(seed=0, rows=300, *, numbers=False):
    """Return rows in which a drives b and b drives c, with experiments on b and on c."""
    rng = np.random.default_rng(seed)
    which = rng.integers(0, 3, rows)
    if numbers:
        a = rng.normal(size=rows)
        b = np.where(which == 1, 3 * rng.normal(size=rows), a + rng.normal(size=rows))
        c = np.where(which == 2, rng.normal(size=rows), 2 * b + rng.normal(size=rows))
    else:
        a = rng.integers(0, 2, rows)
        b = np.where(which == 1, rng.integers(0, 2, rows), a ^ (rng.random(rows) < 0.1))
        c = np.where(which == 2, rng.integers(0, 2, rows), b ^ (rng.random(rows) < 0.1))
    done = np.array(["", "b", "c"], dtype=object)[which]
    own = {"a": a, "b": b, "c": c, "target": done}
    return own, ds.Data(own, interventions=ds.Interventions(column="target"))


def by_hand(own, experiment, child, parents, networks):
    """Return the mean of -ln P, each P by counts plus a half in each cell, as ess=2 has it."""
    found = {}
    here = own["target"] == experiment
    for name in networks:
        rows = ~here
        if name == "learned":
            rows &= own["target"] != child
        if name == "observed":
            rows &= own["target"] == ""
        given = [] if name == "alone" else parents
        if name == "alone":
            rows &= own["target"] != child
        total = 0.0
        for at in np.flatnonzero(here):
            alike = rows & np.all([own[p] == own[p][at] for p in given] or [rows], axis=0)
            same = alike & (own[child] == own[child][at])
            each = 2 / 2 ** (len(given) + 1)
            total -= math.log((same.sum() + each) / (alike.sum() + 2 * each))
        found[name] = total / here.sum()
    return found


def test_losses_are_those_of_the_definition():
    own, data = table()
    dag = ds.Dag("abc", [("a", "b"), ("b", "c")])
    found = ds.leave_one_experiment_out(data, dag, ess=2.0)
    rows = found.by_variable(frame="dict")
    seen = list(zip(rows["experiment"], rows["variable"], strict=True))
    assert seen == [
        *(("none", x) for x in "abc"),
        *(("b", x) for x in "ac"),
        *(("c", x) for x in "ab"),
    ]
    for at, (experiment, x) in enumerate(seen):
        label = "" if experiment == "none" else experiment
        networks = ["learned", "pooled", "alone"] + (["observed"] if label else [])
        for name, loss in by_hand(own, label, x, list(dag.parents(x)), networks).items():
            assert rows[name][at] == pytest.approx(loss), (experiment, x, name)
        assert (rows["observed"][at] is None) == (not label)
        assert rows["rows"][at] == (own["target"] == label).sum()


def test_means_are_over_rows_and_variables():
    _, data = table(1)
    found = ds.leave_one_experiment_out(data, ds.Dag("abc", [("a", "b")]))
    rows = found.by_variable(frame="dict")
    for name, mean in found.log_loss.items():
        known = [(n, x) for n, x in zip(rows["rows"], rows[name], strict=True) if x is not None]
        assert mean == pytest.approx(sum(n * x for n, x in known) / sum(n for n, _ in known))
    each = found.by_experiment(frame="dict")
    assert each["experiment"] == ["none", "b", "c"]
    own = [x for e, x in zip(rows["experiment"], rows["pooled"], strict=True) if e == "b"]
    assert each["pooled"][1] == pytest.approx(sum(own) / 2)
    assert "3 experiments foretold without them; structure: a given graph" in repr(found)
    assert found.to_dict()["by_variable"]["variable"] == rows["variable"]


def test_what_experiments_tell_foretells_others():
    """Of a chain with its ends experimented on, the middle is foretold by direction alone."""
    for numbers in (False, True):
        _, data = table(2, 600, numbers=numbers)
        found = ds.leave_one_experiment_out(data, "exact").log_loss
        assert found["learned"] < min(found["pooled"], found["alone"]), found


def test_a_table_without_observed_rows_has_no_network_of_them():
    own, _ = table(3)
    own = {name: column[own["target"] != ""] for name, column in own.items()}
    data = ds.Data(own, interventions=ds.Interventions(column="target"))
    found = ds.leave_one_experiment_out(data, "hill_climb", score="bic")
    assert found.log_loss["observed"] is None
    assert "none" in repr(found).splitlines()[-1]


def test_a_shifted_variable_is_not_judged_where_it_was():
    own, _ = table(4)
    how = {"b": "shifted", "c": "randomized"}
    data = ds.Data(own, interventions=ds.Interventions(column="target", how=how))
    rows = ds.leave_one_experiment_out(data, "exact").by_variable(frame="dict")
    seen = set(zip(rows["experiment"], rows["variable"], strict=True))
    assert ("b", "b") not in seen
    assert ("b", "c") in seen


def test_what_is_wrong_is_said():
    own, data = table(5)
    plain = {name: own[name] for name in "abc"}
    with pytest.raises(ds.DataError, match="of no row that it comes from an experiment"):
        ds.leave_one_experiment_out(ds.Data(plain))
    one = ds.Data({**plain, "target": ["b"] * 300}, interventions=ds.Interventions(column="target"))
    with pytest.raises(ds.DataError, match='all rows come from one experiment, "b"'):
        ds.leave_one_experiment_out(one)
    with pytest.raises(ds.ParameterError, match='structure "naive" is for one target'):
        ds.leave_one_experiment_out(data, "naive")
    with pytest.raises(ds.ParameterError, match="ess must be a number above 0"):
        ds.leave_one_experiment_out(data, ess=0)
    with pytest.raises(ds.ParameterError, match="classes cannot obey interventions"):
        ds.leave_one_experiment_out(data, "ges")
    who = ds.Data({**own, "who": np.arange(300) // 3}, clusters="who", interventions=INTERVENED)
    with pytest.raises(ds.DataError, match=r"leave_one_experiment_out cannot obey"):
        ds.leave_one_experiment_out(who)
    with pytest.raises(ds.ParameterError, match=r"data must be a ds.Data"):
        ds.leave_one_experiment_out(plain)


INTERVENED = ds.Interventions(column="target")


def test_progress_is_told_after_each_experiment():
    _, data = table(6)
    told = []
    ds.leave_one_experiment_out(
        data, "exact", progress=lambda share, text: told.append((share, text))
    )
    assert told == [
        (pytest.approx(1 / 3), "without none"),
        (pytest.approx(2 / 3), "without b"),
        (1.0, "without c"),
    ]
