"""A folder that a command fills has one writer, and nobody once that one ended, however it did."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dagscape as ds
from dagscape.cli import folder as folders
from dagscape.cli.folder_lock import LOCK, one_writer

pytestmark = pytest.mark.slow

HOLD = """
import sys, time
sys.argv = ["dagscape", "learn", "their table.csv"]
from pathlib import Path
from dagscape.cli.folder_lock import one_writer
with one_writer(Path("found")):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    ds.load_network("asia").sample(100, seed=2).write(tmp_path / "asia.csv")
    return tmp_path / "asia.csv"


@pytest.fixture
def other(tmp_path: Path):
    """Another process that fills the folder "found"."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def learned(run, table):
    return run("learn", table, "--out", "found", "--runs=0", "--resamples=0", "--quiet")


def test_the_second_says_who_is_at_work_and_ends(run, table, other, tmp_path):
    for command in (lambda: learned(run, table), lambda: run("demo", "--out", "found")):
        end = command()
        assert end.exit_code == 2
        assert re.fullmatch(
            rf'dagscape: "found" is being filled by process {other.pid} since '
            r"\d{4}-\d\d-\d\d \d\d:\d\d: dagscape learn 'their table.csv'; wait for it to end, or "
            r"name another --out\n",
            end.stderr,
        )
    assert [path.name for path in (tmp_path / "found").iterdir()] == [LOCK]
    other.communicate("")
    assert not [*(tmp_path / "found").iterdir()]
    assert learned(run, table).exit_code == 0


def test_a_killed_process_leaves_no_lock(run, table, other, tmp_path):
    other.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    other.wait()
    assert (tmp_path / "found" / LOCK).exists()
    end = learned(run, table)
    assert end.exit_code == 0, end.stderr
    assert not (tmp_path / "found" / LOCK).exists()


@pytest.mark.usefixtures("other")
def test_a_writer_that_says_nothing_of_itself(run, table, tmp_path):
    for content in (b"", b"\xff", b"[]", b'{"process": 1}', b"[" * 10_000):
        (tmp_path / "found" / LOCK).write_bytes(content)
        end = learned(run, table)
        assert end.exit_code == 2, content
        assert '"found" is being filled by another process; wait' in end.stderr, content


@pytest.mark.usefixtures("other")
def test_another_user_on_another_machine(run, table, tmp_path):
    (tmp_path / "found" / LOCK).write_text(
        '{"process": 7, "machine": "far\\u001b[2J", "since": "2026-01-01 00:00", "command": "c", '
        '"user": "eve"}'
    )
    end = learned(run, table)
    assert r"by process 7 of eve on far\x1b[2J since 2026-01-01 00:00: c; wait" in end.stderr


def test_between_two_writers_the_file_may_go(tmp_path, monkeypatch):
    """The one before removes the file after we opened it: what we lock is not there any more."""
    from dagscape.cli import folder_lock as module

    locked, removed = module._locked, []

    def remove_first(file):
        if not removed:
            removed.append((tmp_path / LOCK).unlink())
        return locked(file)

    monkeypatch.setattr(module, "_locked", remove_first)
    with one_writer(tmp_path):
        assert (tmp_path / LOCK).exists()
        with pytest.raises(ds.ParameterError, match="is being filled by process"):
            one_writer(tmp_path).__enter__()


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="links are followed here")
def test_a_link_in_place_of_the_lock_is_not_followed(run, table, tmp_path):
    (tmp_path / "mine").write_text("kept")
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / LOCK).symlink_to(tmp_path / "mine")
    end = learned(run, table)
    assert end.exit_code == 2
    assert '"found" cannot be written' in end.stderr
    assert (tmp_path / "mine").read_text() == "kept"


def test_it_is_let_go_after_an_error(run, table, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise ds.ParameterError("no")

    monkeypatch.setattr(folders.Folder, "write", fail)
    assert learned(run, table).exit_code == 2
    assert not (tmp_path / "found" / LOCK).exists()
