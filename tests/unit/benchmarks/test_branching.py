"""Nodes of the estimated tree against listings of all orders."""

import importlib
import itertools
import math
import random
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture
def branching(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("branching")


def random_sets(rng, n, ties):
    def cost():
        return float(rng.randint(0, 3)) if ties else rng.uniform(0, 10)

    sets = []
    for child in range(n):
        others = [v for v in range(n) if v != child]
        own = {0} | {sum(1 << p for p in rng.sample(others, rng.randint(0, 3))) for _ in range(7)}
        sets.append([(cost(), parents) for parents in sorted(own)])
    return sets


def least(sets, orders):
    """The best along these orders, every child with its cheapest set before it."""
    best = math.inf
    for order in orders:
        placed, total = 0, 0.0
        for v in order:
            total += min((c for c, parents in sets[v] if not parents & ~placed), default=math.inf)
            placed |= 1 << v
        best = min(best, total)
    return best


@pytest.mark.slow
@pytest.mark.parametrize("ties", [False, True])
def test_decisions_leave_the_networks_that_obey_them_and_bounds_hold(branching, ties):
    rng = random.Random(ties)
    raised = 0
    for _ in range(60):
        n = rng.randint(4, 5)
        first = random_sets(rng, n, ties)
        every = orders = list(itertools.permutations(range(n)))
        regret = least(first, every) + 6
        obeying, node = first, branching.Node(first, [0] * n, [])
        for _ in range(4):
            u, v = rng.sample(range(n), 2)
            kind = rng.choice(["before", "arc", "no arc"])
            if (node.before[u] >> v | node.before[v] >> u) & 1:
                continue
            if kind != "before":
                has = kind == "arc"
                obeying = [
                    [s for s in own if bool(s[1] >> u & 1) == has] if w == v else own
                    for w, own in enumerate(obeying)
                ]
            if kind != "no arc":
                orders = [order for order in orders if order.index(u) < order.index(v)]
            node = node.decided((kind, u, v))
            # What has at least the given regret may go at any time.
            best = min(least(obeying, orders), regret)
            if node is None or best == regret:
                assert best == regret
                break
            assert least(node.sets, every) == pytest.approx(best)
            node = branching.raised(node, regret, 3)
            assert node.bound <= best + 1e-9
            assert least(node.sets, every) == pytest.approx(best)
            raised += node.bound > sum(min(own)[0] for own in obeying) + 1e-9
    assert raised > 20
