from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from answers import check_answer
from dagscape.cli.app import app

Run = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in this process, in a folder of its own; what it writes as JSON must be as the
    schema has it."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Result:
        given = [str(word) for word in words]
        result = CliRunner().invoke(app, given, catch_exceptions=False)
        if "--json" in given and result.exit_code == 0:
            check_answer(given[0], result.stdout)
        return result

    return call


@pytest.fixture
def spawn(tmp_path: Path) -> Spawn:
    """Start the command line in a process, in a folder of its own, without forced colors."""
    forced = ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "NO_COLOR")
    env = {name: value for name, value in os.environ.items() if name not in forced}
    env["TERM"] = "xterm-256color"

    def start(
        *words: object,
        program: Sequence[str] = (sys.executable, "-m", "dagscape"),
        stdout: int = subprocess.PIPE,
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*program, *(str(word) for word in words)],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=env,
        )

    return start


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave commands, clusters and pages out of `make quick`."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
