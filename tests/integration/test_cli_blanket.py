"""``dagscape blanket``: what it prints, draws and refuses."""

import json
from contextlib import contextmanager

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.regression import Slope
from limits import NO_TIME


@pytest.fixture
def table(tmp_path):
    data = ds.load_network("asia").sample(2000, seed=1)
    data.write(tmp_path / "asia.csv")
    return ds.read_data(tmp_path / "asia.csv")


def rows_of(text):
    head, *rows = (line.split("\t") for line in text.splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_members_with_roles_and_support(run, table):
    result = run("blanket", "asia.csv", "--target", "either")
    found = ds.describe_blanket(table, "either")
    assert [row["member"] for row in rows_of(result.stdout)] == list(found.names)
    for row, member in zip(rows_of(result.stdout), found.members, strict=True):
        assert row["target"] == "either"
        assert row["role"] == member.role
        assert row["through"] == ",".join(member.through)
        assert float(row["support"]) == pytest.approx(member.support, abs=1e-4)
    count = len(found.members)
    assert (
        result.stderr == f'dagscape: {count} members in the Markov blanket of "either" '
        f"(hill_climb; support by {found.score_name})\n"
    )


def test_all_and_several(run, table):
    every = rows_of(run("blanket", "asia.csv", "--all", "-q").stdout)
    blankets = ds.markov_blanket(table)
    for name in table.names:
        assert {row["member"] for row in every if row["target"] == name} == set(blankets[name])
    result = run("blanket", "asia.csv", "--target", "tub", "--target", "lung")
    assert rows_of(result.stdout) == [row for row in every if row["target"] in ("tub", "lung")]


def test_json(run, table):
    said = json.loads(
        run("blanket", "asia.csv", "--target", "either", "--json", "--method", "hiton").stdout
    )
    (found,) = said["blankets"]
    assert found["method"] == "hiton"
    members = ds.markov_blanket(table, "either", method="hiton")
    assert {member["name"] for member in found["members"]} == set(members)
    network = ds.describe_blanket(table, "either", method="hiton").network.cpdag
    assert [tuple(pair) for pair in found["directed"]] == list(network.directed)


def test_what_goes_into_files(run, tmp_path, table):
    graph = ds.describe_blanket(table, "either").network.cpdag
    for name in ("out.dot", "out.graphml"):
        assert run("blanket", "asia.csv", "--target", "either", "-o", name).exit_code == 0
        found = ds.read_graph(tmp_path / name)
        assert (found.to_cpdag() if isinstance(found, ds.Dag) else found) == graph
    run("blanket", "asia.csv", "--target", "either", "-o", "out.bif")
    assert set(ds.read_network(tmp_path / "out.bif").names) == set(graph.names)
    for _ in range(2):
        assert run("blanket", "asia.csv", "--target", "either", "-o", "out.svg").exit_code == 0
        picture = (tmp_path / "out.svg").read_bytes()
    run("blanket", "asia.csv", "--target", "either", "-o", "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == picture
    assert all(f">{name}</text>".encode() in picture for name in graph.names)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "give --target NAME, or --all, and not both"),
        (["--target", "tub", "--all"], "give --target NAME, or --all, and not both"),
        (["--target", "tubb"], 'unknown variable "tubb"; did you mean "tub"?'),
        (["--all", "-o", "x.dot"], "-o is for one target, got 8"),
        (["--target", "tub", "-o", "no/x.svg"], 'there is no folder "no"'),
        (["--target", "tub", "-o", "x.doc"], "x.doc"),
        (["--target", "tub", "--method", "hitom"], 'unknown method "hitom"; did you mean "hiton"?'),
        (["--target", "tub", "--max-parents", "-1"], "--max-parents must be between 0 and 7"),
        (["--target", "tub", "--method", "hiton", "--alpha", "2"], "--alpha must be between 0 and"),
        (["--target", "tub", "--method", "mmpc", "--degrees", "all"], 'unknown degrees "all"'),
        (["--target", "tub", "--score", "k2"], "needs a score that equivalent networks share"),
        (["--target", "tub", "--time-limit", "0"], "--time-limit must be a positive number"),
    ],
)
@pytest.mark.usefixtures("table")
def test_mistakes_get_one_line(run, words, says):
    result = run("blanket", "asia.csv", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert says in line


@pytest.mark.usefixtures("table")
def test_no_time_is_a_result(run, tmp_path):
    result = run("blanket", "asia.csv", "--all", "--time-limit", NO_TIME, "-q")
    assert result.exit_code == 0
    assert all(row["role"] == row["support"] == "" for row in rows_of(result.stdout))
    assert "stopped by the time limit: what is not known is left empty" in result.stderr
    result = run("blanket", "asia.csv", "--target", "tub", "--time-limit", NO_TIME, "-o", "x.svg")
    assert "x.svg is not written: there was no time for the network" in result.stderr
    assert not (tmp_path / "x.svg").exists()


@pytest.mark.usefixtures("table")
def test_interrupt_leaves_what_is_found(run, monkeypatch):
    @contextmanager
    def interrupting(*_):
        def tell(*_):
            raise KeyboardInterrupt

        yield tell

    monkeypatch.setattr("dagscape.cli.long_work.LimitOptions.bar", interrupting)
    result = run("blanket", "asia.csv", "--all")
    assert result.exit_code == 130
    assert result.stdout.startswith("target\tmember\trole\tthrough\tsupport\n")
    assert "stopped by Ctrl-C: what is not known is left empty" in result.stderr


def test_the_blanket_of_a_learned_network(run, tmp_path):
    data = ds.load_network("asia").sample(500, seed=3)
    data.write(tmp_path / "asia.csv")
    found = ds.exact(data)
    found.save(tmp_path / "found.json")
    (tmp_path / "learned").mkdir()
    found.save(tmp_path / "learned" / "result.json")
    for of in ("found.json", "learned"):
        done = run("blanket", "asia.csv", "--target", "either", "--of", of, "--json")
        (told,) = json.loads(done.stdout)["blankets"]
        members = {member["name"]: member for member in told["members"]}
        assert set(members) == set(found.dag.markov_blanket("either"))
        for name, member in members.items():
            spouse = name not in found.dag.neighbors("either")
            assert (member["role"] == "spouse") is spouse
            assert bool(member["through"]) is spouse
    assert run("blanket", "asia.csv", "--all", "--of", "learned").exit_code == 0
    done = run("blanket", "asia.csv", "--target", "either", "--of", "nowhere")
    assert done.exit_code == 2
    assert "--of needs a folder of dagscape learn or a saved result" in done.stderr


def test_a_slope_that_falls_is_a_number_and_says_what_its_interval_leaves_out(run, tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=80)
    pl.DataFrame({"x": x, "y": rng.normal(size=80) - 2 * x}).write_csv(tmp_path / "t.csv")
    said = run("blanket", "t.csv", "--target", "y")
    (row,) = [line.split("\t") for line in said.stdout.splitlines()[1:]]
    assert row[-1].startswith("-2.")
    assert Slope.caution in said.stderr
    assert Slope.caution not in run("blanket", "t.csv", "--target", "y", "-q").stderr
    run("learn", "t.csv", "--runs=0", "--resamples=0", "--out", "l", "-q")
    assert Slope.caution in run("blanket", "t.csv", "--target", "y", "--of", "l").stderr
