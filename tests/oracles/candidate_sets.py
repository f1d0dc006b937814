"""Candidate parent sets made up, the engine's problem of them, and the best network by listing."""

import itertools
import math
import random
import tempfile
from fractions import Fraction
from pathlib import Path

import dagscape as ds
from dagscape import _core

KINDS = ("plain", "ties", "constant", "extreme", "empty only", "no empty set")


def component(lists):
    """The whole problem, undivided, of sets given as in the oracle."""
    lines = [str(len(lists))]
    for child, sets in lists.items():
        lines.append(f"n{child:03} {len(sets)}")
        for value, parents in sets:
            names = (f"n{p:03}" for p in sorted(parents))
            lines.append(" ".join([f"{value!r} {len(parents)}", *names]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sets.jkl"
        path.write_text("\n".join(lines) + "\n", "ascii")
        return _core.components(ds.read_parents(path)._lists, False)[0]


def random_lists(rng, kind, variables=(2, 6)):
    n = rng.randint(*variables)

    def score():
        if kind == "ties":
            return float(rng.randint(-3, 0))
        if kind == "constant":
            return -1.0
        if kind == "extreme":
            return -rng.choice([0.0, 1e-12, 1e-9, 1.0, 1e6, 1e12]) * rng.random()
        return rng.gauss(-100, 10)

    lists = {}
    for child in range(n):
        others = [v for v in range(n) if v != child]
        sets = set() if kind == "no empty set" else {frozenset()}
        if kind != "empty only":
            for _ in range(rng.randint(1, 8)):
                sets.add(frozenset(rng.sample(others, rng.randint(0, min(3, n - 1)))))
        lists[child] = [(score(), parents) for parents in sorted(sets, key=sorted)]
    return lists


def sorted_regrets(part):
    """Each child's sets with exact regrets, in the order of the engine's lists."""
    lists = part.parents
    return [
        [
            (
                Fraction(lists.score(v, 0)) - Fraction(lists.score(v, at)),
                frozenset(lists.parents(v, at)),
            )
            for at in range(lists.size(v))
        ]
        for v in range(len(part.variables))
    ]


def least_regret(regrets):
    """The optimum by dynamic programming, exactly; infinite if there is no network."""
    n = len(regrets)
    best = {frozenset(): Fraction(0)}
    for size in range(1, n + 1):
        for placed in map(frozenset, itertools.combinations(range(n), size)):
            totals = [
                best[placed - {last}] + regret
                for last in placed
                for regret, parents in regrets[last]
                if parents <= placed - {last} and best[placed - {last}] < math.inf
            ]
            best[placed] = min(totals, default=math.inf)
    return best[frozenset(range(n))]


def coefficient(cut, child, parents):
    members, least, _, table, _ = cut
    if child not in members:
        return Fraction(0)
    among = [i for i, v in enumerate(members) if v in parents]
    if table:
        return Fraction(table[(members.index(child) << len(members)) + sum(1 << i for i in among)])
    return Fraction(len(among) < least)


def wanting(n, seed):
    """Each wants several others, and the more the better; few of these can be had together."""
    rng = random.Random(seed)
    lists = {}
    for child in range(n):
        near = [v % n for v in range(child - 4, child + 5) if v % n != child]
        worth = {v: rng.uniform(1, 3) for v in near}
        sets = {frozenset()}
        while len(sets) < 40:
            sets.add(frozenset(rng.sample(near, rng.randint(1, 3))))
        lists[child] = [
            (sum(worth[v] for v in parents) + rng.gauss(0, 0.5), parents)
            for parents in sorted(sets, key=sorted)
        ]
    return lists
