"""Why the paper's sampler with k = 1 is not always greedy search: how often it meets the best step.

python reproduce/kes_sampler.py [--only SET ...] [--draws N] [--reversals N] [--seeds N]

Neighbors are drawn as section 4.1 of the KES paper says, here in plain Python: covered arcs of a
network are reversed at random, which stays in its class, then an arc is added or removed. For k = 1
the paper drew 20 n(n - 1) neighbors in each step, and took the best. The script draws more, goes
where greedy search goes, and tells how often 20 n(n - 1) draws meet that neighbor on average.
BIC with the uniform prior on networks.

Source: Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI 2003, section 4.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from functools import cache
from typing import Any, NamedTuple

from _data import add_data_option
from _optima_data import SETS, load
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

PAPER_DRAWS = 20
"""The paper's k* for k = 1: draws of a step, in units of n(n - 1)."""

SAME = 1e-6
"""Gains that differ by less are of one neighbor, or of equal ones."""

Record = dict[str, Any]


class Network:
    """A network that wanders through its class; variables are numbers, parents bits."""

    def __init__(self, parents: list[int]) -> None:
        self.parents = list(parents)
        self.arcs = [(a, b) for b, some in enumerate(parents) for a in _bits(some)]

    def reverse_some(self, rng: random.Random, most: int) -> None:
        """Try to reverse up to so many arcs; covered ones can be."""
        for _ in range(1 + rng.randrange(most) if self.arcs else 0):
            place = rng.randrange(len(self.arcs))
            a, b = self.arcs[place]
            if self.parents[b] == self.parents[a] | 1 << a:
                self.parents[b] ^= 1 << a
                self.parents[a] |= 1 << b
                self.arcs[place] = (b, a)

    def reaches(self, start: int, end: int) -> bool:
        """Tell whether a directed path leads from one variable to another."""
        seen, front = 0, self.parents[end]
        while front:
            if front >> start & 1:
                return True
            seen |= front
            above = 0
            for v in _bits(front):
                above |= self.parents[v]
            front = above & ~seen
        return False


def _bits(some: int) -> list[int]:
    return [i for i in range(some.bit_length()) if some >> i & 1]


class Met(NamedTuple):
    """A neighbor that scores higher: how much, how often it was drawn, and a network of it."""

    gain: float
    times: int
    parents: list[int]


class Sampler:
    """Draws neighbors of a class on data."""

    def __init__(self, data: ds.Data, reversals: int, seed: int) -> None:
        self._names = sorted(data.names)
        self._reversals = reversals
        self._rng = random.Random(seed)  # noqa: S311

        @cache
        def local(child: int, parents: int) -> float:
            chosen = [self._names[p] for p in _bits(parents)]
            return ds.local_score(data, self._names[child], chosen, score="bic", prior="uniform")

        self.local = local

    def best_of(self, network: Network, draws: int) -> Met | None:
        """Return the best neighbor that so many draws meet; None if none scores higher."""
        met: dict[int, Met] = {}
        n = len(network.parents)
        for _ in range(draws):
            network.reverse_some(self._rng, self._reversals)
            x, y = self._rng.sample(range(n), 2)
            if network.parents[x] >> y & 1:
                x, y = y, x
            before = network.parents[y]
            if not before >> x & 1 and network.reaches(y, x):
                continue
            after = before ^ 1 << x
            gain = self.local(y, after) - self.local(y, before)
            if gain <= SAME:
                continue
            known = met.get(round(gain / SAME))
            if known is None:
                changed = [*network.parents[:y], after, *network.parents[y + 1 :]]
                met[round(gain / SAME)] = Met(gain, 1, changed)
            else:
                met[round(gain / SAME)] = known._replace(times=known.times + 1)
        return max(met.values(), default=None)


def climb(data: ds.Data, draws: int, reversals: int, seed: int) -> Record:
    """Go where greedy search goes, and say how often the paper's draws meet each step."""
    sampler = Sampler(data, reversals, seed)
    pairs = data.n_variables * (data.n_variables - 1)
    network = Network([0] * data.n_variables)
    met = []
    while (best := sampler.best_of(network, draws * pairs)) is not None:
        met.append(best.times * PAPER_DRAWS / draws)
        network = Network(best.parents)
    score = sum(sampler.local(child, some) for child, some in enumerate(network.parents))
    return {
        "score": score,
        "met": met,
        # Draws far apart are independent, so that the number of meetings is a Poisson one.
        "all_met": math.prod(1 - math.exp(-times) for times in met),
    }


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    records = []
    for name in options.only:
        data = load(name, options.data)
        if data is None:
            screen.print(f"{name}: left out, its file is not in {options.data}")
            continue
        with screen.status(name):
            found = climb(data, options.draws, options.reversals, options.seed)
            greedy = ds.kes(data, k=1, score="bic", prior="uniform", neighborhood="exact").score
            sampled = [
                ds.kes(data, k=1, score="bic", prior="uniform", neighborhood="sampled", seed=i)
                for i in range(options.seeds)
            ]
        same = sum(abs(result.score - greedy) < SAME for result in sampled)
        records.append(
            {"set": name, "greedy": greedy, "same": same, "seeds": len(sampled), **found}
        )
    put_out(screen, options, [_table(records)], records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument(
        "--only", nargs="+", choices=SETS, default=["coil"], metavar="SET", help="these sets; coil"
    )
    parser.add_argument(
        "--draws", type=int, default=500, metavar="N", help="of a step, times n(n - 1); 500"
    )
    parser.add_argument(
        "--reversals", type=int, default=7, metavar="N", help="arcs tried at most before a draw; 7"
    )
    parser.add_argument("--seeds", type=int, default=30, metavar="N", help="of the search; 30")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the draws; 0")
    add_output_options(parser)
    return parser.parse_args()


def _table(records: list[Record]) -> Table:
    rows = [
        [
            record["set"],
            str(len(record["met"])),
            ", ".join(f"{times:.1f}" for times in sorted(record["met"])[:3]),
            f"{record['all_met']:.2f}",
            f"{record['same']} of {record['seeds']}",
            "yes" if abs(record["score"] - record["greedy"]) < SAME else "no",
        ]
        for record in records
    ]
    header = ["set", "steps", "rarest three", "all met", "search is greedy", "ends as greedy"]
    return Table(f"Meetings of the best step in {PAPER_DRAWS} n(n - 1) draws, mean", header, rows)


if __name__ == "__main__":
    sys.exit(main())
