"""Initial orders for tabu search and annealing, which the orders paper names as future work.

python reproduce/orders_walks.py [--only SET ...] [--restarts N] [--store FILE] [--markdown FILE]

Three walks over orders by swaps of neighbors, from the paper's three kinds of initial order: its
climb; tabu search, which takes the best swap that does not undo a recent one, better or not; and
annealing, which takes a random swap by chance. They are written in Python, for this comparison
alone. Tabu search and annealing look at about as many orders as each other. BIC with the uniform
prior on networks; parent sets by sequential selection, all of up to so many parents.

Source: Perez and Mauá, Better initialization heuristics for order-based Bayesian network structure
learning, JIDM 2016, section 7.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from _data import add_data_option, check_folder, each_set
from _kept import Kept
from _orders_paper import INITS, LISTS
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape import _core

SETS = ("nltcs", "plants", "dna")
ROUNDS = 10
"""Steps of tabu search, in units of the number of variables."""
LOOKS = 3
"""Swaps whose gain a step changes: so many looks of annealing are one step of tabu search."""
HOT, COLD = 10.0, 0.1
"""Temperatures at which annealing begins and ends, in units of the score."""

Record = dict[str, Any]


class Orders:
    """What orders score: every variable has its best listed set among those before it."""

    def __init__(self, parents: ds.CandidateParents) -> None:
        place = {name: i for i, name in enumerate(sorted(parents.names))}
        self._sets = [
            [(score, sum(1 << place[p] for p in chosen)) for score, chosen in parents[name]]
            for name in sorted(parents.names)
        ]
        self._known: list[dict[int, float]] = [{} for _ in self._sets]

    def local(self, child: int, before: int) -> float:
        """Return a variable's best score; `before` has a bit for each variable before it."""
        known = self._known[child]
        if before not in known:
            known[before] = next(s for s, some in self._sets[child] if some & ~before == 0)
        return known[before]

    def score(self, order: list[int]) -> float:
        """Return the score of an order."""
        total, before = 0.0, 0
        for child in order:
            total += self.local(child, before)
            before |= 1 << child
        return total

    def gain(self, order: list[int], prefix: list[int], at: int) -> float:
        """Return what swapping a place and the next one gains."""
        a, b, before = order[at], order[at + 1], prefix[at]
        old = self.local(a, before) + self.local(b, before | 1 << a)
        return self.local(b, before) + self.local(a, before | 1 << b) - old


class Walk:
    """An order on its way, with the gain of every swap kept up to date."""

    def __init__(self, orders: Orders, order: list[int]) -> None:
        self.order = list(order)
        self._orders = orders
        self._prefix = [0]
        for child in order:
            self._prefix.append(self._prefix[-1] | 1 << child)
        self.score = self.best = orders.score(order)
        self.gains = [orders.gain(self.order, self._prefix, i) for i in range(len(order) - 1)]

    def swap(self, at: int) -> None:
        """Swap a place and the next one."""
        order = self.order
        self.score += self.gains[at]
        order[at], order[at + 1] = order[at + 1], order[at]
        self._prefix[at + 1] = self._prefix[at] | 1 << order[at]
        for i in range(max(0, at - 1), min(len(self.gains), at + 2)):
            self.gains[i] = self._orders.gain(order, self._prefix, i)
        self.best = max(self.best, self.score)


def climb(orders: Orders, order: list[int], _rng: random.Random) -> float:
    """Take the swap that gains most until none does; at most 500, as in the paper."""
    walk = Walk(orders, order)
    for _ in range(500):
        at = max(range(len(walk.gains)), key=walk.gains.__getitem__)
        if walk.gains[at] <= 1e-9:
            break
        walk.swap(at)
    return walk.best


def tabu(orders: Orders, order: list[int], rng: random.Random) -> float:
    """Take the best swap of a pair that was not swapped lately, though it may lose."""
    walk = Walk(orders, order)
    until: dict[frozenset[int], int] = {}
    for step in range(ROUNDS * len(order)):
        allowed = [
            i
            for i, gain in enumerate(walk.gains)
            if until.get(frozenset(walk.order[i : i + 2]), 0) <= step
            or walk.score + gain > walk.best + 1e-9
        ]
        if not allowed:
            continue
        at = max(allowed, key=walk.gains.__getitem__)
        until[frozenset(walk.order[at : at + 2])] = step + len(order) // 2 + rng.randrange(10)
        walk.swap(at)
    return walk.best


def anneal(orders: Orders, order: list[int], rng: random.Random) -> float:
    """Take a random swap that gains, or one that loses by chance, less and less often."""
    walk = Walk(orders, order)
    looks = LOOKS * ROUNDS * len(order)
    for look in range(looks):
        heat = HOT * (COLD / HOT) ** (look / looks)
        at = rng.randrange(len(walk.gains))
        if walk.gains[at] >= 0 or rng.random() < math.exp(walk.gains[at] / heat):
            walk.swap(at)
    return max(walk.best, climb(orders, walk.order, rng))


WALKS: dict[str, Callable[[Orders, list[int], random.Random], float]] = {
    "climb": climb,
    "tabu": tabu,
    "annealing": anneal,
}


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    kept = Kept(options.store)
    records = []
    for name, data in each_set(screen, options, "debd"):
        asked = {"data": data.fingerprint, "restarts": options.restarts, "seed": options.seed}
        asked |= {"max_parents": options.max_parents, "rounds": ROUNDS}
        with screen.status(name):
            found = kept.get(asked, partial(_record, data, options))
        records.append({"set": name, **found})
    put_out(screen, options, [_table(records)], records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=LISTS, default=SETS, metavar="SET")
    parser.add_argument("--restarts", type=int, default=30, metavar="N", help="of each; 30")
    parser.add_argument("--max-parents", type=int, default=2, metavar="N", help="2")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="0")
    parser.add_argument("--store", type=Path, metavar="FILE", help="keep each set there")
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    return options


def _record(data: ds.Data, options: argparse.Namespace) -> Record:
    """Walk from every kind of initial order; keep relative scores."""
    parents = ds.candidate_parents(
        data, score="bic", prior="uniform", max_parents=options.max_parents, threads=1
    )
    empty = ds.score(data, ds.Dag(data.names, []), score="bic", prior="uniform")
    orders = Orders(parents)
    graph = _core.BestParentGraph(parents._lists)
    lines = []
    for init in INITS:
        starts = [
            _core.initial_order(graph, init, options.seed, i) for i in range(options.restarts)
        ]
        line: Record = {
            "init": init,
            "initial": [_relative(orders.score(s), empty) for s in starts],
        }
        for name, walk in WALKS.items():
            rng = random.Random(options.seed)  # noqa: S311
            line[name] = [_relative(walk(orders, start, rng), empty) for start in starts]
        lines.append(line)
    return {"variables": data.n_variables, "lines": lines}


def _relative(score: float, empty: float) -> float:
    return (score - empty) / abs(empty)


def _table(records: list[Record]) -> Table:
    rows = []
    for record in records:
        for line in record["lines"]:
            row = [record["set"], line["init"], f"{mean(line['initial']):.4f}"]
            for name in WALKS:
                ends = line[name]
                spread = stdev(ends) if len(ends) > 1 else 0.0
                row += [f"{max(ends):.4f}", f"{mean(ends):.4f} ± {spread:.4f}"]
            rows.append(row)
    header = ["set", "initial orders", "mean initial"]
    for name in WALKS:
        header += [f"{name}: best", "mean"]
    return Table("Relative scores of three walks, by where they begin", header, rows)


if __name__ == "__main__":
    sys.exit(main())
