"""The inclusion boundary against brute force over all classes of few variables.

The engine's numbers are the columns', since the names ascend.
"""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape import _core
from dagscape.scores import scorer
from oracles import equivalence as oracle
from oracles import graphs
from seeds import in_part
from toys.classes import (
    NO_LIMIT,
    SCORES,
    as_class,
    boundary,
    kes,
    mixed,
    pdag,
    random_dag,
    some_classes,
    symmetric,
    total_of,
)


def test_there_are_8782_classes_of_five_variables():
    assert [len(oracle.members(n)) for n in range(1, 6)] == [1, 2, 11, 185, 8782]


def test_labeling_finds_the_essential_graph():
    for n in (3, 4, 5):
        for here in some_classes(n):
            for dag in oracle.members(n)[here][:3]:
                assert oracle.essential_by_labeling(n, dag) == here


def test_equivalent_networks_have_the_same_most_parents():
    """So a limit of parents is about classes."""
    for n in (4, 5):
        for here in some_classes(n):
            assert len({oracle.most_parents(dag) for dag in oracle.members(n)[here]}) == 1


def test_the_chances_of_the_next_class_add_up():
    data = mixed(3, 4)
    total, neighbors = total_of(data, "bic"), boundary(4)
    for here in some_classes(4)[::20]:
        for k in map(Fraction, ("0", "0.3", "0.8", "1")):
            chances = oracle.next_classes(here, total, neighbors, k)
            assert not chances or sum(chance for _, chance in chances) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("score", SCORES)
def test_neighboring_classes_and_their_gains(n, score):
    place = list(SCORES).index(score)
    tables = [mixed(10 * n + place, n)] + ([mixed(place, n), symmetric(place)] if n == 4 else [])
    for data in tables:
        on_data, total = scorer(data, SCORES[score]), total_of(data, score)
        for here in some_classes(n):
            found = _core.inclusion_boundary(on_data, pdag(n, here))
            gains = {as_class(graph): gain for gain, graph in found}
            assert len(gains) == len(found)  # each once
            assert gains.keys() == oracle.inclusion_boundary(n, here)
            for there, gain in gains.items():
                assert gain == pytest.approx(total(there) - total(here), abs=1e-9)


@settings(max_examples=in_part(60))
@given(seed=st.integers(0, 10**6), n=st.integers(6, 8))
def test_neighboring_classes_of_more_variables(seed, n):
    """Trees and sparse networks, so that paths are long and components large."""
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, rng.choice([0.15, 0.25, 0.35]))
    if len(oracle.members_by_turning(dag)) > 40:
        return
    on_data = scorer(mixed(seed, n, rows=40), "bic")
    here = oracle.essential_by_labeling(n, dag)
    found = [as_class(graph) for _, graph in _core.inclusion_boundary(on_data, pdag(n, here))]
    assert len(set(found)) == len(found)
    assert set(found) == oracle.boundary_by_turning(n, dag)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_which_steps_lead_to_the_same_class(n):
    """What boundary.hpp says: two ends of an edge in no v-structure, or of an undirected one."""
    twice = 0
    for here in some_classes(n):
        inserts, deletes = oracle.insertions(n, here), oracle.deletions(n, here)
        assert set(inserts.values()) == oracle.larger(n, here)
        assert set(deletes.values()) == oracle.smaller(n, here)
        for steps, agree in ((inserts, inserts_agree), (deletes, deletes_agree)):
            expected = {
                frozenset([(x, y, turned), other])
                for x, y, turned in steps
                for other in agree(here, x, y, turned)
                if other in steps
            }
            by_class = {}
            for step, there in steps.items():
                by_class.setdefault(there, []).append(step)
            same = {
                frozenset(pair)
                for group in by_class.values()
                for pair in itertools.combinations(group, 2)
            }
            assert same == expected
            twice += len(same)
    assert twice


def inserts_agree(here, x, y, turned):
    arcs = graphs.directed(here)
    alone = graphs.parents(arcs, y) <= oracle.adjacent(here, x) and graphs.parents(
        arcs, x
    ) <= oracle.adjacent(here, y)
    return [(y, x, turned)] if alone and not turned else []


def deletes_agree(here, x, y, turned):
    return [(y, x, turned)] if (x, y) in here and (y, x) in here else []


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("max_parents", [0, 1, 2, 3, None])
def test_better_classes_within_a_limit_of_parents(score, max_parents):
    """From a class, one step: how many are better, and the best of them."""
    n = 4
    data = mixed(100 + list(SCORES).index(score), n, rows=60)
    on_data, total = scorer(data, SCORES[score]), total_of(data, score)
    neighbors = boundary(n, max_parents)
    limit = NO_LIMIT if max_parents is None else max_parents
    for here in some_classes(n):
        if max_parents is not None and oracle.most_parents(oracle.members(n)[here][0]) > limit:
            continue
        found = kes(on_data, k=1.0, start=pdag(n, here), max_steps=1, max_parents=limit)
        better = oracle.better(here, total, neighbors)
        assert found.classes == len(better)
        assert as_class(found.graph) in (oracle.ties(better, total)[-1] if better else [here])
        assert found.done == (not better)
        assert found.steps == bool(better)
