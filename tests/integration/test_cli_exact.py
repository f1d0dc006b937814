"""``dagscape exact``: the network, what is claimed of it, and how it ends early."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest

import dagscape as ds
from dagscape.cli.exact_command import exact as command
from dagscape.search.exact import ALGORITHMS, HEURISTICS
from dagscape.selection import estimate_parents
from limits import AMPLE, FOR_ENDLESS_WORK
from listening import pressed, pressing
from terminal import shown_in_terminal

TIMES = {"seconds", "work", "asked"}  # times, and what is told of the call itself


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(500, seed=3).write(path)
    return path


@pytest.fixture
def scores(table: Path) -> Path:
    path = table.with_name("asia.jkl")
    ds.candidate_parents(ds.read_data(table), score="bic").write(path)
    return path


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """Return scored sets with no proof in sight: large ones, at random, all in one component."""
    rng = np.random.default_rng(0)
    names = [f"X{i}" for i in range(60)]
    lines = [str(len(names))]
    for child in names:
        others = [name for name in names if name != child]
        sets = {tuple(sorted(rng.choice(others, 6, replace=False))) for _ in range(30)}
        lines.append(f"{child} {len(sets) + 1}")
        lines.append("-100 0")
        lines += [f"{-rng.uniform(0, 50):.6f} 6 {' '.join(parents)}" for parents in sorted(sets)]
    path = tmp_path / "hard.jkl"
    path.write_text("\n".join(lines) + "\n")
    return path


def arcs(text: str) -> list[tuple[str, ...]]:
    header, *lines = text.splitlines()
    assert header == "from\tto"
    return [tuple(line.split("\t")) for line in lines]


# the network


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_gives_the_best_network(run, table, algorithm):
    result = run("exact", table, "--algorithm", algorithm)
    assert result.exit_code == 0
    data = ds.read_data(table)
    best = ds.exact(data)
    assert best.optimal
    found = ds.Dag(data.names, arcs(result.stdout))
    assert ds.score(data, found, score=best.score_kind) == pytest.approx(best.score, abs=1e-6)


def test_arcs_are_what_other_commands_read(run, table, tmp_path):
    (tmp_path / "found.tsv").write_text(run("exact", table, "--score", "bic").stdout)
    best = ds.exact(ds.read_data(table), score="bic")
    assert float(run("score", table, "found.tsv", "--score", "bic").stdout) == pytest.approx(
        best.score, abs=1e-6
    )
    assert "distance  0\n" in run("compare", "found.tsv", "found.tsv").stdout


def test_odd_names_come_back(run, tmp_path):
    coins = np.random.default_rng(1).integers(0, 2, 200)
    ds.Data({'a\t"b"': coins, "c\nd": coins, "e": coins[::-1]}).write(tmp_path / "odd.csv")
    (tmp_path / "found.tsv").write_text(run("exact", "odd.csv", "--score", "bic").stdout)
    best = ds.exact(ds.read_data(tmp_path / "odd.csv"), score="bic")
    assert best.dag.arcs
    total = run("score", "odd.csv", "found.tsv", "--score", "bic").stdout
    assert float(total) == pytest.approx(best.score, abs=1e-6)


@pytest.mark.parametrize("name", ["net.bif", "net.json", "net.xml", "net.bif.gz"])
def test_the_network_is_fitted_to_the_table(run, table, tmp_path, name):
    result = run("exact", table, "-o", name)
    assert result.exit_code == 0
    assert f" in {name} (" in result.stderr
    data = ds.read_data(table)
    net = ds.read_network(tmp_path / name)
    assert set(net.dag.arcs) == set(arcs(result.stdout))
    fitted = ds.fit(net.dag, data)
    assert net.log_likelihood(data) == pytest.approx(fitted.log_likelihood(data), rel=1e-6)


def test_the_result_can_be_saved(run, table, tmp_path):
    result = run("exact", table, "--save", "r.json", "--max-parents", "1", "--seed", "5")
    assert result.exit_code == 0
    saved = ds.load_result(tmp_path / "r.json")
    assert list(saved.dag.arcs) == arcs(result.stdout)
    assert saved.claim == "optimal among networks with at most 1 parent"
    assert (saved.seed, saved.score_kind) == (5, ds.default_score(ds.read_data(table)))
    assert saved.asked["chosen"] == ("score", "prior")


def test_json_is_what_save_keeps(run, table, tmp_path):
    result = run("exact", table, "--save", "r.json", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == ds.load_result(tmp_path / "r.json").to_dict()
    (tmp_path / "copy.json").write_text(result.stdout)
    assert ds.load_result(tmp_path / "copy.json") == ds.load_result(tmp_path / "r.json")


def test_options_reach_the_search(run, table):
    words = ("--algorithm", "astar", "--heuristic", "simple", "--score", "bdeu", "--ess", "10")
    limits = (
        "--max-parents",
        "2",
        "--threads",
        "1",
        "--max-memory",
        "1GB",
        "--time-limit",
        AMPLE,
    )
    said = json.loads(run("exact", table, "--json", *words, *limits).stdout)
    expected = ds.exact(
        ds.read_data(table),
        algorithm="astar",
        heuristic="simple",
        score=ds.BDeu(ess=10),
        max_parents=2,
        threads=1,
        max_memory=10**9,
        time_limit=AMPLE,
    ).to_dict()
    assert said["asked"] == expected["asked"]
    assert {k: v for k, v in said.items() if k not in TIMES} == {
        k: v for k, v in expected.items() if k not in TIMES
    }


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_options_of_the_table_are_obeyed(run, tmp_path):
    (tmp_path / "odd.csv").write_text("a;b\n1;0.5\n2;1.5\n1;\n2;3.5\n1;0.7\n2;2.5\n")
    words = ("--separator", ";", "--missing", "drop", "--discretize", "median")
    said = json.loads(run("exact", "odd.csv", "--json", *words).stdout)
    data = ds.read_data("odd.csv", separator=";", missing="drop", discretize="median")
    assert said["score"] == ds.exact(data).score


# knowledge


def test_knowledge_is_obeyed(run, table, tmp_path):
    free = ds.exact(ds.read_data(table))
    a, b = free.dag.arcs[0]
    (tmp_path / "known.toml").write_text(f'forbidden = [["{a}", "{b}"], ["{b}", "{a}"]]')
    said = json.loads(run("exact", table, "--json", "--knowledge", "known.toml").stdout)
    assert [a, b] not in said["arcs"]
    assert [b, a] not in said["arcs"]
    assert said["score"] < free.score


def test_required_arcs_are_obeyed(run, table, tmp_path):
    (tmp_path / "known.toml").write_text('required = [["dysp", "asia"]]')
    assert ("dysp", "asia") in arcs(run("exact", table, "--knowledge", "known.toml").stdout)


# score files


@pytest.mark.parametrize("name", ["asia.jkl", "asia.pss", "asia.jkl.gz", "ASIA.PSS.gz"])
def test_scored_parent_sets_can_be_given(run, scores, tmp_path, name):
    parents = ds.read_parents(scores)
    parents.write(tmp_path / name)
    result = run("exact", name, "--json")
    assert result.exit_code == 0
    said = json.loads(result.stdout)
    assert said["score"] == pytest.approx(ds.exact(parents).score)
    assert said["claim"] == (
        "optimal among networks built from the candidate parent sets; "
        "networks with other parent sets may score higher"
    )
    assert said["scope"]["candidates_only"]
    cost, outcome = result.stderr.splitlines()
    assert cost == f"dagscape: {len(parents):,} parent sets of 8 variables to choose from"
    assert outcome.startswith(f"dagscape: {said['claim']}; ")


def test_forbidden_arcs_are_for_score_files_too(run, scores, tmp_path):
    free = ds.exact(ds.read_parents(scores))
    a, b = free.dag.arcs[0]
    (tmp_path / "known.toml").write_text(f'forbidden = [["{a}", "{b}"], ["{b}", "{a}"]]')
    said = json.loads(run("exact", scores, "--json", "--knowledge", "known.toml").stdout)
    assert said["score"] < free.score


# what is said


def test_the_cost_is_said_first_and_the_claim_last(run, table):
    result = run("exact", table, "--score", "bic")
    cost, outcome = result.stderr.splitlines()
    best = ds.exact(ds.read_data(table), score="bic")
    sets = estimate_parents(ds.read_data(table), score="bic").sets
    assert cost.startswith(f"dagscape: {sets:,.0f} sets of variables to count")
    expected = (
        f"dagscape: optimal; bic {best.score:.4f}; {len(best.dag.arcs)} arcs of 8 variables "
        rf"({best.method}; "
    )
    assert re.fullmatch(re.escape(expected) + r"\d+\.\d s\)", outcome)
    chosen = run("exact", table).stderr.splitlines()[-1]
    assert chosen.startswith("dagscape: score and prior chosen by default; --score bic ")
    assert chosen.endswith("; --score bic gives the score of the papers")


def test_warnings_of_the_table_come_last(run, tmp_path):
    (tmp_path / "constant.csv").write_text("a,b\n1,x\n1,y\n1,x\n")
    assert 'column "a"' in run("exact", "constant.csv").stderr.splitlines()[-1]
    assert run("exact", "constant.csv", "--quiet").stderr == ""


def test_help_shows_an_example(run):
    assert "Example: dagscape exact " in " ".join(run("exact", "--help").stdout.split())


# bad input


@pytest.mark.parametrize("name", ["found.graphml", "found.dot", "found.csv"])
def test_the_graph_alone_goes_to_a_graph_file_even_from_scores(run, table, scores, tmp_path, name):
    data = ds.read_data(table)
    best = {source: ds.exact(data, score=kind) for source, kind in ((table, None), (scores, "bic"))}
    for source in (table, scores):
        result = run("exact", source, "-q", "-o", name)
        assert (result.exit_code, result.stderr) == (0, "")
        found = ds.read_graph(tmp_path / name)
        assert set(found.names) == set(ds.load_network("asia").names)
        kind = best[source].score_kind
        assert ds.score(data, found, score=kind) == pytest.approx(best[source].score)


BAD = [
    (["-o", "out.txt"], '"out.txt" has no ending of a network file'),
    (["-o", "no/where.bif"], '"no/where.bif" cannot be written: there is no folder "no"'),
    (["-o", "folder.bif"], '"folder.bif" is a folder'),
    (["--save", "no/r.json"], '"no/r.json" cannot be written: there is no folder "no"'),
    (["-o", "x.json", "--save", "x.json"], '-o and --save both name "x.json"'),
    (["--algorithm", "a-star"], 'unknown algorithm "a-star"'),
    (["--heuristic", "patern"], 'unknown heuristic "patern"'),
    (["--max-memory", "much"], '--max-memory must be a size such as 4GB or 500MB, got "much"'),
    (["--max-memory", "0"], "--max-memory must be a positive"),
    (["--time-limit", "0"], "--time-limit must be a positive"),
    (["--threads", "0"], "--threads must be a positive"),
    (["--max-parents", "8"], "--max-parents must be between 0 and 7 (variables - 1), got 8"),
    (["--score", "bdue"], 'unknown score "bdue"'),
    (["--score", "bic", "--ess", "2"], "--ess is a parameter of bdeu"),
    (["--knowledge", "nowhere.toml"], 'there is no file "nowhere.toml"'),
    (["--knowledge", "bad.toml"], 'bad.toml: unknown key "requires"'),
    (["--knowledge", "other.toml"], 'unknown variable "nobody"'),
]
BAD_WITH_SCORES = [
    (["--score", "bic"], '--score: only for tables; "asia.jkl" holds sets that are scored'),
    (["--max-parents", "2"], "--max-parents: only for tables"),
    (["--missing", "error"], "--missing: only for tables"),
    (["-o", "net.bif"], "needs a table to fit the network to"),
    (["--knowledge", "other.toml"], 'unknown variable "nobody"'),
    (["--knowledge", "needed.toml"], "asia -> dysp"),
    (["--algorithm", "a-star"], 'unknown algorithm "a-star"'),
]


@pytest.mark.parametrize(
    ("source", "words", "said"),
    [("asia.csv", *case) for case in BAD] + [("asia.jkl", *case) for case in BAD_WITH_SCORES],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.usefixtures("scores")
def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path, source, words, said):
    (tmp_path / "folder.bif").mkdir()
    (tmp_path / "bad.toml").write_text("requires = []")
    (tmp_path / "other.toml").write_text('forbidden = [["nobody", "asia"]]')
    (tmp_path / "needed.toml").write_text('required = [["asia", "dysp"]]')
    before = {path.name for path in tmp_path.iterdir()}
    result = run("exact", source, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("dagscape: ")
    assert said in line
    assert {path.name for path in tmp_path.iterdir()} == before


def test_a_name_that_a_format_cannot_hold_is_known_before_the_work(run, tmp_path, monkeypatch):
    monkeypatch.setattr(ds, "exact", lambda *_, **__: pytest.fail("it ran"))
    (tmp_path / "odd.csv").write_text("a\x01,b\n1,x\n2,y\n1,y\n")
    result = run("exact", "odd.csv", "-o", "net.graphml")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "cannot be written as XML" in line


# limits


def bounded(text: str) -> ds.Result:
    """Return the result in the JSON written, after a look at what an early end can claim."""
    said = json.loads(text)
    assert not said["optimal"]
    assert said["bound"] > said["score"]
    assert said["claim"].startswith("not proven")
    return said


def test_a_time_limit_is_a_result(run, hard):
    result = run("exact", hard, "--json", "--time-limit", FOR_ENDLESS_WORK)
    assert result.exit_code == 0
    assert bounded(result.stdout)["stopped"] == "time"
    assert "; stopped by the time limit after " in result.stderr
    assert ", bound -" in result.stderr


def test_quiet_says_nothing_unless_it_ends_early(run, table, hard):
    assert run("exact", table, "--quiet").stderr == ""
    (line,) = run("exact", hard, "-q", "--time-limit", FOR_ENDLESS_WORK).stderr.splitlines()
    assert "stopped by the time limit" in line


@pytest.mark.parametrize("words", [["--json"], ["--save", "r.json"]])
def test_ctrl_c_leaves_what_is_there(spawn, hard, tmp_path, words):
    _, out, err = pressed(spawn("exact", hard, *words, program=pressing()))
    assert b"parent sets of 60 variables to choose from" in err.splitlines()[0]
    assert b"; stopped by Ctrl-C after " in err
    text = out.decode() if words == ["--json"] else (tmp_path / "r.json").read_text()
    assert bounded(text)["stopped"] == "interrupt"


def test_a_file_that_fails_does_not_cost_the_network(run, table, monkeypatch):
    def fail(*_):
        raise ds.ParameterError("the disk is full")

    save = ds.Result.save
    monkeypatch.setattr(
        ds.Result, "save", lambda r, path: (save if r.score == 0 else fail)(r, path)
    )
    result = run("exact", table, "--save", "r.json")
    assert result.exit_code == 2
    assert arcs(result.stdout)
    assert result.stderr.splitlines()[-1] == "dagscape: the disk is full"


# the bar


def test_a_terminal_gets_a_line_of_progress(hard, tmp_path):
    code, text, out = shown_in_terminal(
        ["exact", hard, "--time-limit", AMPLE],
        tmp_path,
        [r"0:\d\d:(?!00)", r"best -\d", r"at most \S+ better", "to the time limit"],
    )
    assert code == 130
    assert out.startswith(b"from\tto\n")
    during = text[text.index("to choose from") : text.index("not proven")]
    assert re.search(r"best -\d", during)
    assert re.search(r"at most \S+ better", during)
    assert "to the time limit" in during


def test_help_names_every_algorithm_and_heuristic():
    options = get_type_hints(command, include_extras=True)
    for option, names in (("algorithm", ALGORITHMS), ("heuristic", HEURISTICS)):
        words = options[option].__metadata__[0].help
        assert set(names) <= set(re.findall(r"\w+", words))
