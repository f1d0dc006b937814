"""Answers prepared for a page: exact ones are the package's, estimates are as near as they say."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

import dagscape as ds
from dagscape.report import page_answers


def unpacked(text: str, states: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<u2").reshape(states, states) / 65_535


def answers(network: ds.Network, given: dict[str, str], doing: bool) -> np.ndarray:
    asked = network.do(given).query_all() if doing else network.query_all(given)
    return np.concatenate([asked[x].array for x in network.names])


@pytest.fixture(scope="module")
def network() -> ds.Network:
    return ds.load_network("insurance")


@pytest.fixture(scope="module")
def both(network) -> dict[str, dict[str, Any]]:
    """The answers of a network in each way."""
    exact = page_answers.prepared_answers(network, network.names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_answers, "EXACT_CELLS", -1)
        return {"exact": exact, "estimated": page_answers.prepared_answers(network, network.names)}


@pytest.fixture(params=["exact", "estimated"])
def way(request, monkeypatch):
    if request.param == "estimated":
        monkeypatch.setattr(page_answers, "EXACT_CELLS", -1)
    return request.param


@pytest.mark.slow
@pytest.mark.parametrize("way", ["exact", "estimated"])
def test_every_state_has_its_answers(network, both, way):
    found = both[way]
    assert (found["cases"] is None) == (way == "exact")
    given = [(x, state) for x in network.names for state in network.states[x]]
    off_by = 0.5001 / 65_535
    for kind in ("see", "do"):
        tables = unpacked(found[kind], len(given))
        for i, (x, state) in enumerate(given):
            if kind == "see" and i in found["unknown"]:
                assert not tables[i].any()
                continue
            if found["cases"]:
                count = found["cases"]["do"] if kind == "do" else found["cases"]["see"][i]
                assert count >= page_answers.FEWEST
                # Five standard errors of a share of one half, for 89 * 89 answers of each kind.
                off_by = 2.5 / np.sqrt(count)
            exact = answers(network, {x: state}, kind == "do")
            assert np.abs(tables[i] - exact).max() <= off_by, (kind, x, state)


@pytest.mark.parametrize("way", ["exact", "estimated"])
def test_nothing_given(network, both, way):
    found = both[way]
    exact = answers(network, {}, doing=False)
    off_by = 1e-6 if way == "exact" else 2.5 / np.sqrt(page_answers.SEEN)
    assert np.abs(found["before"] - exact).max() <= off_by


def test_what_setting_cannot_change_does_not(network, both):
    found = both["estimated"]
    sizes = [len(network.states[x]) for x in network.names]
    tables = unpacked(found["do"], sum(sizes))
    owner = np.repeat(network.names, sizes)
    for i, x in enumerate(owner):
        free = ~np.isin(owner, [x, *network.dag.descendants(x)])
        assert np.abs(tables[i][free] - np.array(found["before"])[free]).max() <= 1 / 65_535


def test_impossible_states_have_no_answer_to_see_but_can_be_set(way):
    dag = ds.Dag(["a", "b"], [("a", "b")])
    tables = {"a": np.array([1.0, 0.0]), "b": np.array([[0.25, 0.75], [0.5, 0.5]])}
    network = ds.Network(dag, {"a": ["x", "y"], "b": ["x", "y"]}, tables)
    found = page_answers.prepared_answers(network, network.names)
    assert found["unknown"] == [1]
    off_by = 1e-4 if way == "exact" else 0.02
    assert unpacked(found["do"], 4)[1] == pytest.approx([0, 1, 0.5, 0.5], abs=off_by)


def test_states_drawn_too_rarely_are_unknown(monkeypatch):
    monkeypatch.setattr(page_answers, "EXACT_CELLS", -1)
    dag = ds.Dag(["a"], [])
    share = 0.5 * page_answers.FEWEST / page_answers.SEEN
    network = ds.Network(dag, {"a": ["x", "y"]}, {"a": np.array([1 - share, share])})
    assert page_answers.prepared_answers(network, ("a",))["unknown"] == [1]


def test_too_many_states_are_refused():
    network = ds.load_network("alarm").tile(6)
    assert page_answers.prepared_answers(network, network.names) is None


@pytest.mark.slow
def test_only_pages_that_cannot_compute_have_them():
    small = ds.load_network("alarm")
    complete = [{"table": []}] * len(small.names)
    assert page_answers.prepared_for(complete, small, small.names) is None
    assert page_answers.prepared_for([*complete[1:], {}], small, small.names) is not None
