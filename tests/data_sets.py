"""Data sets that are no part of the repository; tests that need one skip without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


def data_folder() -> Path:
    """Return the folder of data sets, which may not be there."""
    return Path(os.environ.get("DAGSCAPE_DATA") or BESIDE)


def data_set(name: str) -> Path:
    """Return a file or folder of the folder of data sets, or skip the test."""
    path = data_folder() / name
    if not path.exists():
        pytest.skip(f"{name} is not here; DAGSCAPE_DATA names the folder of data sets")
    return path
