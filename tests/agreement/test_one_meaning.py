"""One meaning each: the score of a network is the one its search said, and all that is said of a
pair has one probability.

On tables of states, numbers and both, with gaps, groups, experiments, weights, subjects and steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dagscape as ds

pytestmark = pytest.mark.slow


def _states() -> dict[str, list[Any]]:
    data = ds.load_network("asia").sample(240, seed=2)
    return {x: [data.states[x][code] for code in data.column(x)] for x in data.names}


def _numbers() -> dict[str, list[Any]]:
    rng = np.random.default_rng(1)
    a, d = rng.normal(size=(2, 240))
    b = a + rng.normal(size=240)
    c = b - a + rng.normal(size=240)
    return {"a": [*a], "b": [*b], "c": [*c], "d": [*d], "e": [*(d + c + rng.normal(size=240))]}


def _with_gaps(columns: dict[str, list[Any]]) -> ds.Data:
    rng = np.random.default_rng(3)
    few = [*columns][-3:]
    holes = {x: [None if rng.random() < 0.06 else y for y in columns[x][:90]] for x in few}
    return ds.Data(holes, missing="keep")


STATES, NUMBERS = _states(), _numbers()
MIXED = NUMBERS | {"s": ["high" if c > 0 else "low" for c in NUMBERS["c"]]}
SITE = {"site": ["p", "q"] * 120}
DONE = {"done": ["smoke", "", "tub"] * 80}
WHOLE = {
    "states": ds.Data(STATES),
    "numbers": ds.Data(NUMBERS),
    "both": ds.Data(MIXED),
    "groups": ds.Data(STATES | SITE, groups="site"),
    "groups of numbers": ds.Data(NUMBERS | SITE, groups="site"),
    "experiments": ds.Data(STATES | DONE, interventions=ds.Interventions(column="done")),
    "weights": ds.Data(STATES | {"w": [1, 2, 3] * 80}, weights="w"),
    "survey weights": ds.Data(STATES | {"w": [0.5, 1.5] * 120}, survey_weights="w"),
    "subjects": ds.Data(STATES | {"id": [i // 4 for i in range(240)]}, clusters="id"),
    "steps": ds.series(NUMBERS | {"t": [*range(240)]}, time="t", lags=1),
}
GAPS = {
    "gaps": _with_gaps(STATES),
    "gaps in both": _with_gaps(MIXED),
}
SEARCHES: dict[str, Callable[[ds.Data], Any]] = {
    "exact": ds.exact,
    "orders": lambda data: ds.order_search(data, restarts=2, generations=0),
    "grown": lambda data: ds.order_search(data, restarts=2, parent_sets="grown"),
    "ges": ds.ges,
    "kes": lambda data: ds.kes(data, k=0.5),
    "hill_climb": ds.hill_climb,
    "structural_em": ds.structural_em,
    "learn": lambda data: ds.learn(data, runs=0, resamples=0),
    "wide": ds.wide_search,
    "sll_c": ds.sll_c,
    "sll_g": ds.sll_g,
    "mmhc": ds.mmhc,
    "optima": lambda data: ds.local_optima(data, runs=2).best,
    "bootstrap": lambda data: ds.bootstrap(data, runs=1).best,
}
CANNOT = {
    "groups": {"structural_em"},
    "groups of numbers": {"structural_em"},
    "experiments": {"ges", "kes", "mmhc", "optima", "bootstrap"},
    "steps": {"ges", "kes", "sll_c", "optima", "bootstrap"},
}
"""What is refused in a sentence."""


@pytest.mark.parametrize("table", WHOLE)
def test_a_network_has_the_score_that_its_search_said(table):
    data = WHOLE[table]
    refused = set()
    for name, search in SEARCHES.items():
        try:
            found = search(data)
        except ds.DagscapeError:
            refused.add(name)
            continue
        assert ds.score(data, found.dag) == pytest.approx(found.score, abs=1e-6), name
    assert refused == CANNOT.get(table, set())


@pytest.mark.parametrize("table", [*WHOLE, *GAPS])
def test_all_that_is_said_of_a_pair_has_one_probability(table, tmp_path):
    found = ds.learn((WHOLE | GAPS)[table], runs=2, resamples=3, seed=3)
    columns = {"kind": "adjacencies", "least": 0}
    joined = {
        frozenset((row["from"], row["to"])): row["probability"]
        for row in found.posterior.features(**columns).to_dicts()
    }
    consensus = {frozenset(e) for e in (*found.consensus.directed, *found.consensus.undirected)}
    reasons = {frozenset((each.a, each.b)) for each in found.consensus_choices}
    rows = found.features().to_dicts()
    listed = {frozenset((row["from"], row["to"])): row for row in rows}
    shown = _shown(found, tmp_path / "page.html")
    assert {frozenset((edge.a, edge.b)) for edge in found.edges} == set(listed)
    assert consensus <= set(shown) <= set(listed)
    for edge in found.edges:
        pair = frozenset((edge.a, edge.b))
        assert edge.probability == joined.get(pair, 0.0)
        for said in (listed[pair], shown.get(pair, listed[pair])):
            assert (said["probability"], said["verdict"]) == (edge.probability, edge.verdict)
        assert (pair in consensus) == bool(edge.in_consensus)
        # A pair that is more likely joined than not is in the consensus, or it is said why not.
        assert (pair in consensus) == (edge.probability > 0.5) or pair in reasons


def _shown(found: Any, path: Any) -> dict[frozenset[str], dict[str, Any]]:
    """Return the edges of the page, by their pairs."""
    found.report(path)
    page = re.search(
        r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', path.read_text("utf-8"), re.S
    )
    assert page is not None
    content = json.loads(page[1])
    edges, names = content["trust"]["edges"], content["names"]
    columns = {name: [value] * edges["rows"] for name, value in edges["same"].items()}
    columns |= edges["columns"]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return {frozenset((names[row["from"]], names[row["to"]])): row for row in rows}
