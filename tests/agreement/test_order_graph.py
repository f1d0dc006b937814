"""Nodes and edges of the order graph, as Table 4.1 counts them, against a plain A*."""

import random
import sys
from pathlib import Path

import pytest

import dagscape as ds
from oracles import exact, order_graph
from toys.parent_sets import from_file

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = {
    "algorithm": "astar",
    "heuristic": "simple",
    "forced_moves": False,
    "incumbent": False,
    "split": False,
}


@pytest.fixture(scope="module")
def count_ranges():
    sys.path.insert(0, str(ROOT / "reproduce"))
    try:
        from _order_graph import count_ranges
    finally:
        sys.path.pop(0)
    return count_ranges


def random_lists(seed):
    """Parent sets with scores that are binary fractions, a few or many of them equal."""
    rng = random.Random(seed)
    n = rng.randint(2, 7)
    grain = rng.choice([1, 4, 64])
    lists = {}
    for child in range(n):
        others = [v for v in range(n) if v != child]
        sets = {frozenset()}
        for _ in range(rng.randint(0, 9)):
            sets.add(frozenset(rng.sample(others, rng.randint(0, min(3, len(others))))))
        lists[child] = [
            (rng.randint(-8 * grain, 0) / grain - 50 + 2 * len(parents), parents)
            for parents in sorted(sets, key=sorted)
        ]
    return lists


@pytest.mark.parametrize("block", range(4))
def test_as_many_nodes_and_edges_as_a_plain_search(block):
    larger = 0
    for seed in range(block * 50, block * 50 + 50):
        lists = random_lists(seed)
        plain = order_graph.astar(lists)
        assert -plain.cost == pytest.approx(exact.best_score(lists))
        found = ds.exact(from_file(lists), **PUBLISHED)
        assert found.score == pytest.approx(-plain.cost)
        counts = (found.work["order_nodes"], found.work["order_edges"])
        assert counts == (plain.nodes, plain.edges), seed
        larger += plain.edges > len(lists)  # else a single path was looked at
    assert larger > 25


def shuffled(salt):
    """Some order among equals, the same each time."""
    return lambda placed: hash((salt, *sorted(placed)))


def test_any_order_among_equals_stays_within_the_range(count_ranges):
    """What the page on Table 4.1 holds the thesis' counts against."""
    narrower = 0
    for seed in range(60):
        lists = random_lists(seed)
        ranges = count_ranges(from_file(lists))
        for salt in range(4):
            found = order_graph.astar(lists, shuffled(salt))
            assert found.nodes in ranges.nodes, seed
            assert found.edges in ranges.edges, seed
            assert found.expanded in ranges.expanded, seed
            assert found.all_edges in ranges.all_edges, seed
        n = len(lists)
        narrower += ranges.edges.least > 0 and ranges.edges.most < n * 2 ** (n - 1)
        assert order_graph.astar(lists).edges in ranges.edges
    assert narrower > 30
