"""``--cluster`` on the command line: the same answers, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

import dagscape as ds
from limits import WAIT
from listening import LISTENING, wait_until

pytest.importorskip("distributed")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    ds.load_network("child").sample(300, seed=3).write(tmp_path / "child.csv")
    return tmp_path / "child.csv"


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Return the address of two workers."""
    from dask_processes import Processes  # not before it is known that there is Dask

    processes = Processes(tmp_path_factory.mktemp("two"))
    processes.add_workers("one", "two")
    yield processes.address
    processes.close()


@pytest.mark.parametrize(
    "words",
    [
        ("optima", "--runs", "40", "--k", "0.5", "--all"),
        ("features", "--runs", "10", "--method", "bootstrap"),
        ("parents", "--max-parents", "2"),
        ("blanket", "--all"),
    ],
)
def test_same_answer(run, table, two, words):
    command, *options = words
    here = run(command, table, *options)
    there = run(command, table, *options, "--cluster", two)
    assert there.exit_code == here.exit_code == 0, there.stderr
    assert there.stdout == here.stdout


def test_ctrl_c_in_a_terminal_reaches_all_processes(table):
    store = table.with_name("runs.sqlite")
    process = subprocess.Popen(
        [*LISTENING, "optima", table, "--runs", "1000000", "--store", store, "--cluster=local:2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(process, lambda: _runs(store) > 0)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=WAIT)
    assert process.returncode == 130
    assert "stopped by Ctrl-C" in said
    assert "Traceback" not in said
    assert _runs(store) > 0


def _runs(store: Path) -> int:
    try:
        return ds.load_result(store, ds.Landscape).runs
    except ds.DagscapeError:  # not there yet, or not quite
        return 0


def test_a_lost_scheduler_is_told_and_the_same_command_goes_on(run, table, tmp_path):
    from dask_processes import Processes  # not before it is known that there is Dask

    processes = Processes(tmp_path)
    try:
        processes.add_workers("one")
        store = tmp_path / "runs.sqlite"
        words = ("optima", table, "--runs", "1000000", "--store", store)
        command = subprocess.Popen(
            [*LISTENING, *words, "--cluster", processes.address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_until(command, lambda: _runs(store) > 0)
        processes.kill_scheduler()
        _, said = command.communicate(timeout=WAIT)
    finally:
        processes.close()
    assert command.returncode == 3, said
    assert "is gone; what came back before is kept" in said
    assert "the same command goes on from there" in said
    assert "/dagscape/" not in said  # a traceback of ours; Dask may write one of its own
    before = _runs(store)
    assert before > 0
    done = run("optima", table, "--runs", before + 5, "--store", store)
    assert done.exit_code == 0
    assert _runs(store) >= before + 5


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("local:many", '--cluster local:many must name a number of processes, as in "local:4"'),
        ("here", '--cluster must be a Dask client, an address such as "tcp://host:8786"'),
    ],
)
def test_mistakes(run, table, address, sentence):
    done = run("optima", table, "--cluster", address)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) <= 2
