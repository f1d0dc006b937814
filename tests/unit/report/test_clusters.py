"""Clusters of large networks: how they grow beside an oracle, and what stands together."""

import random
from itertools import combinations

import pytest

from dagscape.report.clusters import (
    MOST_SIDE_BY_SIDE,
    MOST_TOGETHER,
    clusters_of,
    grown_together,
    members,
)


def network(n, m, seed):
    rng = random.Random(seed)
    return [(rng.randrange(n), rng.randrange(n)) for _ in range(m)]


def by_definition(count, between, most):
    """Join the two that gain most modularity, again and again, from all pairs anew."""
    groups = [[i] for i in range(count)]
    whole = sum(between.values())

    def many(one, other):
        return sum(between.get((a, b), 0) + (between.get((b, a), 0)) for a in one for b in other)

    def degree(own):
        return sum(many([i], [j for j in range(count) if j != i]) for i in own)

    while True:
        best = None
        for one, other in combinations(groups, 2):
            edges = many(one, other)
            if not edges or len(one) + len(other) > most:
                continue
            gain = edges - degree(one) * degree(other) / (2 * whole)
            key = (-gain, one[0], other[0])
            if gain > 0 and (best is None or key < best[0]):
                best = key, one, other
        if best is None:
            return sorted(map(sorted, groups))
        _, one, other = best
        groups = [own for own in groups if own not in (one, other)] + [one + other]
        groups.sort()


@pytest.mark.parametrize("seed", range(30))
def test_what_gains_most_grows_together(seed):
    rng = random.Random(seed)
    count = rng.randrange(2, 9)
    between = {
        pair: rng.randrange(1, 4) for pair in combinations(range(count), 2) if rng.random() < 0.5
    }
    for most in (2, 3, count):
        found = grown_together(count, between, most)
        assert sorted(found) == by_definition(count, between, most)


@pytest.mark.parametrize(("n", "m"), [(3, 2), (150, 120), (150, 1000), (3000, 2500), (3000, 40)])
def test_every_variable_with_an_edge_is_in_one_cluster_of_a_readable_size(n, m):
    edges = network(n, m, 1)
    edges = [(a, b) for a, b in edges if a != b]
    tree = clusters_of(edges)
    assert sorted(members(tree)) == sorted({v for edge in edges for v in edge})

    def check(item):
        if isinstance(item[0], int):
            assert len(item) <= MOST_TOGETHER
            return
        assert 1 <= len(item) <= MOST_SIDE_BY_SIDE
        for one in item:
            check(one)

    check(tree)
    sizes = [len(members(one)) for one in tree]
    assert sizes == sorted(sizes, reverse=True)
    shuffled = [edge[::-1] for edge in edges]
    random.Random(2).shuffle(shuffled)
    assert clusters_of(shuffled) == tree


def test_small_parts_stand_together_and_no_edges_make_no_clusters():
    assert clusters_of([]) == []
    pairs = [(2 * i, 2 * i + 1) for i in range(30)]
    assert [len(one) for one in clusters_of(pairs)] == [MOST_TOGETHER, 20]
