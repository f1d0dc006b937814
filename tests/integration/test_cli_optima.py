"""``dagscape optima`` and ``dagscape features``: what they show, go on with and refuse."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.cli.runs import with_rate
from listening import LISTENING, interrupted, wait_until
from terminal import shown_in_terminal

FEW = ("--runs", "60", "--k", "0.5")
COLUMNS = ["score", "difference", "visits", "first_run", "edges"]
KINDS = ["edges", "paths", "blankets"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ds.Landscape]:
    """Return a folder with a table and a store of runs on it, and the landscape of these."""
    folder = tmp_path_factory.mktemp("made")
    ds.load_network("child").sample(300, seed=3).write(folder / "child.csv")
    data = ds.read_data(folder / "child.csv")
    return folder, ds.local_optima(data, runs=60, k=0.5, store=folder / "runs.sqlite")


@pytest.fixture
def table(made: tuple[Path, ds.Landscape], tmp_path: Path) -> Path:
    return Path(shutil.copy(made[0] / "child.csv", tmp_path))


@pytest.fixture
def store(made: tuple[Path, ds.Landscape], tmp_path: Path) -> Path:
    return Path(shutil.copy(made[0] / "runs.sqlite", tmp_path))


@pytest.fixture
def landscape(made: tuple[Path, ds.Landscape]) -> ds.Landscape:
    return made[1]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines(keepends=True), delimiter="\t"))


def typed(columns: dict[str, list[object]]) -> list[dict[str, str]]:
    """Return what a table of the package looks like as text."""

    def cell(value: object) -> str:
        if value is None:
            return ""
        return str(value).lower() if isinstance(value, bool) else str(value)

    lists = zip(*columns.values(), strict=True)
    return [dict(zip(columns, map(cell, row), strict=True)) for row in lists]


# optima


def test_optima_are_shown_best_first(run, table, landscape):
    result = run("optima", table, *FEW)
    assert result.exit_code == 0
    shown = rows(result.stdout)
    assert list(shown[0]) == COLUMNS
    assert len(landscape.optima) > 20
    assert len(shown) == 20
    for row, optimum in zip(shown, landscape.optima, strict=False):
        assert float(row["score"]) == optimum.score
        assert float(row["difference"]) == optimum.score - landscape.best.score
        assert (int(row["visits"]), int(row["first_run"])) == (optimum.visits, optimum.first_run)
        assert int(row["edges"]) == len(optimum.cpdag.directed) + len(optimum.cpdag.undirected)


def test_all_of_them_can_be_shown(run, table, landscape):
    result = run("optima", table, *FEW, "--all")
    assert len(rows(result.stdout)) == len(landscape.optima)
    assert sum(int(row["visits"]) for row in rows(result.stdout)) == 60
    assert "--all" not in result.stderr


def test_the_summary(run, table, landscape):
    outcome, shown = run("optima", table, *FEW).stderr.splitlines()
    best = landscape.best
    met = f"met by {best.visits} run{'' if best.visits == 1 else 's'}"
    expected = (
        f"dagscape: 60 runs ended at {len(landscape.optima)} different optima; "
        f"best bic {best.score:.4f}, {met} (k=0.5; "
    )
    assert re.fullmatch(re.escape(expected) + r"\d+\.\d s\)", outcome)
    many = len(landscape.optima)
    assert shown == f"dagscape: the best 20 of {many} optima are shown; --all shows all"


def test_one_run_is_one_optimum(run, table):
    result = run("optima", table, "--runs", "1")
    assert len(rows(result.stdout)) == 1
    assert "dagscape: 1 run ended at 1 optimum; best bic " in result.stderr
    assert ", met by 1 run (" in result.stderr


def test_options_reach_the_search(run, table):
    words = ("--k", "0.3", "--runs", "12", "--seed", "7", "--score", "bdeu", "--ess", "4")
    limits = ("--max-parents", "2", "--neighbourhood", "exact", "--threads", "1")
    said = json.loads(
        run("optima", table, "--json", "--all", *words, *limits, "--time-limit", "50").stdout
    )
    expected = ds.local_optima(
        ds.read_data(table),
        k=0.3,
        runs=12,
        seed=7,
        score=ds.BDeu(ess=4),
        max_parents=2,
        neighbourhood="exact",
    )
    assert (said["runs"], said["asked"], said["k"], said["seed"]) == (12, 12, 0.3, 7)
    assert (said["score"], said["max_parents"]) == (expected.score_name, 2)
    assert (said["neighbourhood"], said["sampled"], said["stopped"]) == ("exact", 0, None)
    assert said["work"] == dict(expected.work)
    assert said["distinct"] == len(expected.optima) == len(said["optima"])
    assert (said["gap"], said["proof"], said["store"]) == (None, None, None)
    for optimum, own in zip(said["optima"], expected.optima, strict=True):
        assert (optimum["score"], optimum["visits"]) == (own.score, own.visits)
        assert {tuple(arc) for arc in optimum["directed"]} == set(own.cpdag.directed)
        assert {tuple(edge) for edge in optimum["undirected"]} == set(own.cpdag.undirected)


def test_neighbours_may_be_drawn(run, tmp_path):
    ds.load_network("asia").sample(200, seed=1).write(tmp_path / "asia.csv")
    result = run("optima", "asia.csv", "--runs", "5", "--neighbourhood", "sampled")
    assert result.exit_code == 0
    assert "(k=0.8; neighbours drawn in 5 runs; " in result.stderr


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_options_of_the_table_are_obeyed(run, tmp_path):
    (tmp_path / "odd.csv").write_text("a;b\n1;0.5\n2;1.5\n1;\n2;3.5\n1;0.7\n2;2.5\n")
    words = ("--separator", ";", "--missing", "drop", "--discretize", "median")
    said = json.loads(run("optima", "odd.csv", "--json", "--runs", "2", *words).stdout)
    data = ds.read_data("odd.csv", separator=";", missing="drop", discretize="median")
    assert said["optima"][0]["score"] == ds.local_optima(data, runs=2).best.score
    assert run("features", "odd.csv", "--runs", "2", *words).exit_code == 0


@pytest.mark.parametrize("name", ["best.bif", "best.json", "best.xml.gz"])
def test_the_best_is_fitted_to_the_table(run, table, tmp_path, landscape, name):
    result = run("optima", table, *FEW, "-o", name)
    assert result.exit_code == 0
    assert f" in {name}, met by " in result.stderr
    network = ds.read_network(tmp_path / name)
    assert network.dag.to_cpdag() == landscape.best.cpdag
    assert ds.score(ds.read_data(table), network.dag) == pytest.approx(landscape.best.score)


def test_a_file_that_fails_does_not_cost_the_optima(run, table, monkeypatch):
    write = ds.write_network

    def fail(network, path):
        if path == Path("best.bif"):
            raise ds.ParameterError("the disk is full")
        write(network, path)

    monkeypatch.setattr(ds, "write_network", fail)
    result = run("optima", table, *FEW, "-o", "best.bif")
    assert result.exit_code == 2
    assert len(rows(result.stdout)) == 20
    assert result.stderr.splitlines()[-1] == "dagscape: the disk is full"


# proofs


def test_the_gap_to_the_best_network(run, tmp_path):
    data = ds.load_network("asia").sample(500, seed=3)
    data.write(tmp_path / "asia.csv")
    result = run("optima", "asia.csv", "--runs", "50", "--prove", "30", "--json")
    said = json.loads(result.stdout)
    best = ds.exact(data, score="bic")
    assert said["proof"]["optimal"]
    assert said["proof"]["score"] == pytest.approx(best.score)
    gap = best.score - said["optima"][0]["score"]
    assert said["gap"] == pytest.approx(gap, abs=1e-6)
    words = "no network scores higher" if gap < 1e-6 else "the best network scores"
    assert f"dagscape: proven: {words}" in result.stderr


def test_a_gap_that_is_there(run, tmp_path):
    # Each step is greedy, and an exclusive or has nothing to offer to the first one.
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 200))
    ds.Data({"a": a, "b": b, "c": a ^ b}).write(tmp_path / "xor.csv")
    result = run("optima", "xor.csv", "--runs", "5", "--prove", "20", "--max-parents", "2")
    said = r"dagscape: proven: the best (network|of networks with .*) scores \d+\.\d{4} higher"
    assert re.search(said, result.stderr)


def test_a_proof_that_finds_no_time(run, table):
    result = run("optima", table, *FEW, "--prove", "0.001", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["proof"]["stopped"] == "time"
    assert re.search(r"dagscape: (nothing is|not) proven", result.stderr)
    assert "stopped by the time limit after " in result.stderr


# the store


def test_a_store_is_gone_on_with(run, table, store):
    result = run("optima", table, "--runs", "90", "--k", "0.5", "--store", store, "--all")
    assert result.exit_code == 0
    assert f"; {store} had 60 runs already; " in result.stderr
    at_once = run("optima", table, "--runs", "90", "--k", "0.5", "--all")
    assert "already" not in at_once.stderr
    assert result.stdout == at_once.stdout
    assert ds.load_landscape(store).runs == 90


def test_fewer_runs_than_there_are(run, table, store):
    result = run("optima", table, "--runs", "25", "--k", "0.5", "--store", store)
    assert "dagscape: 25 runs ended at " in result.stderr
    assert result.stdout == run("optima", table, "--runs", "25", "--k", "0.5").stdout


DIFFERENT = [
    (["--k", "0.6"], "holds runs with --k = 0.5, not 0.6"),
    (["--seed", "1"], "holds runs with --seed = 0, not 1"),
    (["--max-parents", "3"], "holds runs with --max-parents = none, not 3"),
    (["--neighbourhood", "exact"], 'holds runs with --neighbourhood = "auto", not "exact"'),
    (["--score", "bdeu"], 'holds runs with --score = {"name": "bic"}, not {"name": "bdeu"'),
]


@pytest.mark.parametrize(("words", "said"), DIFFERENT, ids=[w[0] for w, _ in DIFFERENT])
@pytest.mark.parametrize("command", ["optima", "features"])
def test_a_store_with_other_settings(run, table, store, command, words, said):
    refused(run(command, table, *FEW, "--store", store, *words), said)
    assert ds.load_landscape(store).runs == 60


@pytest.mark.parametrize("command", ["optima", "features"])
def test_a_store_of_other_data(run, store, tmp_path, command):
    ds.load_network("child").sample(300, seed=4).write(tmp_path / "other.csv")
    refused(run(command, "other.csv", *FEW, "--store", store), "holds runs on other data")


@pytest.mark.parametrize("command", ["optima", "features"])
def test_a_table_as_a_store(run, table, command):
    before = table.read_bytes()
    refused(run(command, table, "--store", table), "is not a store of runs, or a damaged one")
    assert table.read_bytes() == before
    assert [path.name for path in table.parent.iterdir()] == [table.name]


def test_a_store_of_samples_is_none_of_optima(run, table):
    words = ("--method", "bootstrap", "--runs", "5", "--store", "boot.sqlite")
    first = run("features", table, *words)
    assert first.exit_code == 0
    assert run("features", table, *words).stdout == first.stdout
    refused(run("optima", table, "--store", "boot.sqlite"), "holds runs of bootstrap, not local")
    refused(run("features", "boot.sqlite"), "holds runs of bootstrap, not local optima")


# early ends


def test_a_time_limit_is_a_result(run, table):
    result = run("optima", table, "--runs", "10000000", "--time-limit", "0.7", "--store", "r.db")
    assert result.exit_code == 0
    done = ds.load_landscape("r.db").runs
    said = f"dagscape: stopped by the time limit with {done:,} of 10,000,000 runs done; "
    assert result.stderr.splitlines()[-1] == f"{said}the same command goes on from there"
    assert rows(result.stdout)


def test_no_time_at_all(run, table):
    for command in ("optima", "features"):
        refused(
            run(command, table, "--time-limit", "1e-9"),
            "no run was done within the time limit; allow more with --time-limit",
        )


def test_quiet_says_nothing_unless_it_ends_early(run, table, store):
    assert run("optima", table, *FEW, "--quiet", "--prove", "0.01").stderr == ""
    assert run("features", store, "--quiet").stderr == ""
    words = ("--runs", "10000000", "--time-limit", "0.5", "-q")
    (line,) = run("optima", table, *words).stderr.splitlines()
    assert line.startswith("dagscape: stopped by the time limit with ")
    assert line.endswith("; --store FILE would keep them")
    (line,) = run("features", table, *words).stderr.splitlines()
    assert line.startswith("dagscape: stopped by the time limit with ")


def test_ctrl_c_shows_what_is_there_and_the_same_command_goes_on(spawn, run, table, store):
    words = ("optima", table, "--k", "0.5", "--store", store)
    process = spawn(*words, "--runs", "10000000", "--json", program=LISTENING)
    wait_until(process, lambda: runs_in(store) > 60)
    _, out, err = interrupted(process)
    said = json.loads(out)
    assert (said["stopped"], said["asked"]) == ("interrupt", 10_000_000)
    text = err.decode()
    assert f"stopped by Ctrl-C with {said['runs']:,} of 10,000,000 runs done; " in text
    assert "; the same command goes on from there\n" in text
    kept = ds.load_landscape(store)
    assert kept.runs == said["runs"] > 60
    again = run(*words, "--runs", "80", "--all")
    assert again.stdout == run("optima", table, "--k", "0.5", "--runs", "80", "--all").stdout


def test_ctrl_c_in_the_proof_shows_the_optima(spawn, tmp_path):
    ds.load_network("hailfinder").sample(2000, seed=0).write(tmp_path / "h.csv")
    process = spawn(
        *("optima", "h.csv", "--runs", "2", "--prove", "100", "--threads", "1", "--json"),
        *("--store", "runs.sqlite"),
        program=LISTENING,
    )
    wait_until(process, lambda: runs_in(tmp_path / "runs.sqlite") > 1)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=0.5)  # it looks for a proof now
    _, out, err = interrupted(process)
    said = json.loads(out)
    assert (said["runs"], said["stopped"], said["proof"]["stopped"]) == (2, None, "interrupt")
    assert b"stopped by Ctrl-C after " in err


@pytest.mark.parametrize("method", ["optima", "bootstrap"])
def test_ctrl_c_in_features(spawn, table, tmp_path, method):
    process = spawn(
        *("features", table, "--method", method, "--runs", "10000000"),
        *("--store", "new.sqlite", "--threads", "1", "--json"),
        program=LISTENING,
    )
    wait_until(process, lambda: runs_in(tmp_path / "new.sqlite") > 0)
    _, out, err = interrupted(process)
    said = json.loads(out)
    assert (said["method"], said["stopped"]) == (method, "interrupt")
    assert said["features"]
    assert b"; the same command goes on from there\n" in err


def runs_in(store: Path) -> int:
    if not store.is_file():
        return 0
    connection = sqlite3.connect(store)
    try:
        return int(connection.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:  # its tables are still to be made
        return 0
    finally:
        connection.close()


# features


@pytest.mark.parametrize("kind", KINDS)
def test_features_of_a_store_and_of_data(run, table, store, landscape, kind):
    from_store = run("features", store, "--kind", kind)
    assert from_store.exit_code == 0
    assert rows(from_store.stdout) == typed(landscape.features(kind, frame="dict"))
    from_data = run("features", table, *FEW, "--kind", kind)
    assert from_data.stdout == from_store.stdout
    with_both = run("features", table, *FEW, "--kind", kind, "--store", store)
    assert with_both.stdout == from_store.stdout


@pytest.mark.parametrize("weights", ["optima", "visits", "score"])
def test_weights(run, store, landscape, weights):
    result = run("features", store, "--weights", weights)
    assert rows(result.stdout) == typed(landscape.features("edges", weights=weights, frame="dict"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_threshold_is_said(run, store, landscape, kind):
    outcome, said = run("features", store, "--kind", kind).stderr.splitlines()
    many, best = len(landscape.optima), landscape.best.score
    assert outcome == f"dagscape: {many} optima of 60 runs (k=0.5), best bic {best:.4f}"
    t = landscape.threshold(kind)
    row = landscape.tradeoff(kind, thresholds=[t], frame="dict")
    counts = f"{row['tp'][0]} tp, {row['fp'][0]} fp, {row['fn'][0]} fn"
    assert said == (
        f"dagscape: threshold {t:g} for {kind} has the least fp + fn: {counts} against the best "
        "optimum"
    )


def test_a_threshold_drops_the_rest(run, store, landscape):
    result = run("features", store, "--threshold", "0.9")
    assert rows(result.stdout) == typed(landscape.confident("edges", 0.9, frame="dict"))
    assert "dagscape: threshold 0.9 for edges" in result.stderr
    chosen = run("features", store, "--threshold", "auto")
    assert rows(chosen.stdout) == typed(landscape.confident("edges", frame="dict"))
    assert len(rows(chosen.stdout)) < len(rows(run("features", store).stdout))
    assert "; " in run("features", store, "--threshold", "0").stderr.splitlines()[1]


def test_mistakes_can_be_weighted(run, store, landscape):
    result = run("features", store, "--fp-weight", "5", "--fn-weight", "0.5")
    t = landscape.threshold("edges", 5, 0.5)
    assert f"threshold {t:g} for edges has the least 5 fp + 0.5 fn: " in result.stderr


def test_tradeoff(run, store, landscape):
    result = run("features", store, "--kind", "paths", "--tradeoff")
    assert rows(result.stdout) == typed(landscape.tradeoff("paths", frame="dict"))
    said = json.loads(run("features", store, "--kind", "paths", "--tradeoff", "--json").stdout)
    assert [row["threshold"] for row in said["tradeoff"]] == [r / 20 for r in range(1, 21)]
    assert "features" not in said


@pytest.mark.parametrize("given", ["child", "truth.csv", "truth.bif"])
def test_a_reference(run, store, landscape, tmp_path, given):
    network = ds.load_network("child")
    ds.write_network(network, tmp_path / "truth.bif")
    arcs = "".join(f"{a},{b}\n" for a, b in network.dag.arcs)
    (tmp_path / "truth.csv").write_text(f"from,to\n{arcs}")
    result = run("features", store, "--reference", given)
    expected = landscape.features("edges", reference=network, frame="dict")
    assert rows(result.stdout) == typed(expected)
    t = landscape.threshold("edges", reference=network)
    assert f"threshold {t:g} for edges has the least fp + fn: " in result.stderr
    assert result.stderr.endswith(f" fn against {given}\n")
    tradeoff = run("features", store, "--reference", given, "--tradeoff")
    assert rows(tradeoff.stdout) == typed(landscape.tradeoff("edges", network, frame="dict"))


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ([], {}),
        (["--search", "kes", "--k", "0.6"], {"method": "kes", "k": 0.6}),
        (
            ["--score", "bdeu", "--ess", "2", "--max-parents", "2", "--seed", "4"],
            {"score": ds.BDeu(ess=2), "max_parents": 2, "seed": 4},
        ),
    ],
    ids=["ges", "kes", "settings"],
)
def test_bootstrap(run, table, words, settings):
    result = run(
        "features", table, "--method", "bootstrap", "--runs", "8", "--threads", "1", *words
    )
    expected = ds.bootstrap(ds.read_data(table), runs=8, **settings)
    assert rows(result.stdout) == typed(expected.features("edges", frame="dict"))
    assert " on 8 samples of the rows (" in result.stderr
    assert " fn against the network of the data\n" in result.stderr


def test_features_as_json(run, table, store, landscape):
    said = json.loads(run("features", store, "--json", "--threshold", "0.5").stdout)
    assert said["features"] == landscape.confident("edges", 0.5, frame="polars").to_dicts()
    assert (said["kind"], said["method"], said["weights"]) == ("edges", "optima", "optima")
    assert (said["runs"], said["distinct"]) == (60, len(landscape.optima))
    assert (said["threshold"], said["best_threshold"]) == (0.5, landscape.threshold("edges"))
    row = landscape.tradeoff("edges", thresholds=[0.5], frame="dict")
    assert [[said[name]] for name in ("tp", "fp", "fn")] == [row[n] for n in ("tp", "fp", "fn")]
    words = ("--method", "bootstrap", "--runs", "4", "--json", "--reference", "child")
    said = json.loads(run("features", table, *words).stdout)
    assert (said["method"], said["weights"], said["reference"]) == ("bootstrap", "visits", "child")


def test_odd_names_come_back(run, tmp_path):
    coins = np.random.default_rng(1).integers(0, 2, 200)
    ds.Data({'a\t"b"': coins, "c\nd": coins}).write(tmp_path / "odd.csv")
    (row,) = rows(run("features", "odd.csv", "--runs", "2").stdout)
    assert (row["from"], row["to"]) == ('a\t"b"', "c\nd")


def test_a_store_needs_no_ending(run, store, tmp_path):
    expected = run("features", store).stdout
    store.rename(tmp_path / "runs")
    assert run("features", "runs").stdout == expected


def test_warnings_of_the_table_come_last(run, tmp_path):
    (tmp_path / "constant.csv").write_text("a,b\n1,x\n1,y\n1,x\n")
    for command in ("optima", "features"):
        result = run(command, "constant.csv", "--runs", "2")
        assert 'column "a"' in result.stderr.splitlines()[-1]
        assert run(command, "constant.csv", "--runs", "2", "--quiet").stderr == ""


@pytest.mark.parametrize("command", ["optima", "features"])
def test_help_shows_an_example(run, command):
    assert f"Example: dagscape {command} " in " ".join(run(command, "--help").stdout.split())


# bad input


def refused(result, said: str) -> None:
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("dagscape: ")
    assert said in line


BOTH = [
    (["--k", "2"], "--k must be between 0 and 1, got 2.0"),
    (["--runs", "0"], "Invalid value for '--runs'"),
    (["--max-parents", "20"], "--max-parents must be between 0 and 19 (variables - 1), got 20"),
    (["--time-limit", "0"], "--time-limit must be a positive number of seconds, got 0.0"),
    (["--threads", "0"], "--threads must be a positive whole number, got 0"),
    (["--seed", "9999999999999999999"], "--seed must be a whole number from 0"),
    (["--neighbourhood", "near"], 'unknown neighbourhood "near"'),
    (["--score", "k2"], "needs a score that equivalent networks share, and k2 is none"),
    (["--score", "bdue"], 'unknown score "bdue"'),
    (["--score", "bdeu", "--ess", "0"], "--ess must be a positive number, got 0.0"),
    (["--ess", "2"], "--ess is a parameter of bdeu"),
    (["--store", "no/where.sqlite"], '/no" to keep runs in'),
    (["--store", "folder.bif"], '"folder.bif" is a folder'),
]
BAD = [
    *[("optima", "child.csv", *case) for case in BOTH],
    *[("features", "child.csv", *case) for case in BOTH],
    (
        "optima",
        "child.csv",
        ["--prove", "0"],
        "--prove must be a positive number of seconds, got 0",
    ),
    ("optima", "child.csv", ["-o", "out.txt"], '"out.txt" has no ending of a network file'),
    ("optima", "child.csv", ["-o", "no/x.bif"], 'there is no folder "no"'),
    ("optima", "child.csv", ["-o", "folder.bif"], '"folder.bif" is a folder'),
    ("optima", "child.csv", ["-o", "x.json", "--store", "x.json"], "-o and --store both name"),
    ("optima", "nowhere.csv", [], "nowhere.csv"),
    ("features", "nowhere.csv", [], "nowhere.csv"),
    ("features", "nowhere.sqlite", [], "there is no file"),
    ("features", "fake.sqlite", [], "is not a store of runs, or a damaged one"),
    ("features", "other.sqlite", [], "is a SQLite file of some other program"),
    ("features", "child.csv", ["--kind", "edgs"], 'unknown kind of feature "edgs"'),
    ("features", "child.csv", ["--weights", "visit"], 'unknown weights "visit"'),
    ("features", "child.csv", ["--threshold", "2"], "--threshold must be between 0 and 1, or auto"),
    ("features", "child.csv", ["--threshold", "nan"], 'or auto, got "nan"'),
    ("features", "child.csv", ["--threshold", "low"], 'or auto, got "low"'),
    ("features", "child.csv", ["--fp-weight", "-1"], "--fp-weight must be a number from 0 up"),
    ("features", "child.csv", ["--fn-weight", "inf"], "--fn-weight must be a number from 0 up"),
    ("features", "child.csv", ["--reference", "asia"], "that the data lack"),
    ("features", "child.csv", ["--reference", "nobody"], 'no network is called "nobody"'),
    ("features", "child.csv", ["--reference", "arcs.csv"], "nobody"),
    (
        "features",
        "child.csv",
        ["--method", "boots"],
        'unknown --method "boots"; choose optima, boo',
    ),
    ("features", "child.csv", ["--search", "ges"], "--search is for --method bootstrap"),
    ("features", "child.csv", ["--method", "bootstrap", "--k", "0.5"], "--k is for kes"),
    (
        "features",
        "child.csv",
        ["--method", "bootstrap", "--neighbourhood", "exact"],
        "--neighbourhood is for --method optima",
    ),
    (
        "features",
        "child.csv",
        ["--method", "bootstrap", "--search", "hill"],
        'unknown method "hill"',
    ),
    (
        "features",
        "child.csv",
        ["--method", "bootstrap", "--weights", "score"],
        'unknown weights "score"',
    ),
]


@pytest.mark.parametrize(
    ("command", "source", "words", "said"), BAD, ids=lambda value: str(value)[:40]
)
@pytest.mark.usefixtures("table")
def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path, command, source, words, said):
    (tmp_path / "folder.bif").mkdir()
    (tmp_path / "fake.sqlite").write_text("a,b\n1,2\n")
    (tmp_path / "arcs.csv").write_text("from,to\nnobody,Age\n")
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE t (a)")
    other.close()
    before = {path.name for path in tmp_path.iterdir()}
    refused(run(command, source, *words), said)
    assert {path.name for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        *[["--runs", "9"], ["--k", "0.5"], ["--seed", "0"], ["--score", "bic"], ["--ess", "1"]],
        *[["--max-parents", "3"], ["--neighbourhood", "auto"], ["--time-limit", "9"]],
        *[["--threads", "1"], ["--store", "x.db"], ["--method", "optima"], ["--search", "ges"]],
        *[["--missing", "error"], ["--discretize", "mean"], ["--separator", ","]],
    ],
    ids=lambda words: words[0],
)
def test_runs_that_are_done_take_no_options(run, store, words):
    said = f'{words[0]}: only for tables; "{store}" holds runs that are done'
    refused(run("features", store, *words), said)


@pytest.mark.parametrize("words", [["--kind", "edgs"], ["--reference", "asia"]])
def test_a_bad_question_is_known_before_the_work(run, table, tmp_path, words):
    result = run("features", table, "--store", "new.sqlite", *words)
    assert result.exit_code == 2
    assert not (tmp_path / "new.sqlite").exists()


# the bar


def test_the_speed_is_of_the_runs_of_this_time():
    said: list[str] = []
    times = iter([100.0, 100.1, 102.0, 104.0])
    told = with_rate(lambda _, text: said.append(text), 1000, lambda: next(times))
    assert told is not None
    for share in (0.9, 0.91, 0.92, 0.901):
        told(share, "runs")
    assert said == ["runs", "runs", "runs, 10 a second", "runs, 0.25 a second"]
    assert with_rate(None, 5) is None


def test_a_terminal_gets_a_line_of_progress_and_an_aligned_table(table, tmp_path):
    progress = r"[\d,]+ of 10,000,000 runs, [\d,]+ different ends, [\d,]+ a second"
    code, text, _ = shown_in_terminal(
        ["optima", table, "--runs", "10000000", "--time-limit", "600", "--threads", "1"],
        tmp_path,
        [progress, "to the time limit"],
        stdout=True,
    )
    assert code == 130
    table_text = text[text.index("first run") :]
    assert re.search(r"-\d,\d{3}\.\d{4} +0\.0000 +\d+ +\d+ +\d+", table_text)
