"""The command that says how far the sampled posterior can be believed, in small."""

import importlib

import numpy as np
import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def script():
    return importlib.import_module("posterior_by_chains")


def test_one_case(script):
    asia = ds.load_network("asia")
    case = script.Case(asia.sample(1000, seed=0), asia, {"chains": 2})
    found, cpu, wall = script.ask(case, 3, rounds=50)
    assert (found.agreement.chains, found.seed) == (2, 3)
    assert min(cpu, wall) > 0
    assert script.arcs_of(found).shape == (56,)
    precision, brier = script.judged(found, asia)
    assert 0.5 < precision <= 1
    assert 0 < brier < 0.2


def test_unsettled_arcs_are_counted(script):
    class Told:
        def features(self, _kind, frame):  # noqa: ARG002
            return {
                "lower": [0.3, 0.0, 0.6],
                "probability": [0.5, 0.05, 0.9],
                "upper": [0.55, 0.1, 1],
            }

    assert script.unsettled(Told()) == 2


def test_what_a_case_is_judged_by(script):
    class Told:
        def features(self, _kind, frame):  # noqa: ARG002
            return {"from": ["a", "a", "b"], "to": ["b", "c", "c"], "probability": [0.2, 0.9, 0.6]}

    class Truth:
        dag = ds.Dag(["a", "b", "c"], [("c", "a"), ("a", "b")])

    precision, brier = script.judged(Told(), Truth())
    assert precision == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert brier == pytest.approx(np.mean([0.8**2, 0.1**2, 0.6**2]))
