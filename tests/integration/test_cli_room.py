"""Too little memory for the libraries is told in a sentence; no time limit is one, too."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dagscape as ds
from dagscape.cli import app

LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (1_200_000_000, -1))
sys.argv = ["dagscape", *sys.argv[1:]]
from dagscape.cli import main
main()
"""


@pytest.fixture
def table(tmp_path):
    ds.Data({"a": ["x", "y"] * 6, "b": ["u", "u", "v"] * 4}).write(tmp_path / "t.csv")
    return tmp_path / "t.csv"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="others do not count address space this way")
def test_little_address_space(table):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "learn", str(table)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == (
        "dagscape: this process may use 1.2 GB of address space, and needs 1.5 GB; ulimit -v "
        "raises it\n"
    )


def test_a_library_that_cannot_be_loaded(monkeypatch, capsys):
    def fail(_):
        raise ImportError("libx.so: failed to map segment from shared object")

    monkeypatch.setattr(app, "_import_for", fail)
    monkeypatch.setattr(sys, "argv", ["dagscape", "learn", "t.csv"])
    with pytest.raises(SystemExit) as end:
        app.main()
    assert end.value.code == 2
    assert capsys.readouterr().err == (
        "dagscape: a library cannot be loaded, perhaps for lack of memory: libx.so: failed to map "
        "segment from shared object\n"
    )


def test_no_time_limit(run, table):
    words = ("learn", table, "--time-limit", "inf")
    planned = run(*words, "--dry-run")
    assert planned.exit_code == 0
    assert "Learning: as long as it takes." in planned.stdout
    done = run(*words, "--runs=1", "--resamples=0")
    assert done.exit_code == 0
    assert "2 variables, 12 rows: as long as it takes to learn" in done.stderr
