"""``dagscape parents``: the file, what is said about it, and how it ends early."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.control.progress import TimeLeft
from dagscape.selection import estimate_parents
from dagscape.words import duration
from limits import AMPLE, FOR_ENDLESS_WORK, NO_TIME
from listening import pressed, pressing
from terminal import shown_in_terminal


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(500, seed=3).write(path)
    return path


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a table that takes many seconds to three parents, and little memory."""
    coins = np.random.default_rng(0).integers(0, 2, size=(1000, 300), dtype=np.uint8)
    path = tmp_path / "large.csv"
    ds.Data(coins, names=[f"X{i}" for i in range(300)]).write(path)
    return path


@pytest.fixture
def selections(monkeypatch):
    """Return the list of what was selected, as it grows: max_parents of each call."""
    calls: list[int | None] = []
    select = ds.candidate_parents

    def spy(*args, **options):
        calls.append(options.get("max_parents"))
        return select(*args, **options)

    monkeypatch.setattr(ds, "candidate_parents", spy)
    return calls


def same_sets(a: ds.CandidateParents, b: ds.CandidateParents) -> bool:
    return a.names == b.names and all(list(a[x]) == list(b[x]) for x in a.names)


# the sets


@pytest.mark.parametrize("name", ["out.jkl", "out.pss", "out.jkl.gz"])
def test_the_file_is_what_the_package_writes(run, table, tmp_path, name):
    result = run("parents", table, "-o", name)
    assert (result.exit_code, result.stdout) == (0, "")
    expected = tmp_path / f"expected-{name}"
    ds.candidate_parents(ds.read_data(table)).write(expected)
    assert (tmp_path / name).read_bytes() == expected.read_bytes()


def test_stdout_gets_the_bytes_of_a_file(run, table, tmp_path):
    assert run("parents", table, "-o", "out.jkl").exit_code == 0
    assert run("parents", table).stdout_bytes == (tmp_path / "out.jkl").read_bytes()


def test_options_reach_the_selection(run, table, tmp_path):
    result = run(
        *("parents", table, "-o", "out.jkl", "--score", "bdeu", "--ess", "10"),
        *("--max-parents", "2", "--threads", "1", "--method", "sequential"),
    )
    assert result.exit_code == 0
    found = ds.read_parents(tmp_path / "out.jkl")
    data = ds.read_data(table)
    assert same_sets(found, ds.candidate_parents(data, score=ds.BDeu(ess=10), max_parents=2))
    assert not same_sets(found, ds.candidate_parents(data, score=ds.BDeu(ess=1), max_parents=2))
    assert not same_sets(found, ds.candidate_parents(data, score=ds.BDeu(ess=10), max_parents=3))


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_options_of_the_table_are_obeyed(run, tmp_path):
    (tmp_path / "odd.csv").write_text("a;b\n1;0.5\n2;1.5\n1;\n2;3.5\n1;0.7\n2;2.5\n")
    words = ("--separator", ";", "--missing", "drop", "--discretize", "median")
    assert run("parents", "odd.csv", "-o", "out.jkl", *words).exit_code == 0
    data = ds.read_data("odd.csv", separator=";", missing="drop", discretize="median")
    assert same_sets(ds.read_parents("out.jkl"), ds.candidate_parents(data))


# what is said


def test_the_cost_is_said_first_and_the_outcome_last(run, table):
    result = run("parents", table, "-o", "out.jkl", "--max-parents", "2")
    cost, outcome = result.stderr.splitlines()
    data = ds.read_data(table)
    sets = estimate_parents(data, score="bic", max_parents=2).sets
    kept = len(ds.candidate_parents(data, max_parents=2))
    assert cost.startswith(f"dagscape: {sets:,.0f} sets of variables to count")
    size = r"\S+ (bytes|kB|MB)"
    assert re.search(rf"{size} of memory and up to {size} for what is found, less than a", cost)
    assert outcome.startswith(
        f"dagscape: {kept:,} parent sets of 8 variables in out.jkl (exhaustive to 2 parents; "
    )


def test_it_says_when_nothing_better_is_left_out(run, table):
    outcome = run("parents", table, "-o", "out.jkl").stderr.splitlines()[-1]
    assert "in out.jkl (exhaustive; " in outcome


