"""Candidate parent sets obey what the user knows."""

import itertools

import pytest

import dagscape as ds
from dagscape.parents.constraints import constrain
from dagscape.selection import METHODS
from dagscape.variables import Variables
from limits import NO_TIME
from unit.parents.parents_cases import listed, subsets


class TestKnowledge:
    knowledge = ds.Knowledge(
        required=[("smoke", "lung")],
        forbidden=[("xray", "either")],
        tiers=[["asia", "smoke"], ["tub", "lung", "bronc"]],
        max_parents={"dysp": 1},
    )

    @pytest.mark.parametrize("method", METHODS)
    def test_every_listed_set_obeys(self, asia, method):
        found = ds.candidate_parents(asia, score="bic", method=method, knowledge=self.knowledge)
        for child in found:
            assert len(found[child]) > 0
            for _, parents in found[child]:
                assert all(self.knowledge.allows(parent, child) for parent in parents)
                if child == "lung":
                    assert "smoke" in parents
                if child == "dysp":
                    assert len(parents) <= 1

    @pytest.mark.parametrize("prune", [True, False])
    def test_the_best_that_obeys_is_found(self, asia, prune):
        found = ds.candidate_parents(asia, score="bic", knowledge=self.knowledge, prune=prune)
        for child in asia.names:
            others = [p for p in asia.names if p != child and self.knowledge.allows(p, child)]
            fine = [
                parents
                for parents in subsets(others, 1 if child == "dysp" else None)
                if child != "lung" or "smoke" in parents
            ]
            expected = max(ds.local_score(asia, child, parents, score="bic") for parents in fine)
            assert found.best(child)[0] == pytest.approx(expected)
            if not prune:
                assert listed(found, child) == {frozenset(parents) for parents in fine}

    def test_no_set_among_those_allowed(self, asia):
        found = ds.candidate_parents(asia, score="bic", knowledge=self.knowledge)
        with pytest.raises(ds.ParameterError, match='"lung" has no parent set among'):
            found.best("lung", ["asia"])

    def test_contradictions_with_the_limit(self, asia):
        with pytest.raises(ds.ParameterError, match="1 required parents, but max_parents is 0"):
            ds.candidate_parents(asia, score="bic", knowledge=self.knowledge, max_parents=0)

    def test_hybrid_begins_above_the_required_parents(self, asia):
        knowledge = ds.Knowledge(required=[(x, "dysp") for x in ("asia", "tub", "smoke")])
        found = ds.candidate_parents(asia, score="bic", method="hybrid", knowledge=knowledge)
        assert all({"asia", "tub", "smoke"} <= set(parents) for _, parents in found["dysp"])

    def test_a_limit_leaves_every_child_its_required_parents(self, wide):
        knowledge = ds.Knowledge(required=[("x1", "x2"), ("x3", "x2")])
        found = ds.candidate_parents(wide, score="bic", knowledge=knowledge, time_limit=NO_TIME)
        assert found.stopped == "time"
        assert [set(parents) for _, parents in found["x2"]] == [{"x1", "x3"}]
        assert found.relaxed_score < 0

    def test_exhaustive_is_meant_within_what_is_known(self, asia):
        known = ds.Knowledge(max_parents=dict.fromkeys(asia.names, 2))
        assert ds.candidate_parents(asia, score="bic", knowledge=known).exhaustive
        assert not ds.candidate_parents(
            asia, score="bic", knowledge=known, max_parents=1
        ).exhaustive

    def test_names_are_checked(self, asia):
        with pytest.raises(ds.ParameterError, match='did you mean "smoke"'):
            ds.candidate_parents(
                asia, score="bic", knowledge=ds.Knowledge(forbidden=[("smok", "lung")])
            )


def test_constraints_are_those_of_the_knowledge():
    names = [f"v{i}" for i in range(12)]
    knowledge = ds.Knowledge(
        required=[("v0", "v7")],
        forbidden=[("v3", "v4"), ("v11", "v0")],
        tiers=[names[:3], names[3:6], names[6:9]],
    )
    variables = Variables(names)
    constraints = constrain(variables, None, knowledge)
    for parent, child in itertools.permutations(names, 2):
        allowed = constraints.has(variables.number(child), variables.number(parent))
        assert allowed == knowledge.allows(parent, child)


def test_knowledge_of_many_variables_is_not_asked_pair_by_pair(monkeypatch):
    """Twenty thousand variables have 400 million pairs."""
    monkeypatch.setattr(ds.Knowledge, "allows", None)  # would fail if it were called
    names = [f"v{i}" for i in range(50)]
    knowledge = ds.Knowledge(forbidden=[("v3", "v4")], tiers=[names[:20], names[20:]])
    variables = Variables(names)
    constraints = constrain(variables, None, knowledge)
    assert not constraints.has(variables.number("v4"), variables.number("v30"))
