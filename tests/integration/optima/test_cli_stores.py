"""``dagscape optima`` and ``features`` with a store: going on, other settings, early ends."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

import dagscape as ds
from clocks import Clock
from dagscape.landscape import optima
from limits import AMPLE, NO_TIME
from listening import LISTENING, interrupted, pressed, pressing, wait_until
from shown_optima import FEW, refused, rows


def test_a_store_is_gone_on_with(run, table, store):
    result = run("optima", table, "--runs", "90", "--k", "0.5", "--store", store, "--all")
    assert result.exit_code == 0
    assert f"; {store} had 60 runs already; " in result.stderr
    at_once = run("optima", table, "--runs", "90", "--k", "0.5", "--all")
    assert "already" not in at_once.stderr
    assert result.stdout == at_once.stdout
    assert ds.load_result(store, ds.Landscape).runs == 90


def test_fewer_runs_than_there_are(run, table, store):
    result = run("optima", table, "--runs", "25", "--k", "0.5", "--store", store)
    assert "dagscape: 25 runs ended at " in result.stderr
    assert result.stdout == run("optima", table, "--runs", "25", "--k", "0.5").stdout


DIFFERENT = [
    (["--k", "0.6"], "holds runs with --k = 0.5, not 0.6"),
    (["--seed", "1"], "holds runs with --seed = 0, not 1"),
    (["--max-parents", "3"], "holds runs with --max-parents = none, not 3"),
    (["--neighborhood", "exact"], 'holds runs with --neighborhood = "auto", not "exact"'),
    (["--score", "bdeu"], 'holds runs with --score = "fitted_dirichlet", not "bdeu(ess=1)"'),
]


@pytest.mark.parametrize(("words", "said"), DIFFERENT, ids=[w[0] for w, _ in DIFFERENT])
@pytest.mark.parametrize("command", ["optima", "features"])
def test_a_store_with_other_settings(run, table, store, command, words, said):
    refused(run(command, table, *FEW, "--store", store, *words), said)
    assert ds.load_result(store, ds.Landscape).runs == 60


@pytest.mark.parametrize("command", ["optima", "features"])
def test_a_store_of_other_data(run, store, tmp_path, command):
    ds.load_network("child").sample(300, seed=4).write(tmp_path / "other.csv")
    refused(
        run(command, "other.csv", *FEW, "--store", store),
        "holds runs on other data",
    )


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


@pytest.fixture
def short(monkeypatch):
    """Let all time be over when the first runs are done; return options of a limit and runs."""
    clock, batch = Clock(monkeypatch), optima.kes_batch

    def one_batch(*given):
        done = batch(*given)
        clock.end()
        return done

    monkeypatch.setattr(optima, "kes_batch", one_batch)
    return ("--runs", "10000000", "--time-limit", AMPLE)


def test_a_time_limit_is_a_result(run, table, short):
    result = run("optima", table, *short, "--store", "r.db")
    assert result.exit_code == 0
    done = ds.load_result("r.db", ds.Landscape).runs
    said = f"dagscape: stopped by the time limit with {done:,} of 10,000,000 runs done; "
    assert result.stderr.splitlines()[-1] == f"{said}the same command goes on from there"
    assert rows(result.stdout)


def test_no_time_at_all(run, table):
    for command in ("optima", "features"):
        refused(
            run(command, table, "--time-limit", NO_TIME),
            "no run was done within the time limit; allow more with --time-limit",
        )


def test_quiet_says_nothing_unless_it_ends_early(run, table, store, short):
    assert run("optima", table, *FEW, "--quiet", "--prove", NO_TIME).stderr == ""
    assert run("features", store, "--quiet").stderr == ""
    (line,) = run("optima", table, *short, "-q").stderr.splitlines()
    assert line.startswith("dagscape: stopped by the time limit with ")
    assert line.endswith("; --store FILE would keep them")
    (line,) = run("features", table, *short, "-q").stderr.splitlines()
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
    kept = ds.load_result(store, ds.Landscape)
    assert kept.runs == said["runs"] > 60
    again = run(*words, "--runs", "80", "--all")
    assert again.stdout == run("optima", table, "--k", "0.5", "--runs", "80", "--all").stdout


def test_ctrl_c_in_the_proof_shows_the_optima(spawn, table):
    words = ("optima", table, "--runs", "2", "--prove", AMPLE, "--threads", "1", "--json")
    _, out, err = pressed(spawn(*words, program=pressing(bar=2)))
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
    assert out, err.decode()
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