def test_growing_sets_has_no_cost_to_foretell(run, table, tmp_path):
    result = run("parents", table, "-o", "out.jkl", "--method", "greedy", "--max-parents", "2")
    (outcome,) = result.stderr.splitlines()
    assert "in out.jkl (not exhaustive; " in outcome
    expected = ds.candidate_parents(ds.read_data(table), method="greedy", max_parents=2)
    assert same_sets(ds.read_parents(tmp_path / "out.jkl"), expected)


def test_warnings_of_the_table_come_last(run, tmp_path):
    (tmp_path / "constant.csv").write_text("a,b\n1,x\n1,y\n1,x\n")
    words = ("parents", "constant.csv", "-o", "out.jkl")
    assert 'column "a"' in run(*words).stderr.splitlines()[-1]
    assert run(*words, "--quiet").stderr == ""


def test_quiet_says_nothing_unless_it_ends_early(run, table):
    assert run("parents", table, "-o", "out.jkl", "--quiet").stderr == ""
    (line,) = run(
        "parents", table, "-q", "-o", "out.jkl", "--time-limit", NO_TIME
    ).stderr.splitlines()
    assert "stopped by the time limit" in line


def test_json_describes_the_result(run, table):
    result = run("parents", table, "-o", "out.jkl", "--max-parents", "2", "--json")
    said = json.loads(result.stdout)
    data = ds.read_data(table)
    expected = ds.candidate_parents(data, max_parents=2)
    assert said.pop("seconds") > 0
    assert said == {
        "file": "out.jkl",
        "score": expected.score,
        "method": "sequential",
        "rows": 500,
        "variables": 8,
        "sets": len(expected),
        "exhaustive": False,
        "knowledge": None,
        "exhaustive_to": 2,
        "stopped": None,
        "relaxed_score": expected.relaxed_score,
        "notes": [],
        "work": {name: value for name, value in expected.work.items() if name != "stopped"},
    }


def test_help_shows_an_example(run):
    result = run("parents", "--help")
    assert "Example: dagscape parents " in " ".join(result.stdout.split())


# bad input


