"""The command line as the shell meets it: entry points, signals, pipes, terminals."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from limits import WAIT
from listening import LISTENING, interrupted


def test_the_installed_command_and_the_module_are_the_same(spawn):
    version = f"dagscape {importlib.metadata.version('dagscape')}\n".encode()
    script = Path(sysconfig.get_path("scripts"), "dagscape")
    for program in ([str(script)], [sys.executable, "-m", "dagscape"]):
        process = spawn("--version", program=program)
        assert process.communicate(timeout=WAIT) == (version, b"")
        assert process.returncode == 0


def test_bad_input_ends_with_2_and_no_traceback(spawn):
    process = spawn("score", "nowhere.csv", "asia")
    out, err = process.communicate(timeout=WAIT)
    assert (process.returncode, out) == (2, b"")
    assert err == b'dagscape: there is no file "nowhere.csv"\n'


def test_ctrl_c_ends_with_130_and_one_line(spawn):
    process = spawn("sample", "asia", "-n", "200000", program=LISTENING)
    process.stdout.read(1)  # it writes now, and no one reads on: it waits in the pipe
    assert interrupted(process).err == b"dagscape: interrupted\n"


DEMO = pytest.param(["demo"], marks=pytest.mark.long)


@pytest.mark.parametrize("words", [["sample", "asia", "-n", "200000"], ["--help"], DEMO])
def test_a_reader_that_leaves_early_is_no_error(spawn, words):
    process = spawn(*words)
    if words[0] == "sample":
        assert process.stdout.readline().startswith(b"asia,")
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=WAIT) in (0, 1)
    assert all(line.startswith(b"dagscape: 37 variables, ") for line in said.splitlines())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no full device")
@pytest.mark.parametrize("words", [["sample", "asia", "-n", "5"], ["--version"]])
def test_output_that_does_not_fit_is_one_line(spawn, words):
    with open("/dev/full", "wb") as full:
        process = spawn(*words, stdout=full.fileno())
        _, err = process.communicate(timeout=WAIT)
    assert process.returncode == 2
    assert err == b"dagscape: the output cannot be written: No space left on device\n"


def test_colors_are_for_terminals(spawn, tmp_path):
    pty = pytest.importorskip("pty")
    (tmp_path / "data.csv").write_text("a,b\n" + "1,x\n2,y\n1,y\n2,x\n" * 3)
    (tmp_path / "arcs.csv").write_text("from,to\na,b\n")
    for words in (["--help"], ["score", "data.csv", "arcs.csv", "--by-variable"]):
        plain, _ = spawn(*words).communicate(timeout=WAIT)
        leader, follower = pty.openpty()
        process = spawn(*words, stdout=follower)
        os.close(follower)
        shown = read_all(leader)
        assert process.communicate(timeout=WAIT) == (None, b"")
        assert b"\x1b[" in shown
        assert b"\x1b[" not in plain
    assert b"total" in shown
    assert b"total" not in plain  # a pipe gets rows only, so that columns can be added up


def read_all(leader: int) -> bytes:
    read = b""
    try:
        while part := os.read(leader, 65536):
            read += part
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(leader)
    return read


def test_names_beyond_ascii_leave_a_process_as_utf8(tmp_path):
    (tmp_path / "data.csv").write_text("ä,日本\n1,x\n2,y\n1,y\n2,x\n", encoding="utf-8")
    (tmp_path / "arcs.csv").write_text("from,to\nä,日本\n", encoding="utf-8")
    words = ["score", "data.csv", "arcs.csv", "--by-variable"]
    out = subprocess.run(
        [sys.executable, "-m", "dagscape", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=True,
        timeout=WAIT,
    ).stdout
    assert out.decode("utf-8").splitlines()[2].startswith("日本\tä\t")
