"""The package for R, where R is: it installs, its pages are right, and its own tests pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "r"
SCRIPTS = sorted((PACKAGE / "tests").glob("*.R"))

WITH_JSON = 'quit(status = !requireNamespace("jsonlite", quietly = TRUE))'
PAGES = """
told <- lapply(list.files("man", full.names = TRUE), tools::checkRd)
if (any(lengths(told) > 0)) stop(unlist(told))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Install the package into a library of its own."""
    if shutil.which("Rscript") is None:
        pytest.skip("R is not here: the package for R is not tested")
    if subprocess.run(["Rscript", "-e", WITH_JSON], check=False).returncode:
        pytest.skip("R has no package jsonlite: the package for R is not tested")
    folder = tmp_path_factory.mktemp("library")
    said(["R", "CMD", "INSTALL", "--no-test-load", f"--library={folder}", str(PACKAGE)], folder)
    return folder


def said(command, folder, **environment):
    """Run a command, which must end well, and return what it said."""
    ran = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not ran.returncode, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_its_own_tests(library, tmp_path, script):
    command = shutil.which("dagscape", path=Path(sys.executable).parent)
    told = said(
        ["Rscript", str(script)],
        tmp_path,
        R_LIBS=str(library),
        DAGSCAPE_COMMAND=str(command),
    )
    assert "not tried" not in told


@pytest.mark.slow
def test_what_its_readme_shows(library, tmp_path):
    shown = (PACKAGE / "README.md").read_text("utf-8")
    lines = shown.split("```r\n")[1].partition("```")[0]
    command = str(shutil.which("dagscape", path=Path(sys.executable).parent))
    wanted = lines.partition("# of: dagscape ")[2].partition("\n")[0]
    said([command, *wanted.split()], tmp_path)
    quick = lines.replace("learn(asia)", "learn(asia, resamples = 2, runs = 0)")
    quick = quick.replace("browseURL", "file.exists")
    quick = quick.replace("examine(drawn, asia)", "examine(drawn, asia, relabelings = 0)")
    script = tmp_path / "readme.R"
    script.write_text(quick, "utf-8")
    told = said(["Rscript", str(script)], tmp_path, R_LIBS=str(library), DAGSCAPE_COMMAND=command)
    for words in ("near certain", "do(smoke)", "nats below the best network"):
        assert words in told


@pytest.mark.slow
def test_its_pages_can_be_read(library):
    said(["Rscript", "-e", PAGES], PACKAGE, R_LIBS=str(library))


def test_it_has_the_version_of_the_command():
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    assert f"\nVersion: {version}\n" in (PACKAGE / "DESCRIPTION").read_text("utf-8")


def test_every_exported_function_has_a_page():
    exported = (PACKAGE / "NAMESPACE").read_text("utf-8").partition("export(")[2].partition(")")[0]
    pages = "".join(page.read_text("utf-8") for page in (PACKAGE / "man").glob("*.Rd"))
    for name in exported.replace("\n", " ").split(","):
        assert f"\\alias{{{name.strip()}}}" in pages
