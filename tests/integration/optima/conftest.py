"""A table, a store of runs on it, and the landscape of these."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ds.Landscape]:
    """Return a folder with a table and a store of runs on it, and the landscape of these."""
    folder = tmp_path_factory.mktemp("made")
    ds.load_network("child").sample(300, seed=3).write(folder / "child.csv")
    data = ds.read_data(folder / "child.csv")
    return folder, ds.local_optima(data, runs=60, k=0.5, store=folder / "runs.sqlite")


@pytest.fixture
def table(made: tuple[Path, ds.Landscape], tmp_path: Path) -> Path:
    return Path(shutil.copy(made[0] / "child.csv", tmp_path))


@pytest.fixture
def store(made: tuple[Path, ds.Landscape], tmp_path: Path) -> Path:
    return Path(shutil.copy(made[0] / "runs.sqlite", tmp_path))


@pytest.fixture
def landscape(made: tuple[Path, ds.Landscape]) -> ds.Landscape:
    return made[1]
