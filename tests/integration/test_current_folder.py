"""Files beside the data are never run: a folder from anybody may hold any of them."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import dagscape as ds
from limits import WAIT

pytestmark = pytest.mark.slow

DECOY = """
import os
open(os.path.join({folder!r}, "ran"), "a").write({name!r} + " ")
raise SystemExit({name!r})
"""

COMMAND = [str(Path(sys.executable).with_name("dagscape"))]
MODULE = [sys.executable, "-m", "dagscape"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with data, and with a file for every module that Python or a package has."""
    names = {*sys.stdlib_module_names, *packages_distributions()}
    folder = tmp_path_factory.mktemp("from-anybody")
    filled(folder, names | {"sitecustomize", "usercustomize", "evil"})
    return folder


@pytest.fixture(scope="module")
def folder_first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without modules that Python itself imports before it runs anything of ours.

    For when Python is told to look in the current folder first.
    """
    code = "import runpy, sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = {name.partition(".")[0] for name in run.stdout.split()}
    folder = tmp_path_factory.mktemp("from-anybody-first")
    names = {*sys.stdlib_module_names, *packages_distributions()} - own - {"dagscape"}
    filled(folder, names | {"evil"})
    return folder


def filled(folder: Path, names: set[str]) -> None:
    for name in names:
        (folder / f"{name}.py").write_text(DECOY.format(folder=str(folder), name=name))
    (folder / "matplotlibrc").write_text(
        "backend: module://evil\ntext.usetex: True\naxes.facecolor: red\n"
    )
    (folder / ".env").write_text("PYTHONSTARTUP=evil.py\n")
    (folder / ".Rprofile").write_text('stop("evil")\n')
    data = ds.load_network("asia").sample(200, seed=0)
    for ending in ("parquet", "arrow"):
        data.write(folder / f"data.{ending}")


def outcome(
    folder: Path, program: list[str], *words: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    end = subprocess.run(
        [*program, *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=WAIT,
    )
    marks = folder / "ran"
    ran = marks.read_text() if marks.exists() else ""
    marks.unlink(missing_ok=True)
    assert not ran, f"{ran}: {end.stderr}"
    return end


@pytest.fixture
def command() -> list[str]:
    if not Path(COMMAND[0]).exists():
        pytest.skip("the command is not installed beside Python")
    return COMMAND


@pytest.mark.parametrize("table", ["data.parquet", "data.arrow"])
def test_reading(folder, command, table):
    end = outcome(folder, command, "check", table)
    assert end.returncode == 0, end.stderr
    assert "200 rows" in end.stdout


@pytest.mark.parametrize("path", ["", os.pathsep])
def test_python_that_looks_in_the_current_folder(folder_first, path):
    end = outcome(folder_first, MODULE, "check", "data.parquet", PYTHONPATH=path)
    assert end.returncode == 0, end.stderr
    assert "200 rows" in end.stdout


@pytest.mark.parametrize("module", [["-u", "-m", "dagscape"], ["-Wignore", "-mdagscape"]])
def test_python_with_options(folder_first, module):
    end = outcome(folder_first, [sys.executable, *module], "check", "data.parquet")
    assert end.returncode == 0, end.stderr
    assert "200 rows" in end.stdout


def test_learning_with_pictures(folder, command):
    words = ("learn", "data.parquet", "--runs=2", "--resamples=2", "--quiet", "--out=found")
    end = outcome(folder, command, *words)
    assert end.returncode == 0, end.stderr
    assert (folder / "found" / "network.pdf").exists()


def test_settings_of_matplotlib_beside_the_data(folder, command, tmp_path):
    pytest.importorskip("matplotlib")
    words = ("features", "data.parquet", "--runs=2", "--plot")
    plotted = outcome(folder, command, *words, str(tmp_path / "here.svg"))
    assert plotted.returncode == 0, plotted.stderr
    plotted = outcome(
        tmp_path, command, words[0], str(folder / words[1]), *words[2:], str(tmp_path / "there.svg")
    )
    assert plotted.returncode == 0, plotted.stderr
    assert (tmp_path / "here.svg").read_bytes() == (tmp_path / "there.svg").read_bytes()


def test_processes_of_a_cluster(folder, command):
    pytest.importorskip("distributed")
    words = ("optima", "data.parquet", "--runs=2", "--cluster=local:1")
    end = outcome(folder, command, *words)
    assert end.returncode == 0, end.stderr
