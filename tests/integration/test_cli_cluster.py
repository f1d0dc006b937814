"""``--cluster`` on the command line: the same answers, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dagscape as ds

pytest.importorskip("distributed")

WAIT = 60  # seconds against hanging for ever

LISTENING = [
    sys.executable,
    "-c",
    "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "runpy.run_module('dagscape', run_name='__main__')",
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    ds.load_network("child").sample(300, seed=3).write(tmp_path / "child.csv")
    return tmp_path / "child.csv"


@pytest.mark.parametrize(
    "words",
    [
        ("optima", "--runs", "40", "--k", "0.5", "--all"),
        ("features", "--runs", "10", "--method", "bootstrap"),
        ("parents", "--max-parents", "2"),
        ("blanket", "--all"),
    ],
)
def test_same_answer(run, table, words):
    command, *options = words
    here = run(command, table, *options)
    there = run(command, table, *options, "--cluster", "local:2")
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
    give_up = time.monotonic() + WAIT
    while not _runs(store):
        assert time.monotonic() < give_up, "no run is done"
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=WAIT)
    assert process.returncode == 130
    assert "stopped by Ctrl-C" in said
    assert "Traceback" not in said
    assert _runs(store) > 0


def _runs(store: Path) -> int:
    try:
        return ds.load_landscape(store).runs
    except ds.DagscapeError:  # not there yet, or not quite
        return 0


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("local:many", '--cluster local:many must name a number of processes, as in "local:4"'),
        ("here", 'no scheduler answers at "here"'),
    ],
)
def test_mistakes(run, table, address, sentence):
    done = run("optima", table, "--cluster", address)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) <= 2
