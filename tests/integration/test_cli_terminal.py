"""What a terminal would take for commands is shown there, and left as it is in files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dagscape as ds

pytestmark = pytest.mark.slow

ODD = "a\x1b]0;mine\x07\x9b2J\r"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    states = {"T": [ODD, "b"], "U": ["1", "2"]}
    net = ds.Network(ds.Dag(["T", "U"]), states, {"T": [0.75, 0.25], "U": [0.5, 0.5]})
    net.write(tmp_path / "net.json")
    (tmp_path / "rows.csv").write_text("U\n1\n")
    return tmp_path


def commands(files: Path) -> list[list[str]]:
    asked = [str(files / "net.json"), "T"]
    predict = ["predict", asked[0], str(files / "rows.csv"), "--target", "T"]
    drawn = ["sample", asked[0], "--rows", "9"]
    return [predict, [*predict, "--json"], ["query", *asked], ["query", *asked, "--json"], drawn]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no terminals to test with")
def test_in_a_terminal(files):
    for words in commands(files):
        ours, theirs = os.openpty()
        with subprocess.Popen([sys.executable, "-m", "dagscape", *words], stdout=theirs) as process:
            os.close(theirs)
            shown = b""
            try:
                while more := os.read(ours, 1 << 16):
                    shown += more
            except OSError:  # so it ends where a terminal is closed
                pass
            os.close(ours)
        text = shown.decode().replace("\r\n", "\n")
        assert process.returncode == 0, text
        assert not {*text} & {"\x1b", "\x07", "\x9b", "\r"}, words
        assert "mine" in text


def test_in_a_pipe(run, files):
    for words in commands(files):
        end = run(*words)
        assert end.exit_code == 0, end.stderr
        if "--json" in words:
            assert "\x9b" not in end.stdout
            assert repr(ODD) in str(json.loads(end.stdout))
        elif words[0] in ("predict", "sample"):
            assert ODD.encode() in end.stdout_bytes
