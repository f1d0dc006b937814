"""One structure with parameters of each group's own: sums of scores, and what differs."""

from __future__ import annotations

import itertools
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import dagscape as ds
from dagscape.chance.shuffles import Shuffles
from dagscape.cli.app import app

NAMES = ("X0", "X1", "X2", "X3")


def frame(seed: int, rows: int = 150, *, numbers: bool = False) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    site = rng.integers(0, 3, rows)
    site[:30] = np.repeat(np.arange(3), 10)
    own: dict[str, Any] = {f"X{v}": rng.integers(0, 2 + v % 2, rows) for v in range(4)}
    own["X1"] = np.where(rng.random(rows) < 0.2, own["X1"], own["X0"] * (1 + (site == 2)))
    own["X2"] = np.where(site == 1, 0, own["X2"])  # one value at one site
    if numbers:
        own["Z"] = own["X0"] * (site - 1.0) + rng.normal(size=rows)
        own["Y"] = own["Z"] * (1.0 - site) + rng.normal(size=rows)
    return {**own, "site": np.array(["north", "south", "west"])[site]}


def parts(own: dict[str, Any], **settings: Any) -> list[ds.Data]:
    """Return a table of each site, made by hand."""
    states = {name: sorted({str(x) for x in own[name]}) for name in NAMES}
    found = []
    for label in ("north", "south", "west"):
        rows = own["site"] == label
        columns = {x: [str(v) for v in own[x][rows]] for x in NAMES}
        columns |= {x: own[x][rows] for x in own if x in ("Y", "Z", "w")}
        found.append(ds.Data(columns, states=states, **settings))
    return found


SCORES = ("bic", "bdeu(ess=5)", "fitted_dirichlet", "k2", "qnml", "fnml", "aic")


def test_a_score_is_the_sum_of_those_of_the_groups() -> None:
    for seed in range(5):
        own = frame(seed)
        data, each = ds.Data(own, groups="site"), parts(own)
        for score, x in itertools.product(SCORES, NAMES):
            others = [name for name in NAMES if name != x]
            for size in range(4):
                for given in itertools.combinations(others, size):
                    expected = sum(ds.local_score(one, x, given, score=score) for one in each)
                    found = ds.local_score(data, x, given, score=score)
                    assert found == pytest.approx(expected, abs=1e-8), (seed, score, x, given)


def test_sums_hold_with_numbers_and_with_survey_weights() -> None:
    own = frame(1, numbers=True)
    data, each = ds.Data(own, groups="site"), parts(own)
    for score in ("rank_bge", "basis_bic", "bic_cg"):
        for x, given in (("Y", ["Z"]), ("Z", ["X0", "X2"]), ("X1", ["X0"]), ("Y", [])):
            expected = sum(ds.local_score(one, x, given, score=score) for one in each)
            assert ds.local_score(data, x, given, score=score) == pytest.approx(expected), score
    own = {**frame(2), "w": np.random.default_rng(0).random(150) + 0.1}
    data = ds.Data(own, groups="site", survey_weights="w")
    each = parts(own, survey_weights="w")
    expected = sum(ds.local_score(one, "X1", ["X0"], score="bic") for one in each)
    assert ds.local_score(data, "X1", ["X0"], score="bic") == pytest.approx(expected, abs=1e-5)


def every_dag() -> list[ds.Dag]:
    found = []
    pairs = list(itertools.combinations(NAMES, 2))
    for ways in itertools.product((0, 1, 2), repeat=len(pairs)):
        arcs = [p if way == 1 else p[::-1] for p, way in zip(pairs, ways, strict=True) if way]
        with suppress(ds.GraphError):
            found.append(ds.Dag(NAMES, arcs))
    return found


def test_searches_find_the_best_and_bounds_hold() -> None:
    dags = every_dag()
    for seed in range(3):
        data = ds.Data(frame(seed), groups="site")
        for score in ("bic", "bdeu", "fitted_dirichlet"):
            known = {
                (x, given): ds.local_score(data, x, given, score=score)
                for x in NAMES
                for size in range(4)
                for given in itertools.combinations([n for n in NAMES if n != x], size)
            }
            best = max(sum(known[x, tuple(sorted(dag.parents(x)))] for x in NAMES) for dag in dags)
            found = [
                ds.exact(data, score=score, algorithm=how).score
                for how in ("dp", "astar", "systematic")
            ]
            assert found == pytest.approx([best] * 3, abs=1e-6), (seed, score)
            kept = ds.candidate_parents(data, score=score, prior="uniform")
            for (x, given), value in known.items():
                assert kept.best(x, allowed=given)[0] >= value - 1e-9, (seed, score, x, given)
            assert ds.hill_climb(data, score=score, restarts=20).score <= best + 1e-6
            assert ds.ges(data, score=score).score <= best + 1e-6


