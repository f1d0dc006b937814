"""Selections that keep the best sets of each size alone: those of the whole lists."""

import itertools
from collections import Counter

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.parents.constraints import constrain
from dagscape.scores import scorer

N = 16
NO_LIMIT = 10**9


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (80, N))
    for child in range(1, N):
        copied = rng.random(80) < 0.4
        codes[copied, child] = codes[copied, rng.integers(child)]
    return ds.Data.from_codes(codes, {f"v{v:02}": ["0", "1"] for v in range(N)})


def listed(parents):
    return {name: list(parents[name]) for name in parents.names}


def best_of_each_size(entries, most):
    """By definition: lists are best first, so the first of each size are its best."""
    seen = Counter()
    kept = []
    for score, chosen in entries:
        seen[len(chosen)] += 1
        if seen[len(chosen)] <= most:
            kept.append((score, chosen))
    return kept


@pytest.mark.parametrize("most", [1, 7, 300])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("prune", [True, False])
def test_together_they_are_the_best_of_the_whole(data, most, threads, prune):
    """Without pruning a variable has 1,941 sets, more than a list may grow to before it is cut."""
    asked = {"score": "bic", "max_parents": 4, "prune": prune, "threads": threads}
    whole = listed(ds.candidate_parents(data, **asked))
    found = ds.candidate_parents(data, **asked, keep_of_size=most)
    assert listed(found) == {x: best_of_each_size(sets, most) for x, sets in whole.items()}
    assert found.work["scored_to"] == 4


@pytest.mark.parametrize("together", [1, 2])
def test_child_by_child_they_are_too(data, together):
    rules = _core.PruningRules()
    rules.bound = rules.entropy = rules.dominance = False
    constraints = constrain(data.variables, 4, None)

    def selected(most):
        rules.most_of_size = most
        lists, _ = _core.sequential_selection(
            scorer(data, "bic"), constraints, rules, "auto", "auto", 2, most_together=together
        )
        return lists.best_of_each_size(most)

    whole, cut = selected(NO_LIMIT), selected(50)
    expected = whole.best_of_each_size(50)
    for child in range(N):
        assert _sets(cut, child) == _sets(expected, child)
        assert cut.size(child) == 1 + 15 + 3 * 50


def _sets(lists, child):
    return [(lists.score(child, at), lists.parents(child, at)) for at in range(lists.size(child))]


def test_where_each_child_goes_alone(data):
    """Few may be parents: such children are scored without a walk over all sets."""
    late = [f"v{v:02}" for v in range(8, N)]
    known = ds.Knowledge(tiers=[[x for x in data.names if x not in late], late], max_parents=None)
    known = ds.Knowledge(tiers=known.tiers, forbidden=list(itertools.permutations(late, 2)))
    asked = {"score": "bic", "max_parents": 4, "prune": False, "knowledge": known}
    whole = listed(ds.candidate_parents(data, **asked))
    found = ds.candidate_parents(data, **asked, keep_of_size=5)
    assert listed(found) == {x: best_of_each_size(sets, 5) for x, sets in whole.items()}


@pytest.mark.parametrize("method", ["greedy", "independence", "hybrid"])
def test_best_first_they_are_too(data, method):
    asked = {"score": "bic", "method": method, "sets_per_variable": 400}
    whole = listed(ds.candidate_parents(data, **asked))
    found = ds.candidate_parents(data, **asked, keep_of_size=6)
    if method != "hybrid":  # which grows from what is kept
        assert listed(found) == {x: best_of_each_size(sets, 6) for x, sets in whole.items()}
    assert all(
        most <= 6
        for name in found.names
        for most in Counter(len(chosen) for _, chosen in found[name]).values()
    )


def test_what_is_said_of_them(data):
    """No optimum is claimed where sets may have been left out."""
    asked = {"score": "bic", "max_parents": 2}
    found = ds.candidate_parents(data, **asked, keep_of_size=3)
    assert not found.exhaustive
    assert found.exhaustive_to == 0  # of one parent there may have been more than three
    result = ds.exact(found)
    assert not (result.optimal and result.scope == ds.Scope())
    whole = ds.candidate_parents(data, **asked)
    same = ds.candidate_parents(data, **asked, keep_of_size=10_000)
    assert listed(same) == listed(whole)
    assert (same.exhaustive, same.exhaustive_to) == (whole.exhaustive, whole.exhaustive_to)


def test_memory_holds_what_is_kept(data):
    """In room for some of the sets, which ends the selection where all are kept."""
    asked = {"score": "loglik", "max_parents": 7, "prune": False, "threads": 1}
    room = {"max_memory": 10_000_000}
    found = ds.candidate_parents(data, **asked, **room, keep_of_size=100)
    assert found.stopped is None
    assert ds.candidate_parents(data, **asked, **room).stopped == "memory"
    assert len(found) <= N * 8 * 100


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "many"])
def test_how_many_is_a_whole_number(data, wrong):
    with pytest.raises(ds.ParameterError, match="keep_of_size"):
        ds.candidate_parents(data, keep_of_size=wrong)
