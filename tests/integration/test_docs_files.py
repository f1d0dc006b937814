"""What docs/reference/files.md shows must run as it stands."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "files.md"


def block(language):
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    return found


def test_the_commands(run, tmp_path):
    for line in block("sh").splitlines():
        assert run(*shlex.split(line)[1:]).exit_code == 0, line
    kinds = {path.suffix for path in tmp_path.iterdir()}
    assert kinds == {".bif", ".graphml", ".dot", ".csv", ".parquet", ".jkl", ".pss", ".gml"}


def test_the_python_example(tmp_path):
    subprocess.run(
        [sys.executable, "-c", block("python")], cwd=tmp_path, capture_output=True, check=True
    )
    assert "confidence" in (tmp_path / "best.graphml").read_text("utf-8")