def test_rows_of_a_group_are_a_table() -> None:
    own = frame(3)
    data = ds.Data(own, groups="site")
    north = data.group("north")
    assert north.n_rows == (own["site"] == "north").sum()
    assert not north.rows.facts
    assert north.states == data.states
    assert data.pooled.n_rows == 150
    assert not data.pooled.rows.facts
    with pytest.raises(ds.ParameterError, match="did you mean"):
        data.group("nort")
    with pytest.raises(ds.ParameterError, match="in no groups"):
        north.group("north")


def grouped(rows: int = 600) -> ds.Data:
    """Return a table in which c depends on b otherwise at one site, and d and e on the site."""
    rng = np.random.default_rng(0)
    site = rng.integers(0, 3, rows)
    a = rng.integers(0, 2, rows)
    b = a ^ (rng.random(rows) < 0.15)
    c = b ^ (rng.random(rows) < 0.15) ^ (site == 2)
    d, e = ((rng.random(rows) < np.array([0.1, 0.5, 0.9])[site]).astype(int) for _ in range(2))
    columns = {"a": a, "b": b.astype(int), "c": c.astype(int), "d": d, "e": e}
    return ds.Data({**columns, "site": np.array(["n", "s", "w"])[site]}, groups="site")


@pytest.mark.slow
def test_learning_says_where_parameters_differ(tmp_path: Path) -> None:
    data = grouped()
    learned = ds.learn(data, runs=0, resamples=4)
    assert {frozenset(arc) for arc in learned.dag.arcs} == {frozenset("ab"), frozenset("bc")}
    found = learned.groups
    assert found is not None
    said = {family.child: family.verdict for family in found.families}
    assert (said["c"], said["d"], said["e"]) == ("differs",) * 3
    child_of_a = next(f for f in found.families if {f.child, *f.parents} == {"a", "b"})
    assert child_of_a.verdict == "same"
    own, pooled = (
        ds.local_score(one, child_of_a.child, child_of_a.parents, score="fnml")
        for one in (data, data.pooled)
    )
    assert child_of_a.evidence == pytest.approx(own - pooled)
    assert found.pooled is not None
    assert frozenset("de") in {frozenset(arc) for arc in found.pooled.dag.arcs}
    assert found.differences(learned.mpdag)
    assert any("the same parameters in all" in words for words in found.told(learned.mpdag))
    path = tmp_path / "page.html"
    learned.report(path)
    page = path.read_text("utf-8")
    assert "The same parameters in all groups" in page
    assert "data:image/svg+xml;base64," in page
    with pytest.raises(ds.DataError, match=r"groups .column .site.*share their parameters"):
        ds.fit(learned.dag, data)


def test_chance_is_looked_for_within_groups() -> None:
    data = grouped()
    within, anyhow = Shuffles(data), Shuffles(data.pooled)
    assert anyhow.alone("d", "e") < -20
    assert within.alone("d", "e") > -6
    assert within.alone("a", "b") < -20


@pytest.mark.slow
def test_the_command_writes_a_network_for_each_group(tmp_path: Path) -> None:
    data = grouped(300)
    assert data.rows.groups is not None
    table = data.to_polars()
    labels = [data.rows.groups.labels[code] for code in data.rows.groups.codes]
    table.with_columns(site=np.array(labels)).write_csv(tmp_path / "t.csv")
    done = CliRunner().invoke(
        app,
        ["learn", str(tmp_path / "t.csv"), "--groups", "site", "--runs", "0", "--resamples", "4"],
    )
    assert done.exit_code == 0, done.output
    folder = tmp_path / "t-learned"
    assert {path.name for path in folder.glob("network-*.bif")} == {
        "network-n.bif",
        "network-s.bif",
        "network-w.bif",
    }
    assert "parameters differ between groups" in done.output
    run = json.loads((folder / "run.json").read_text("utf-8"))
    assert run["groups"]["column"] == "site"
