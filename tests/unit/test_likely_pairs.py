"""Probabilities where cells are missing and not all sets of parents can be weighed."""

from __future__ import annotations

from pathlib import Path

import pytest

import dagscape as ds
from dagscape.claims.journal import Reason
from dagscape.learning import incomplete, plan, sensitivity
from dagscape.learning.plan import likely_pairs
from limits import AMPLE
from toys.holed import holed


def said(P: ds.Posterior) -> set[frozenset[str]]:
    """Return the pairs that are not impossible."""
    told = P.features("adjacencies", least=0, frame="dict")
    rows = zip(told["from"], told["to"], told["probability"], strict=True)
    return {frozenset((a, b)) for a, b, probability in rows if probability > 0}


DATA = ds.load_network("asia").sample(200, seed=1)


def test_the_network_keeps_its_pairs_and_likely_ones_come_until_a_variable_has_enough():
    dag = ds.Dag("abcde", [("b", "a"), ("c", "a"), ("d", "a")])
    said = {("a", "e"): 0.9, ("b", "c"): 0.8, ("d", "e"): 0.7, ("b", "e"): 0.6}
    own = {("a", "b"), ("a", "c"), ("a", "d")}
    assert likely_pairs(dag, said, 1) == own
    assert likely_pairs(dag, said, 2) == own | {("b", "c"), ("d", "e")}
    assert likely_pairs(dag, {("e", "b"): 0.5}, 2) == own | {("b", "e")}


def test_networks_join_the_pairs_and_no_others_and_say_so(tmp_path: Path):
    pairs = [("lung", "smoke"), ("bronc", "smoke"), ("bronc", "dysp")]
    problem = ds.Problem(DATA, max_parents=2, score="bdeu").among(pairs)
    assert problem.scope.candidates_only
    assert problem.limited(3).scored_by(ds.K2()).pairs == problem.pairs
    P = ds.posterior(problem)
    joined = {frozenset(pair) for pair in pairs}
    assert said(P) == joined
    # The same as arcs between all other pairs forbidden.
    apart = [
        (a, b)
        for a in DATA.names
        for b in DATA.names
        if a != b and not {frozenset((a, b))} & joined
    ]
    same = ds.posterior(DATA, score="bdeu", max_parents=2, knowledge=ds.Knowledge(forbidden=apart))
    for a, b in pairs:
        own, other = (each.probability(a, b, "adjacencies") for each in (P, same))
        assert own == pytest.approx(other, abs=1e-12)
    assert P.log_evidence == pytest.approx(same.log_evidence, abs=1e-9)
    assert "with at most 2 parents and built from the candidate parent sets" in P.claim
    P.save(tmp_path / "p.sqlite")
    again = ds.load_result(tmp_path / "p.sqlite")
    assert (again.claim, again.scope) == (P.claim, P.scope)
    assert problem.mark != ds.Problem(DATA, max_parents=2, score="bdeu").mark


@pytest.mark.slow
def test_learn_weighs_networks_of_likely_pairs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(plan, "USUAL_PARENTS", 1)
    monkeypatch.setattr(incomplete, "MOST_SETS_WITH_GAPS", 150)  # not all of 2 parents
    monkeypatch.setattr(incomplete, "PARTNERS", 2)
    monkeypatch.setattr(sensitivity, "ROUNDS_WITH_GAPS", 3)
    monkeypatch.setattr(incomplete, "ROUNDS", 4)
    monkeypatch.setattr(incomplete, "FIRST_ROUNDS", 3)
    gaps = holed(ds.load_network("asia").sample(600, seed=2), 0.05, seed=1)
    known = ds.Knowledge(required=[("smoke", "dysp")])
    r = ds.learn(gaps, knowledge=known, resamples=5, runs=0, seed=3)
    P = r.posterior
    assert P is not None
    assert P.scope.candidates_only
    assert P.max_parents == max(len(r.dag.parents(x)) for x in r.dag.names)
    step = next(step for step in r.work["steps"] if step["step"] == "probabilities")
    assert step["facts"]["pairs"] < 28
    own = {frozenset(arc) for arc in r.dag.arcs}
    assert len(said(P)) <= step["facts"]["pairs"]
    assert {frozenset(pair) for pair in known.required} <= own & said(P)
    assert "pairs that looked likely" in str(Reason("probabilities with gaps", **step["facts"]))


@pytest.mark.slow
def test_gaps_beside_numbers_have_bands(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(incomplete, "ROUNDS", 3)
    monkeypatch.setattr(sensitivity, "ROUNDS_WITH_GAPS", 3)
    net = ds.random_network(4, kind="mixed", neighbors=2, states=(2, 3), seed=4)
    gaps = holed(net.sample(120, seed=1), 0.1, seed=1)
    r = ds.learn(gaps, resamples=2, runs=0, time_limit=AMPLE)
    assert r.sensitivity is not None
    assert {v.what for v in r.sensitivity.variations} == {"prior"}  # other scores see curves
    for edge in r.edges:
        assert edge.least <= edge.probability <= edge.most
