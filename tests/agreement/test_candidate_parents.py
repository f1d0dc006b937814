"""Candidate parents against plain enumeration: whatever is left out must not matter."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.parents import CandidateParents
from dagscape.parents.constraints import constrain
from dagscape.scores import scorer
from dagscape.selection import RULES
from seeds import in_part

SCORES = [
    ds.BIC(),
    ds.AIC(),
    ds.BDeu(ess=1.0),
    ds.BDeu(ess=10.0),
    ds.K2(),
    ds.FittedDirichlet(),
    ds.QNML(),
    ds.FNML(),
    ds.LogLikelihood(),
]
few = settings(derandomize=True, deadline=None, max_examples=in_part(40))


@st.composite
def tables(draw, most_variables=5, most_rows=60):
    """Small tables: some columns follow others, some are constant, some states unseen."""
    n = draw(st.integers(2, most_variables))
    arities = draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    rows = draw(st.integers(2, most_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        copied = rng.random(rows) < draw(st.sampled_from([0.0, 0.5, 0.9]))
        parent = draw(st.integers(0, child - 1))
        codes[copied, child] = codes[copied, parent] % arities[child]
    names = draw(st.permutations([f"v{i}" for i in range(n)]))
    states = {x: [str(s) for s in range(r)] for x, r in zip(names, arities, strict=True)}
    return ds.Data.from_codes(codes, states)


def sequential(data, score, rules, most_together, knowledge=None):
    """The selection with sizes above `most_together` done child by child, as on large tables."""
    prune = _core.PruningRules()
    for rule in RULES:
        setattr(prune, rule, rule in rules)
    constraints = constrain(data.variables, None, knowledge)
    lists, work = _core.sequential_selection(
        scorer(data, score), constraints, prune, "auto", "auto", 2, most_together=most_together
    )
    assert work["sizes_done_together"] <= most_together + 1
    return CandidateParents(data.variables, lists, score=str(score), method="sequential", work=work)


@st.composite
def known(draw, data):
    """Knowledge about the table's variables that does not contradict itself."""
    order = draw(st.permutations(data.names))
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    required = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=4))
    others = [(a, b) for a in order for b in order if a != b and (a, b) not in required]
    forbidden = draw(st.lists(st.sampled_from(others), unique=True, max_size=4)) if others else []
    limits = {}
    for child in draw(st.lists(st.sampled_from(order), unique=True, max_size=2)):
        least = sum(b == child for _, b in required)
        limits[child] = draw(st.integers(least, len(order) - 1))
    return ds.Knowledge(required=required, forbidden=forbidden, max_parents=limits)


def subsets(names):
    return itertools.chain.from_iterable(
        itertools.combinations(names, size) for size in range(len(names) + 1)
    )


def best_by_enumeration(data, score):
    """Return the best of every child by the parents that are allowed."""
    best = {}
    for child in data.names:
        others = [name for name in data.names if name != child]
        own = {
            frozenset(parents): ds.local_score(data, child, parents, score=score)
            for parents in subsets(others)
        }
        for allowed in own:
            best[child, allowed] = max(own[parents] for parents in own if parents <= allowed)
    return best


