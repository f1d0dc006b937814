"""The command that compares every probability with a list of all networks, in small."""

import importlib

import numpy as np
import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def script():
    return importlib.import_module("posterior_listing")


def test_the_list_has_all_networks_and_classes(script):
    networks = [len(script.listing(n).places) for n in range(1, 5)]
    assert networks == [1, 3, 25, 543]
    assert [script.listing(n).classes.max() + 1 for n in range(1, 5)] == [1, 2, 11, 185]


@pytest.mark.parametrize("score", ["bdeu 1", "k2", "bic"])
def test_probabilities_are_those_of_the_list(script, score):
    for n, number in [(2, 0), (3, 1), (3, 2)]:
        for known, limit in script.settings(n, number):
            data = script.drawn_table(n, number)
            difference, compared = script.compare(data, score, "fair", known, limit)
            assert difference < 1e-9
            assert compared > 10


def test_a_wrong_probability_is_seen(script, monkeypatch):
    rng = np.random.default_rng(0)
    data = ds.Data({"a": rng.integers(0, 2, 30), "b": rng.integers(0, 2, 30)})
    right = script.ds.posterior
    monkeypatch.setattr(
        script.ds, "posterior", lambda data, **asked: right(data, **asked | {"prior": "fair"})
    )
    prior = script.compare(data, "bdeu 1", "edges", ds.Knowledge(), None)
    assert prior[0] > 1e-3
