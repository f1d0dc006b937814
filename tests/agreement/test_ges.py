"""GES against brute force over all classes of few variables."""

import itertools

import numpy as np
import pytest

from dagscape.scores import scorer
from oracles import equivalence as oracle
from toys.classes import (
    NO_LIMIT,
    SCORES,
    as_class,
    check_class,
    ges,
    kes,
    mixed,
    some_classes,
    sparse,
    symmetric,
    table,
    total_of,
)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("n", [4, 5])
def test_ges_ends_where_brute_force_ends(score, n):
    for seed in range(12 if n == 4 else 4):
        data = symmetric(seed) if n == 4 and seed % 3 == 2 else mixed(1000 + seed, n, rows=60)
        on_data, total = scorer(data, SCORES[score]), total_of(data, score)
        for two_phases, turning in itertools.product((True, False), repeat=2):
            for max_parents in (None, 1, 2):
                found = ges(
                    on_data,
                    two_phases=two_phases,
                    turning=turning,
                    max_parents=NO_LIMIT if max_parents is None else max_parents,
                )
                here = as_class(found.graph)
                assert here in oracle.ges_ends(
                    n, total, two_phases=two_phases, turning=turning, max_parents=max_parents
                )
                assert found.score == pytest.approx(total(here), abs=1e-9)


@pytest.mark.parametrize("n", [4, 5])
def test_turning_reaches_all_that_a_turned_arc_can_reach(n):
    """The classes by way of one arc less are these, and more."""
    more = 0
    for here in some_classes(n)[:: 1 if n == 4 else 10]:
        assert oracle.turned(n, here) <= oracle.moved(n, here)
        more += len(oracle.moved(n, here)) - len(oracle.turned(n, here))
    assert more


def test_turning_never_ends_lower():
    higher = 0
    for seed in range(25):
        n = 8
        on_data = scorer(sparse(seed, n, rows=60, arity=2), "aic")
        for two_phases in (True, False):
            without = ges(on_data, two_phases=two_phases)
            turned = ges(on_data, two_phases=two_phases, turning=True)
            assert turned.score > without.score - 1e-9
            higher += turned.score > without.score + 1e-9
            check_class(on_data, n, turned)
    assert higher


def test_all_drawn_is_greedy_in_one_phase():
    for seed in range(40):
        data = (mixed(seed, 7, rows=120), sparse(seed, 12), symmetric(seed, 5))[seed % 3]
        for score in ("bic", "aic", "bdeu"):
            on_data = scorer(data, SCORES[score])
            greedy, drawn = ges(on_data, two_phases=False), kes(on_data, seed, k=1.0)
            assert greedy.graph == drawn.graph
            assert greedy.steps == drawn.steps


def test_ties_go_to_the_first_step():
    """By y, then x: of copies of a column the first two are joined, then the third to the first."""
    column = np.random.default_rng(0).integers(0, 2, 50)
    on_data = scorer(table(np.stack([column] * 4, axis=1), [2] * 4), "bic")
    ways = [[(0, 1)], [(0, 1), (0, 2)], [(0, 1), (0, 2), (0, 3)]]
    for steps, edges in enumerate(ways, start=1):
        for seed in range(5):
            assert kes(on_data, seed, k=1.0, max_steps=steps).graph.undirected == edges
    assert ges(on_data, two_phases=True).graph.undirected == ways[-1]