@pytest.mark.parametrize("score", SCORES, ids=str)
@given(data=tables())
@few
def test_the_best_of_any_allowed_parents_is_kept(score, data):
    best = best_by_enumeration(data, score)
    for prune in (True, False, *((rule,) for rule in RULES)):
        found = ds.candidate_parents(data, score=score, prune=prune, threads=1)
        assert found.exhaustive
        for (child, allowed), expected in best.items():
            value, parents = found.best(child, list(allowed))
            assert set(parents) <= allowed
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("score", SCORES, ids=str)
@given(data=tables())
@few
def test_without_pruning_every_set_is_there_with_its_score(score, data):
    found = ds.candidate_parents(data, score=score, prune=False, threads=2)
    for child in data.names:
        others = [name for name in data.names if name != child]
        assert {frozenset(parents) for _, parents in found[child]} == {
            frozenset(parents) for parents in subsets(others)
        }
        values = [value for value, _ in found[child]]
        assert values == sorted(values, reverse=True)
        for value, parents in found[child]:
            expected = ds.local_score(data, child, parents, score=score)
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("score", SCORES, ids=str)
@given(data=tables(most_rows=400))
@few
def test_going_on_child_by_child_keeps_the_best_too(score, data):
    best = best_by_enumeration(data, score)
    for rules in (RULES, (), *((rule,) for rule in RULES)):
        found = sequential(data, score, rules, most_together=1)
        assert found.exhaustive
        for (child, allowed), expected in best.items():
            value, _ = found.best(child, list(allowed))
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("score", [ds.BIC(), ds.AIC(), ds.BDeu(), ds.K2()], ids=str)
@given(data=tables(most_rows=400), drawn=st.data())
@few
def test_the_best_that_obeys_knowledge_is_kept(score, data, drawn):
    knowledge = drawn.draw(known(data))
    best = {
        child: max(
            ds.local_score(data, child, parents, score=score)
            for parents in subsets([name for name in data.names if name != child])
            if obeys(knowledge, child, parents)
        )
        for child in data.names
    }
    for rules in (RULES, (), *((rule,) for rule in RULES)):
        for found in (
            ds.candidate_parents(data, score=score, prune=rules, knowledge=knowledge),
            sequential(data, score, rules, 1, knowledge),
        ):
            assert found.exhaustive
            for child, expected in best.items():
                assert found.best(child)[0] == pytest.approx(expected, rel=1e-12, abs=1e-9)
                assert all(obeys(knowledge, child, parents) for _, parents in found[child])


def obeys(knowledge, child, parents):
    required = {a for a, b in knowledge.required if b == child}
    return (
        required <= set(parents)
        and all(knowledge.allows(parent, child) for parent in parents)
        and len(parents) <= knowledge.max_parents.get(child, len(parents))
    )


@given(data=tables(most_variables=6, most_rows=200))
@few
def test_every_way_of_counting_gives_the_same_lists(data):
    reference = contents(
        ds.candidate_parents(data, score="bic", counting="rows", threads=1, prune=False)
    )
    for instructions in _core.available_instructions():
        for threads in (1, 2):
            found = ds.candidate_parents(
                data,
                score="bic",
                counting="bitmaps",
                instructions=instructions,
                threads=threads,
                prune=False,
            )
            assert contents(found).keys() == reference.keys()
            for key, value in contents(found).items():
                assert value == pytest.approx(reference[key], rel=1e-13, abs=1e-10)


def contents(found):
    return {
        (child, frozenset(parents)): value
        for child in found.names
        for value, parents in found[child]
    }


def mixed(n, rows, seed=0):
    """Tables too large for brute force: chains of variables with two to four states."""
    rng = np.random.default_rng(seed)
    arities = [2 + v % 3 for v in range(n)]
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        copied = rng.random(rows) < 0.6
        codes[copied, child] = codes[copied, child - 1] % arities[child]
    names = [f"x{v}" for v in range(n)]
    return ds.Data.from_codes(
        codes, {x: [str(s) for s in range(r)] for x, r in zip(names, arities, strict=True)}
    )


@pytest.mark.parametrize("rows", [63, 64, 65, 700])
def test_larger_tables_have_the_scores_of_single_families(rows):
    data = mixed(12, rows)
    for counting in ("bitmaps", "rows"):
        found = ds.candidate_parents(
            data, score="bic", max_parents=4, counting=counting, prune=False
        )
        pick = random.Random(rows)
        for child in data.names:
            assert len(found[child]) == sum(1 for s in subsets(data.names[1:]) if len(s) <= 4)
            for value, parents in pick.sample(list(found[child]), 15):
                expected = ds.local_score(data, child, parents, score="bic")
                assert value == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_threads_and_column_order_change_nothing():
    data = mixed(14, 500)
    one = ds.candidate_parents(data, score="bic", max_parents=4, threads=1)
    for names in (data.names, data.names[::-1], sorted(data.names, key=hash)):
        many = ds.candidate_parents(data.select(names), score="bic", max_parents=4, threads=4)
        for child in data.names:
            assert [(v, set(p)) for v, p in one[child]] == [(v, set(p)) for v, p in many[child]]
