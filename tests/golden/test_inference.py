"""Answers of large networks against those of pyAgrum."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

import dagscape as ds

CASES = json.loads((Path(__file__).parent / "inference.json").read_text("utf-8"))["cases"]
TOLERANCE = 1e-6  # pyAgrum reads the numbers of a file in single precision


@pytest.mark.parametrize("case", [c for c in CASES if "marginals" in c])
def test_marginals(case):
    net = ds.load_network(case["network"])
    found = net.query_all(case["given"])
    for x, expected in case["marginals"].items():
        assert found[x].array == pytest.approx(expected, abs=TOLERANCE)
    first = next(iter(case["marginals"]))
    alone = net.query(first, case["given"])
    assert alone.array == pytest.approx(case["marginals"][first], abs=TOLERANCE)


@pytest.mark.parametrize("case", [c for c in CASES if "joint" in c])
def test_joint_distributions(case):
    net = ds.load_network(case["network"])
    found = net.query(case["together"])
    keys = itertools.product(*(net.states[x] for x in case["together"]))
    assert {key: case["joint"]["|".join(key)] for key in keys} == pytest.approx(
        found, abs=TOLERANCE
    )
