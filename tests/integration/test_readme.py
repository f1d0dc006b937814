"""What README shows must run as it stands."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README.read_text("utf-8"), flags=re.DOTALL)


def test_the_python_example_and_then_the_commands(tmp_path):
    (example,) = blocks("python")
    ran = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("optimal among networks with at most 3 parents -")
    assert any(line.startswith("<Landscape: ") for line in lines)
    for line in blocks("sh")[1].splitlines():
        command = [sys.executable, "-m", *shlex.split(line)]
        subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"alarm.csv", "learned.bif", "learned.json", "runs.sqlite"}


def test_the_first_commands_are_make_demo_and_make_test():
    assert [line.split("#")[0].strip() for line in blocks("sh")[0].splitlines()] == [
        "make demo",
        "make test",
    ]