BAD = [
    (["-o", "out.txt"], '"out.txt" has no ending of a score file'),
    (["-o", "no/where.jkl"], '"no/where.jkl" cannot be written: there is no folder "no"'),
    (["-o", "folder.jkl"], '"folder.jkl" is a folder'),
    (["--json"], "--json needs -o FILE"),
    (["--max-memory", "much"], '--max-memory must be a size such as 4GB or 500MB, got "much"'),
    (["--max-memory", "4XB"], 'got "4XB"'),
    (["--max-memory", "0"], "--max-memory must be a positive"),
    (["--time-limit", "0"], "--time-limit must be a positive"),
    (["--time-limit", "nan"], "--time-limit must be a positive"),
    (["--threads", "0"], "--threads must be a positive"),
    (["--max-parents", "8"], "--max-parents must be between 0 and 7 (variables - 1), got 8"),
    (["--method", "sequental"], 'unknown method "sequental"'),
    (["--score", "bdue"], 'unknown score "bdue"'),
    (["--score", "bic", "--ess", "2"], "--ess is a parameter of bdeu"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_is_one_line_and_exit_code_2(run, table, tmp_path, words, said):
    (tmp_path / "folder.jkl").mkdir()
    before = {path.name for path in tmp_path.iterdir()}
    result = run("parents", table, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("dagscape: ")
    assert said in line
    assert {path.name for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("file", "output"), [("asia.csv", "out.txt"), ("asia.csv", "no/x.jkl"), ("blank.csv", "x.jkl")]
)
def test_a_file_that_cannot_be_written_is_known_before_the_work(
    run, table, selections, file, output
):
    table.with_name("blank.csv").write_text('"a name",b\n1,x\n2,y\n1,y\n')
    result = run("parents", file, "-o", output)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert (output if file == "asia.csv" else "a name") in line
    assert [limit for limit in selections if limit != 0] == []


# limits


def test_a_time_limit_is_a_result(run, large, tmp_path):
    words = ("--max-parents", "3", "--time-limit", FOR_ENDLESS_WORK, "--json")
    result = run("parents", large, "-o", "out.jkl", *words)
    assert result.exit_code == 0
    assert "stopped by the time limit after " in result.stderr
    assert json.loads(result.stdout)["stopped"] == "time"
    assert ds.read_parents(tmp_path / "out.jkl").names == ds.read_data(large).names


@pytest.mark.parametrize("size", ["2000", "2kB", "0.002 MB", "1.953125KiB", "2K"])
def test_a_memory_limit_is_a_result(run, table, tmp_path, size):
    words = ("--max-memory", size, "--score", "ll", "--threads", "1")
    result = run("parents", table, "-o", "out.jkl", *words)
    assert result.exit_code == 0
    cost, outcome = result.stderr.splitlines()
    assert cost.endswith("; larger sets do not fit and follow one by one")
    assert "stopped by the memory limit after " in outcome
    expected = ds.candidate_parents(ds.read_data(table), score="ll", max_memory=2000, threads=1)
    assert expected.stopped == "memory"
    assert same_sets(ds.read_parents(tmp_path / "out.jkl"), expected)


@pytest.mark.parametrize("size", ["9" * 15 + "TB", "4GB", "4 GiB"])
def test_memory_that_suffices_changes_nothing(run, table, tmp_path, size):
    assert run("parents", table, "-o", "out.jkl", "--max-memory", size).exit_code == 0
    found = ds.read_parents(tmp_path / "out.jkl")
    assert same_sets(found, ds.candidate_parents(ds.read_data(table)))


@pytest.mark.parametrize("to_file", [True, False])
def test_ctrl_c_leaves_what_is_there(spawn, large, tmp_path, to_file):
    words = ["parents", large, "--max-parents", "3", *(["-o", "out.jkl"] if to_file else [])]
    _, out, err = pressed(spawn(*words, program=pressing()))
    assert b"sets of variables to count" in err.splitlines()[0]
    assert b"stopped by Ctrl-C after " in err
    path = tmp_path / "out.jkl"
    if not to_file:
        path.write_bytes(out)
    found = ds.read_parents(path)
    assert found.names == ds.read_data(large).names
    assert len(found) >= 300  # the empty set of each, at least


# the bar


def test_a_terminal_gets_a_bar(large, tmp_path):
    code, text, out = shown_in_terminal(
        ["parents", large, "-o", "out.jkl", "--max-parents", "3", "--time-limit", AMPLE],
        tmp_path,
        [r"\d%", r"0:\d\d:(?!00)"],
        columns=100,
    )
    assert (code, out) == (130, b"")
    assert text.index("sets of variables to count") < text.index("%") < text.index("stopped by")


def told(shares: dict[float, float | None], limit: float | None = None) -> list[str]:
    """Return what is shown when shares of the work are done at certain seconds."""
    now = 0.0
    left = TimeLeft(limit, clock=lambda: now)
    shown = []
    for second, share in shares.items():
        now = second
        shown.append(left.at(share))
    return shown


def test_time_left_follows_the_speed():
    steady = {second: second / 100 for second in range(1, 100)}
    assert told(steady)[9::30] == [f"about {left} s left at most" for left in (90, 60, 30)]


def test_time_left_trusts_the_later_half():
    # Fast at first, then a tenth as fast: after as long again the early speed is forgotten.
    shares = {s: s / 50 for s in range(1, 11)} | {s: 0.2 + (s - 10) / 500 for s in range(11, 41)}
    assert told(shares)[-1] == f"about {duration((0.8 - 30 / 500) * 500)} left at most"


def test_time_left_says_nothing_it_cannot_know():
    assert told({0.5: 0.4}) == [""]  # too early
    assert told({2: 0.0}) == [""]  # nothing done yet
    assert told({2: 0.5, 4: 1.0, 5: 1.2})[1:] == ["nearly done", "nearly done"]


def test_time_left_knows_the_limit():
    assert told({10: 0.01}, limit=30) == ["20 s to the time limit"]
    assert told({10: 0.8}, limit=30) == ["about 2 s left at most"]


def test_time_left_of_work_that_nobody_can_foretell():
    assert told({5: None, 10: None}) == ["", ""]
    assert told({0.5: None, 10: None}, limit=30) == ["", "20 s to the time limit"]
    # What comes after it is judged by its own speed.
    assert told({10: None, 20: 0.1, 30: 0.2})[-1] == "about 80 s left at most"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "less than a second"),
        (1, "1 s"),
        (99, "99 s"),
        (100, "2 min"),
        (5000, "83 min"),
        (7200, "2 h"),
        (1e6, "12 days"),
        (1e30, "years"),
    ],
)
def test_durations_in_words(seconds, words):
    assert duration(seconds) == words
