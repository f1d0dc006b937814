"""Tables of experiments as learning looks at them: the order of rows, and what chance would do."""

import numpy as np
import pytest
from typer.testing import CliRunner

import dagscape as ds
from dagscape.chance.shuffles import Shuffles
from dagscape.cli.app import app
from dagscape.data import looked_over
from dagscape.learning.ignored_experiments import IgnoredExperiments
from dagscape.regression import regress


def blocks(seed=0, rows=300):
    """Return rows of three experiments, one after the other; x drives y, and z nothing."""
    rng = np.random.default_rng(seed)
    which = np.repeat([0, 1, 2], rows // 3)
    x = np.where(which == 1, 1, rng.random(rows) < 0.3).astype(int)
    z = np.where(which == 2, 1, rng.random(rows) < 0.3).astype(int)
    y = x ^ (rng.random(rows) < 0.2)
    return {"x": x, "y": y, "z": z, "target": np.array(["", "x", "z"], dtype=object)[which]}


INTERVENTIONS = ds.Interventions(column="target")


def test_rows_of_an_experiment_may_stand_together():
    for setting in ({"interventions": INTERVENTIONS}, {"groups": "target"}):
        own = blocks()
        if "groups" in setting:
            own["target"] = np.where(own["target"] == "", "none", own["target"])
        kinds = {note.kind for note in looked_over(ds.Data(own, **setting)).notes}
        assert "neighbors_alike" not in kinds, setting
    silent = {name: column for name, column in blocks().items() if name != "target"}
    assert "neighbors_alike" in {note.kind for note in looked_over(ds.Data(silent)).notes}


def test_rows_that_are_alike_within_an_experiment_are_told_of():
    own = blocks()
    rng = np.random.default_rng(4)
    for row in range(1, 300):
        for name in ("x", "y"):
            if row % 100 and rng.random() < 0.9:
                own[name][row] = own[name][row - 1]
    own["target"] = np.array(["", "z", ""], dtype=object)[np.repeat([0, 1, 2], 100)]
    noted = looked_over(ds.Data(own, interventions=INTERVENTIONS)).notes
    assert "neighbors_alike" in {note.kind for note in noted}


def test_rows_in_which_the_child_was_set_are_no_evidence():
    """By its definition: the same as a table of the rows in which it was free."""
    own = blocks()
    data = ds.Data(own, interventions=INTERVENTIONS)
    for child, parent, other in (("x", "y", "z"), ("y", "x", "z"), ("z", "x", "y")):
        free = ds.Data({n: c[own["target"] != child] for n, c in own.items() if n != "target"})
        for given in ([], [other]):
            found = Shuffles(data).given(child, [parent], given)
            assert found == pytest.approx(Shuffles(free).given(child, [parent], given))
            if given:
                drawn = Shuffles(data).drawn(child, parent, given, 200)
                assert drawn == Shuffles(free).drawn(child, parent, given, 200)


def test_columns_set_together_are_not_related_by_that():
    """Set to the same at random by whoever made the experiment, and unrelated else."""
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, (2, 400))
    b[200:] = a[200:]
    own = {"a": a, "b": b, "c": rng.integers(0, 2, 400)}
    own["target"] = np.array(["", "a+b"], dtype=object)[np.arange(400) // 200]
    without = ds.Data({name: own[name] for name in "abc"})
    assert Shuffles(without).alone("a", "b") < -20
    assert Shuffles(ds.Data(own, interventions=INTERVENTIONS)).alone("a", "b") > -5


def test_the_command_line_takes_a_column_or_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ds_frame = ds.Data(blocks(), kinds=dict.fromkeys("xyz", "discrete")).to_polars()
    ds_frame.with_columns(ds_frame["target"].cast(str)).write_csv("t.csv")
    (tmp_path / "what.toml").write_text('column = "target"\nhow = {x = "set", z = "set"}\n')
    told = []
    for said in ("target", "what.toml"):
        done = CliRunner().invoke(app, ["exact", "t.csv", "--interventions", said])
        assert done.exit_code == 0, done.stderr
        assert "rows come from 3 experiments with 2 targets (column target)" in done.stderr
        told.append(done.stdout)
    assert told[0] == told[1] == "from\tto\nx\ty\n"
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    words = ["exact", "../t.csv", "--interventions", "what.toml"]
    assert CliRunner().invoke(app, words).exit_code == 0  # beside the table
    done = CliRunner().invoke(app, ["exact", "../t.csv", "--interventions", "targte"])
    assert '--interventions names the column "targte"' in done.stderr
    done = CliRunner().invoke(app, [*words, "--lags", "1"])
    assert "--interventions does not go with a table of series" in done.stderr


def test_what_ignoring_the_experiments_would_have_said():
    r = ds.learn(ds.Data(blocks(), interventions=INTERVENTIONS), runs=0, resamples=0)
    assert r.mpdag.directed == (("x", "y"),)
    assert r.ignored.ignored.mpdag == ds.exact(ds.Data(blocks()).select(["x", "y", "z"])).mpdag
    assert r.ignored.edges["open"] == (("x", "y"),)
    assert "1 edge without a direction (x -> y)" in r.ignored.told
    assert r.ignored.to_dict()["open"] == [["x", "y"]]
    assert any(str(step.reason) == "as if no row came from an experiment" for step in r.steps)
    assert ds.learn(ds.Data(blocks()).select(["x", "y"]), runs=0, resamples=0).ignored is None


def test_each_kind_of_difference_is_told_by_name():
    mine = ds.Mpdag("abcdefg", [("a", "c"), ("b", "c")], [("d", "e"), ("f", "g")])
    other = ds.Dag("abcdefg", [("c", "a"), ("d", "a"), ("d", "e"), ("f", "e"), ("b", "c")])

    class Found:
        mpdag = other.to_cpdag()
        score = -1.0
        dag = other

    found = IgnoredExperiments(mine, Found())
    assert found.edges == {
        "turned": (("c", "a"),),
        "open": (("b", "c"),),
        "directed": (("d", "e"),),
        "extra": (("d", "a"), ("f", "e")),
        "missing": (("f", "g"),),
    }
    same = IgnoredExperiments(Found.mpdag, Found())
    assert same.told.endswith("the same edges and directions")


def test_numbers_of_experiments_are_learned_shown_and_regressed_where_free(tmp_path):
    rng = np.random.default_rng(0)
    what = np.array(["", "y", "z"], dtype=object)[np.arange(240) % 3]
    x = rng.normal(size=240)
    y = np.where(what == "y", 3 * rng.normal(size=240), x + 0.5 * rng.normal(size=240))
    z = np.where(what == "z", rng.normal(size=240), y + 0.5 * rng.normal(size=240))
    own = {"x": x, "y": y, "z": z}
    data = ds.Data({**own, "what": what}, interventions=ds.Interventions(column="what"))
    r = ds.learn(data, runs=0, resamples=2)
    assert set(r.mpdag.directed) == {("x", "y"), ("y", "z")}
    r.report(tmp_path / "page.html")
    assert "Directions owed to each experiment" in (tmp_path / "page.html").read_text("utf-8")
    assert r.not_linear == ()
    free = ds.Data({name: column[what != "y"] for name, column in own.items()})
    for parents in (["x"], ["x", "z"]):
        assert regress(data, "y", parents) == regress(free, "y", parents)


def test_rows_to_settle_are_not_foretold_where_some_are_left_out_of_a_score():
    data = ds.Data(blocks(), interventions=INTERVENTIONS)
    assert not ds.learn(data, runs=0, resamples=0).rows_foretold
    assert ds.learn(data.untouched, runs=0, resamples=0).rows_foretold
