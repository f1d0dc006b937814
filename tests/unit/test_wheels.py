"""What makes wheels: which Pythons it finds, and that the release makes the same."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import make_wheels
import pytest

PROJECT = Path(__file__).parents[2].joinpath("pyproject.toml").read_text("utf-8")


@pytest.mark.slow
def test_pythons_are_found_by_what_they_say_of_themselves(tmp_path):
    here = sys.version_info[:2]
    assert make_wheels.version(Path(sys.executable)) == here
    broken = tmp_path / "python3.12"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert make_wheels.version(broken) == (0, 0)


@pytest.mark.slow
def test_broken_pythons_on_the_path_are_passed_over(tmp_path, monkeypatch):
    (tmp_path / "python3.12").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3.12").chmod(0o755)
    (tmp_path / "python3.13-config").symlink_to(sys.executable)
    (tmp_path / "python3.11").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert make_wheels.found() == {sys.version_info[:2]: tmp_path / "python3.11"}


def test_the_release_has_a_wheel_for_every_python():
    oldest = re.search(r'requires-python = ">=3\.(\d+)"', PROJECT)[1]
    stable = re.search(r'wheel\.py-api = "cp3(\d+)"', PROJECT)[1]
    built = [int(minor) for minor in re.findall(r'"cp3(\d+)-\*"', PROJECT)]
    assert built == list(range(int(oldest), int(stable) + 1))
    assert (3, int(oldest)) == make_wheels.OLDEST
    assert (3, int(stable)) == make_wheels.STABLE
