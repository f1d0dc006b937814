"""Options that say how the cells of a table are read, on commands that take one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.cli.commands import COMMANDS
from dagscape.cli.reading import SETTINGS, Reading
from dagscape.data import read_rows

MESSY = "bmi;sex;asked\n22,5; m;n/a\n31,0;f;yes\n18,1;m ;.\n27,5;f;no\n"
READ = ("--separator", ";", "--decimal", ",", "--na", "n/a,.", "--trim", "--missing", "state")


@pytest.fixture
def messy(tmp_path):
    path = tmp_path / "messy.csv"
    path.write_text(MESSY + MESSY.split("\n", 1)[1] * 9, "utf-8")
    return path


def test_a_table_is_read_as_the_options_say(run, messy):
    done = run(
        "convert", messy, "t.parquet", *READ, "--discretize", "bmi=18.5,25:thin/normal/heavy"
    )
    assert done.exit_code == 0, done.output
    data = ds.read_data(messy.parent / "t.parquet")
    assert data.states == {
        "bmi": ("thin", "normal", "heavy"),
        "sex": ("f", "m"),
        "asked": ("no", "yes", "missing"),
    }


def test_points_and_rules_in_one_option(run, messy):
    (messy.parent / "n.csv").write_text("a,b\n" + "1.5,0.5\n2.5,1.5\n3.5,2.5\n" * 3, "utf-8")
    done = run("convert", "n.csv", "t.parquet", "--discretize", "a=2,3,b=mean")
    assert done.exit_code == 0, done.output
    states = ds.read_data(messy.parent / "t.parquet").states
    assert states == {"a": ("<=2", "(2,3]", ">3"), "b": ("<=1.5", ">1.5")}
    done = run("convert", "n.csv", "t.parquet", "--discretize", "a=2,x")
    assert done.exit_code == 2
    assert "--discretize must be mean" in done.stderr


def test_cuts_by_another_column(run, tmp_path):
    rows = "".join(
        f"{20 + i % 9 + 0.5},{i % 3 + 0.5},{'yes' if i % 9 > 4 else 'no'}\n" for i in range(90)
    )
    (tmp_path / "n.csv").write_text("bmi,age,ill\n" + rows, "utf-8")
    done = run("convert", "n.csv", "t.parquet", "--discretize", "bmi=mdl:ill,age=mean")
    assert done.exit_code == 0, done.output
    assert ds.read_data(tmp_path / "t.parquet").states["bmi"] == ("<=25", ">25")
    assert 'by mdl for "ill"' in done.stderr
    assert "an edge to it looks more certain than it is" in done.stderr


def test_types_of_columns_in_one_option(run, tmp_path):
    rows = [f"{i % 30},{i % 5 + 1},{('mid', 'low', 'high')[i % 3]},{i % 4}\n" for i in range(90)]
    (tmp_path / "n.csv").write_text("age,item,size,dose\n" + "".join(rows), "utf-8")
    types = "age=ordered,item=states,size=low<mid<high,dose=continuous"
    done = run("convert", "n.csv", "t.parquet", "--types", types)
    assert done.exit_code == 0, done.output
    data = ds.read_data(tmp_path / "t.parquet", kinds={"dose": "continuous"})
    assert data.states["age"] == tuple(map(str, range(30)))
    assert data.states["item"] == ("1", "2", "3", "4", "5")
    assert data.states["size"] == ("low", "mid", "high")
    assert data.kinds["dose"] == "continuous"
    for wrong, said in {
        "size=ordered": 'column "size" holds words whose order is not known; give it: --types',
        "size=low<mid": '"high" in row 3, which is not among its declared states "low", "mid"',
        "age=whole": "--types must name a column and its kind",
        "age": "--types must name a column and its kind",
        "ages=ordered": 'names "ages", which is not a column; did you mean "age"?',
    }.items():
        refused = run("convert", "n.csv", "t.parquet", "--types", wrong)
        assert refused.exit_code == 2
        assert said in refused.stderr
    twice = run("convert", "n.csv", "t.csv", "--types", "age=ordered", "--continuous", "age")
    assert 'column "age" is in both --types and --continuous' in twice.stderr


def test_states_that_no_row_has(run, tmp_path):
    (tmp_path / "n.csv").write_text("color,x\n" + "red,1\ngreen,2\n" * 20, "utf-8")
    data = ds.read_data(tmp_path / "n.csv", states={"color": ["red", "green", "blue"]})
    (tmp_path / "none.modelstring").write_text("[color][x]", "utf-8")
    table = ("none.modelstring", "--types", "color=red|green|blue", "--score", "k2", "--json")
    done = run("score", "n.csv", *table)
    assert json.loads(done.stdout)["total"] == ds.score(data, ds.Dag(["color", "x"]), score="k2")


def test_an_error_names_the_option(run, tmp_path):
    (tmp_path / "adult.csv").write_text(
        "39,Private,77516\n50,Gov,83311\n38,Gov,83312\n37,Me,11\n", "utf-8"
    )
    done = run("learn", "adult.csv", "--strict")
    assert done.exit_code == 2
    assert "the first line looks like values" in done.stderr
    assert "give --no-header" in done.stderr
    done = run("convert", "adult.csv", "t.parquet", "--no-header", "--discretize", "quantile:2")
    assert "the first line" not in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_reads_a_table_has_them(run, name):
    told = run(name, "--help").output
    reads = "--separator" in told
    for option in ("--na", "--trim", "--decimal", "--no-header"):
        assert (option in told) is reads
    assert ("--strict" in told) is (name in ("learn", "posterior", "effect"))
    for option in ("--leave-out", "--missing"):
        assert (option in told) is (reads and name != "predict")  # which takes rows as they are
    assert {*Reading().offered()} == {each.name for each in SETTINGS}


@pytest.mark.usefixtures("messy")
def test_a_folder_notes_all_of_them_and_its_table_is_read_so_again(run, tmp_path):
    words = (*READ, "--discretize", "bmi=18.5,25:thin/normal/heavy")
    done = run("learn", "messy.csv", "--out", "l", *words, "--runs", 0, "--resamples", 2, "-q")
    assert done.exit_code == 0, done.stderr
    source = json.loads((tmp_path / "l" / "run.json").read_text("utf-8"))["source"]
    noted = Reading.from_dict(source)
    assert noted == Reading(
        missing="state",
        separator=";",
        decimal=",",
        missing_values="n/a,.",
        trim=True,
        discretize="bmi=18.5,25:thin/normal/heavy",
        strict=True,  # nothing is left to be found
    )
    shown = run("effect", "l", "sex", "bmi", "--networks", 10)
    assert shown.exit_code == 0, shown.stderr
    strict = ("--runs", 0, "--strict")
    other = run("learn", "messy.csv", "--out", "l", *words[:-5], *words[-4:], *strict)
    assert other.exit_code == 2
    assert "--trim was true and is not given; name another --out" in other.stderr


def test_a_damaged_note_is_said():
    with pytest.raises(ds.ParameterError, match=r"run.json is damaged: trim 'no'"):
        Reading.from_dict({"trim": "no"})


@pytest.mark.usefixtures("messy")
def test_rows_to_predict_are_read_as_the_table_of_the_folder_was(run, tmp_path):
    words = (*READ, "--discretize", "bmi=18.5,25:thin/normal/heavy")
    run("learn", "messy.csv", "--out", "l", *words, "--runs", 0, "--resamples", 0, "-q")
    net = ds.read_network(tmp_path / "l" / "network.json")
    data = run("convert", "messy.csv", "t.parquet", *words)
    assert data.exit_code == 0
    expected = net.predict_proba(ds.read_data(tmp_path / "t.parquet"), "sex")
    for where in ("l", "l/network.json"):
        found = run("predict", where, "messy.csv", "--target", "sex")
        assert found.exit_code == 0, found.stderr
        rows = [line.split(",")[2:] for line in found.stdout.splitlines()[1:]]
        assert rows == [[f"{p:.6f}" for p in line] for line in expected]
        said = "rows are read as \"messy.csv\" was: --separator ';' --na n/a,. --trim --decimal ,"
        assert said in found.stderr
    # Options that are given come first: here the rows have commas and points.
    plain = (tmp_path / "messy.csv").read_text("utf-8").replace(",", ".").replace(";", ",")
    (tmp_path / "plain.csv").write_text(plain, "utf-8")
    again = run("predict", "l", "plain.csv", "--target", "sex", "--separator", ",", "--decimal=.")
    assert again.stdout == found.stdout
    # A copy of the network elsewhere knows nothing of that.
    (tmp_path / "copy.json").write_text((tmp_path / "l" / "network.json").read_text("utf-8"))
    lost = run("predict", "copy.json", "messy.csv", "--target", "sex")
    assert lost.exit_code == 2
    assert "give --separator ';'" in lost.stderr
    table = read_rows(
        tmp_path / "messy.csv",
        separator=";",
        decimal=",",
        trim=True,
        missing_values=["n/a", ".", ""],
        discretize={"bmi": ([18.5, 25], ["thin", "normal", "heavy"])},
    )
    assert table["bmi"].drop_nulls().is_in(["thin", "normal", "heavy"]).all()


def test_rows_with_another_ending_have_another_separator(run, tmp_path):
    ds.load_network("asia").sample(200, seed=1).write(tmp_path / "t.tsv")
    text = (tmp_path / "t.tsv").read_text()
    (tmp_path / "t.csv").write_text(text.replace("\t", ";"))
    run("learn", "t.csv", "--separator", ";", "--out", "l", "--runs", 0, "--resamples", 0)
    told = [run("predict", "l", name, "--target", "lung") for name in ("t.csv", "t.tsv")]
    assert told[0].stdout == told[1].stdout != ""
    assert "rows are read as" not in told[1].stderr


def test_rows_of_numbers_are_cut_as_the_table_was(run, tmp_path):
    truth = ds.random_network(4, neighbors=2, kind="gaussian", seed=1)
    truth.sample(300, seed=1).write(tmp_path / "t.csv")
    truth.sample(40, seed=2).write(tmp_path / "new.csv")
    run("learn", "t.csv", "--discretize", "quantile:3", "--out", "l", "--runs=0", "--resamples=0")
    net = ds.read_network(tmp_path / "l" / "network.json")
    target = net.names[0]
    found = run("predict", "l", "new.csv", "--target", target)
    assert found.exit_code == 0, found.stderr
    # By hand: the points of the table, not those that the new rows would have.
    old, new = (ds.read_data(tmp_path / name).to_polars() for name in ("t.csv", "new.csv"))
    codes = {}
    for name in net.names:
        points = np.quantile(old[name].to_numpy(), [1 / 3, 2 / 3])
        codes[name] = np.searchsorted(points, new[name].to_numpy())
    rows = np.stack([codes[name] for name in net.names], axis=1)
    data = ds.Data.from_codes(rows, {name: net.states[name] for name in net.names})
    assert [line.split('"')[1] for line in found.stdout.splitlines()[1:] if '"' in line] == [
        state for state in net.predict(data, target) if "," in state
    ]
    assert (net.predict(tmp_path / "new.csv", target) == net.predict(data, target)).all()


def test_rows_that_are_steps_of_series(run, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.integers(2, size=90)
    rows = [f"{t},{s},{x[30 * s + t]},{x[30 * s + t - 1]},7" for s in range(3) for t in range(30)]
    (tmp_path / "s.csv").write_text("day,who,x,y,code\n" + "\n".join(rows), "utf-8")
    steps = ("--time", "day", "--series", "who", "--leave-out", "code")
    done = run("exact", "s.csv", *steps, "--lags", "2", "--score", "bic", "--json")
    assert done.exit_code == 0, done.output
    assert ["x[-1]", "y"] in json.loads(done.stdout)["arcs"]
    done = run("posterior", "s.csv", *steps, "--lags", "1")
    assert done.exit_code == 0, done.output
    assert "x[-1]" in done.stdout
    done = run("parents", "s.csv", *steps, "--within-step", "-o", "p.jkl")
    assert done.exit_code == 0, done.output
    assert "scores by the longest lag, on the same rows: 1: " in done.stderr
    done = run("exact", "s.csv", *steps, "--lags", "1.5")
    assert done.exit_code == 2
    assert '--lags must be a whole number of steps, or a list such as 1,7, got "1.5"' in done.stderr
    done = run("exact", "s.csv", *steps, "--weights", "code")
    assert (
        "--weights does not go with a table of series: leave out either it or --time" in done.stderr
    )
    done = run("exact", "s.csv", *steps, "--missing", "drop")
    assert "--missing drop does not go with a table of series" in done.stderr
    (tmp_path / "gap.csv").write_text(
        "day,who,x,y,code\n" + "\n".join(r for r in rows if not r.startswith("9,")), "utf-8"
    )
    done = run("exact", "gap.csv", *steps, "--lags", "1")
    assert "3 gaps in time: 1 step of 1 between 8 and 10" in done.stderr
    assert "--gaps drop to leave out rows whose past is not there" in done.stderr
    done = run("exact", "gap.csv", *steps, "--lags", "1", "--gaps", "drop", "--json")
    assert done.exit_code == 0, done.output
    done = run("optima", "s.csv", *steps)
    assert "cannot obey the order of a table of series" in done.stderr
    done = run("learn", "s.csv", *steps, "--lags", "1", "--resamples", "10", "--out", "found")
    assert done.exit_code == 0, done.output
    assert "networks that go forward in time" in " ".join(done.stdout.split())
    assert "act: x -> y (1)" in " ".join(done.stdout.split())
    edges = (tmp_path / "found" / "edges.csv").read_text("utf-8")
    assert "x[-1],y," in edges


def test_ctrl_c_while_a_table_is_read(run, monkeypatch):
    ds.load_network("asia").sample(50, seed=1).write("t.csv")

    def pressed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(ds.data, "contact_with_file", pressed)
    end = run("learn", "t.csv", "--out", "o")
    assert end.exit_code == 130
    assert end.stderr == (
        'dagscape: interrupted while reading "t.csv"; nothing was learned from a part of it\n'
    )
    assert not Path("o").exists()
