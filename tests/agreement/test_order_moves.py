"""Moves of order search against the paper's algorithms written out."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.search.initial_orders import INITS
from dagscape.search.order import NEIGHBORHOODS
from oracles import exact as exact_oracle
from oracles import orders as oracle
from toys.parent_sets import check_order, from_file, random_lists, searched, seeds, some


@pytest.mark.parametrize("init", INITS)
@given(seed=seeds, grain=st.sampled_from([1, 64, 2**20]))
@some(40)
def test_swaps_climb_as_published(init, seed, grain):
    """The same first order, number of steps and end, where the first of equal swaps is taken."""
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(1, 9), grain=grain)
    parents = from_file(lists)
    graph = _core.BestParentGraph(parents._lists)
    most = rng.choice([0, 1, 3, 500])
    facts = searched(parents, init=init, swap=True, restarts=3, steps=most, seed=seed)
    ends = []
    for restart, told in enumerate(facts["restarts"]):
        first = _core.initial_order(graph, init, seed, restart)
        last, steps = oracle.swap_climb(lists, first, most)
        scores = oracle.order_score(lists, first), oracle.order_score(lists, last)
        assert told == (*scores, steps)
        ends.append(scores[1])
    assert facts["score"] == max(ends)
    assert facts["generations"] == 0
    check_order(facts, parents, lists)


@given(seed=seeds, grain=st.sampled_from([1, 64, 2**20]))
@some(60)
def test_insertion_ends_where_no_insertion_gains(seed, grain):
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(1, 9), most_sets=12, grain=grain)
    parents = from_file(lists)
    facts = searched(parents, generations=rng.randint(0, 1), seed=seed)
    check_order(facts, parents, lists)
    here = facts["score"]
    assert all(
        oracle.order_score(lists, order) <= here for order in oracle.insertions(facts["order"])
    )
    assert facts["restarts"][0][0] <= facts["restarts"][0][1] <= here


@given(seed=seeds, grain=st.sampled_from([1, 64, 2**20]))
@some(150)
def test_blocks_move_to_where_they_are_best(seed, grain):
    rng = random.Random(seed)
    n = rng.randint(1, 9)
    lists = random_lists(rng, n, most_sets=12, grain=grain)
    parents = from_file(lists)
    order = rng.sample(range(n), n)
    length = rng.randint(1, n)
    start, within = rng.randint(0, n - length), rng.choice([0, 1, 2, 3, n])
    moves = list(oracle.block_moves(order, start, length, within))
    best = max(oracle.order_score(lists, moved) for moved in moves)
    gained, found, places = _core.improve_block(parents._lists, order, start, length, within)
    assert gained == (best > oracle.order_score(lists, order))
    assert tuple(found) in moves
    assert oracle.order_score(lists, found) == best
    for at, child in enumerate(found):
        score = parents._lists.score(child, places[child])
        assert score == oracle.best_among(lists, child, found[:at])


@given(seed=seeds)
@some(30)
def test_blocks_end_where_no_block_gains(seed):
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(1, 9), most_sets=12)
    parents = from_file(lists)
    options = _core.OrderSearchOptions("random", True, 1, 0, 1, seed, 1, True)
    facts = _core.order_search(parents._lists, options)
    check_order(facts, parents, lists)
    n = len(lists)
    for length in range(1, min(n, 5) + 1):
        for start in range(n - length + 1):
            for moved in oracle.block_moves(facts["order"], start, length, 10):
                assert oracle.order_score(lists, moved) <= facts["score"]


def test_variables_without_a_choice_are_not_shaken():
    """Each is looked at once, in all positions, where all have one set."""
    lists = {v: [(-1.0, frozenset())] for v in range(20)}
    assert searched(from_file(lists))["swaps"] == 20 * 19
    lists[7].append((-0.5, frozenset({3})))
    one_moves = searched(from_file(lists))
    assert one_moves["score"] == -19.5
    assert 2 * 20 * 19 < one_moves["swaps"] < (2 * 20 + 20) * 3 * 19


@pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
def test_huge_scores_do_not_keep_it_busy(neighborhood):
    """Sums round where the sets' own scores do not, and that must not look like a gain."""
    lists = random_lists(random.Random(1), 30, most_sets=30, grain=2**16)
    far = {child: [(s - 2.0**36, p) for s, p in sets] for child, sets in lists.items()}
    near, moved = (
        ds.order_search(from_file(x), neighborhood=neighborhood, restarts=4, generations=1)
        for x in (lists, far)
    )
    assert near.dag == moved.dag
    assert near.work["swaps"] == moved.work["swaps"]


@given(seed=seeds, width=st.integers(2, 4), empty=st.booleans())
@some(40)
def test_windows_end_in_their_best_orders(seed, width, empty):
    """No other order of variables that follow each other is better, for the windows it looks at."""
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(1, 9), most_sets=12, empty=empty)
    parents = from_file(lists)
    first = searched(parents, init="random", swap=True, steps=0, seed=seed)["order"]
    if oracle.order_score(lists, first) == exact_oracle.NO_NETWORK:
        return
    facts = _core.improve_windows(parents._lists, first, width)
    order, n = facts["order"], len(lists)
    here = oracle.order_score(lists, order)
    assert here >= oracle.order_score(lists, first)
    assert (here > oracle.order_score(lists, first)) == (facts["gains"] > 0)
    assert here == sum(parents._lists.score(v, place) for v, place in enumerate(facts["places"]))
    for start in {*range(0, max(n - width, 0), max(width // 2, 1)), max(n - width, 0)}:
        for inside in itertools.permutations(order[start : start + width]):
            other = [*order[:start], *inside, *order[start + width :]]
            assert oracle.order_score(lists, other) <= here


def test_a_window_of_all_variables_is_the_optimum():
    for seed in range(10):
        lists = random_lists(random.Random(seed), 8, most_sets=15)
        parents = from_file(lists)
        facts = _core.improve_windows(parents._lists, list(lists), 15)
        assert oracle.order_score(lists, facts["order"]) == exact_oracle.best_score(lists)


@given(seed=seeds)
@some(30)
def test_the_best_order_has_the_best_network(seed):
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(1, 5), empty=rng.random() < 0.5)
    assert oracle.best_order_score(lists) == exact_oracle.best_score(lists)


def test_impossible_and_possible_sets_are_drawn():
    values = [
        exact_oracle.best_score(
            random_lists(random.Random(seed), 5, most_sets=3, most_parents=2, empty=False)
        )
        for seed in range(100)
    ]
    impossible = sum(value == exact_oracle.NO_NETWORK for value in values)
    assert 20 < impossible < 80
