"""Scores of numbers against PyBNesian's."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import dagscape as ds

SAVED = json.loads((Path(__file__).parent / "pybnesian_scores.json").read_text())
N = len(SAVED["g"])


@pytest.mark.parametrize(
    ("key", "score"), [("bge", ds.BGe()), ("bge_iss", ds.BGe(iss_mu=2.0, iss_w=9.0))]
)
def test_bge(key, score):
    data = ds.Data(SAVED["rows"])
    for child, parents, expected in SAVED[key]:
        found = ds.local_score(data, child, parents, score=score)
        assert found == pytest.approx(expected, rel=1e-9)


def unbiased(rows, parents):
    """Return what PyBNesian's likelihood has less: it divides squares by the degrees of freedom."""
    free = rows - parents - 1
    return rows / 2 * math.log(rows / free) + (free - rows) / 2


def test_gaussian_bic():
    data = ds.Data(SAVED["rows"])
    for child, parents, expected in SAVED["bic"]:
        found = ds.local_score(data, child, parents, score=ds.GaussianBIC())
        assert found - unbiased(N, len(parents)) == pytest.approx(expected, rel=1e-8)


def test_conditional_gaussian():
    """A continuous child with discrete and continuous parents: where both definitions are one."""
    data = ds.Data({**SAVED["rows"], "g": ["ab"[code] for code in SAVED["g"]]})
    cells = [SAVED["g"].count(0), SAVED["g"].count(1)]
    for child, parents, expected in SAVED["clg"]:
        found = ds.local_score(data, child, parents, score=ds.ConditionalGaussian())
        off = sum(unbiased(cell, len(parents) - 1) for cell in cells)
        assert found - off == pytest.approx(expected, rel=1e-8)
