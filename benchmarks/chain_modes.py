"""Show what tempering would have to do for chains that stay apart, and what jumps do.

python benchmarks/chain_modes.py NETWORK.bif.gz [--rows N] [--max-parents K] [--rounds R]

Rows are drawn from the network; BDeu with an equivalent sample size of 1, fair prior. Chains run
from optima, the empty network and a random one, with the likelihood raised to a power b of 1 and
less. A line for each b: milliseconds a round, the mean log likelihood and how far it varies, arcs,
how many arcs differ by more than 0.5 between chains, and how often networks of this b and the last
would be exchanged. Then, for each pair of optima, the blocks of joined variables whose parents
differ, and the share of all networks met in which a block is in the order of either optimum:
elsewhere there is no jump that could be taken back. At last, eight chains for so many rounds
without jumps and with those between the optima: CPU seconds, the stated error (the widest
half-interval of an arc), the arcs in which it is 0.1 or more, jumps tried and taken.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

import dagscape as ds
from dagscape import _core
from dagscape.posteriors.agreement import half_width
from dagscape.scores import scorer

POWERS = (1.0, 0.9, 0.8, 0.65, 0.5, 0.35)
OPTIMA = 4
FAR = 0.5
UNSETTLED = 0.1


class Lists:
    """The parent sets of each variable, with the likelihood and the prior apart."""

    def __init__(self, data: ds.Data, max_parents: int) -> None:
        self.n = n = data.n_variables
        of = scorer(data, ds.BDeu(1))
        self.sets = [list(subsets([u for u in range(n) if u != v], max_parents)) for v in range(n)]
        self.likelihoods = [
            np.array([of.local(v, given) for given in sets]) for v, sets in enumerate(self.sets)
        ]
        self.priors = [
            np.array([-math.log(math.comb(n - 1, len(given))) for given in sets])
            for sets in self.sets
        ]

    def to_power(self, power: float) -> _core.ParentLists:
        """Return them with the likelihood raised to a power."""
        lines = [str(self.n)]
        for v, sets in enumerate(self.sets):
            weights = power * self.likelihoods[v] + self.priors[v]
            lines.append(f"{v:03} {len(sets)}")
            lines += [
                f"{weight!r} {len(given)} {' '.join(f'{u:03}' for u in given)}"
                for weight, given in zip(weights.tolist(), sets, strict=True)
            ]
        made: _core.ParentLists = _core.read_jkl("\n".join([*lines, ""]).encode())[1]
        return made


def subsets(of: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Return all subsets with at most so many members."""
    sizes = range(most + 1)
    return itertools.chain.from_iterable(itertools.combinations(of, size) for size in sizes)


class Met(NamedTuple):
    """What chains met with the likelihood at some power."""

    milliseconds: float
    likelihoods: NDArray[np.float64]
    arcs: float
    apart: int
    networks: list[list[tuple[int, ...]]]


def optimum(parents: _core.ParentLists, number: int) -> list[int]:
    """Return the order of the best network of a search from a random order."""
    options = _core.OrderSearchOptions("random", True, 1, 500, 0, 0, 1, False, number)
    return list(_core.order_restarts(parents, options)[0][0][0])


def meet(lists: Lists, power: float, orders: list[list[int]], rounds: int) -> Met:
    """Run chains from optima, the empty network and a random one."""
    parents = lists.to_power(power)
    chains, _ = _core.chain_lists(parents, 1)
    starts = [_core.chain_start(chains, "order", 0, 0, order) for order in orders[:2]]
    starts += [_core.chain_start(chains, kind, 0, 0) for kind in ("empty", "random")]
    begun = time.process_time()
    found, _ = _core.run_chains(
        chains, starts, list(range(4)), rounds, rounds // 2, rounds // 2, 0, 1
    )
    spent = (time.process_time() - begun) / rounds / len(starts)
    known = [
        dict(zip(sets, each, strict=True))
        for sets, each in zip(lists.sets, lists.likelihoods, strict=True)
    ]
    kept = [places for each in found for places in each["kept"].tolist()]
    networks = [
        [tuple(sorted(parents.parents(v, at))) for v, at in enumerate(places)] for places in kept
    ]
    likelihoods = [sum(known[v][given] for v, given in enumerate(each)) for each in networks]
    arcs = [each["arcs"] for each in found]
    return Met(
        milliseconds=1000 * spent,
        likelihoods=np.array(likelihoods),
        arcs=float(np.mean([sum(map(len, each)) for each in networks])),
        apart=int((np.max(arcs, axis=0) - np.min(arcs, axis=0) > FAR).sum()),
        networks=networks,
    )


def exchanged(one: Met, other: Met, power: float, power_other: float) -> float:
    """Return how often two networks, one of each power, would change places."""
    gain = (power - power_other) * (other.likelihoods[None, :] - one.likelihoods[:, None])
    return float(np.minimum(1, np.exp(np.minimum(0, gain))).mean())


def jumping(parents: _core.ParentLists, orders: list[list[int]], rounds: int) -> Iterator[str]:
    """Run chains without jumps and with them; yield a line for each."""
    chains, _ = _core.chain_lists(parents, 1)
    optima = [_core.chain_start(chains, "order", 0, 0, order) for order in orders]
    starts = optima + [
        _core.chain_start(chains, kind, 0, at) for kind in ("empty", "random") for at in range(2)
    ]
    for jumps in ([], _core.known_jumps(chains, optima)):
        begun = time.process_time()
        streams = list(range(len(starts)))
        found, _ = _core.run_chains(
            chains, starts, streams, rounds, rounds // 5, 1, 0, 1, jumps=jumps
        )
        spent = time.process_time() - begun
        error = half_width([each["arcs"] for each in found])
        tried, taken = (
            sum(each[name] for each in found) for name in ("jumps_tried", "jumps_taken")
        )
        yield (
            f"{len(jumps):5} {spent:11.1f} {error.max():6.2f} {(error >= UNSETTLED).sum():10} "
            f"{tried:7} {taken:6}"
        )


def blocks(parents: list[tuple[int, ...]], others: list[tuple[int, ...]]) -> list[set[int]]:
    """Return the variables whose parents differ, those that are joined in one block."""
    differ = {v for v in range(len(parents)) if set(parents[v]) != set(others[v])}
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(differ)
    for given in (parents, others):
        graph.add_edges_from((u, v) for v in differ for u in given[v] if u in differ)
    return [set(block) for block in nx.connected_components(graph)]


def in_order(network: list[tuple[int, ...]], block: set[int], order: list[int]) -> bool:
    """Whether no variable of a block is an ancestor of one that comes before it in an order."""
    graph: nx.DiGraph[int] = nx.DiGraph((u, v) for v, given in enumerate(network) for u in given)
    place = {v: at for at, v in enumerate(order)}
    return all(
        place[v] < place[u] for v in block if v in graph for u in nx.descendants(graph, v) & block
    )


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("network", type=Path)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--max-parents", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=400)
    options = parser.parse_args()
    out = Console(soft_wrap=True, highlight=False)
    lists = Lists(ds.read_bif(options.network).sample(options.rows, seed=0), options.max_parents)
    plain = lists.to_power(1)
    orders = [optimum(plain, number) for number in range(OPTIMA)]
    last: tuple[float, Met] | None = None
    plainly: list[list[tuple[int, ...]]] = []
    out.print("power  ms a round  log likelihood  varies by  arcs  arcs apart  exchanged")
    for power in POWERS:
        met = meet(lists, power, orders, options.rounds)
        share = "" if last is None else f"{exchanged(met, last[1], power, last[0]):.2g}"
        out.print(
            f"{power:5} {met.milliseconds:11.2f} {met.likelihoods.mean():15.0f} "
            f"{met.likelihoods.std():10.1f} {met.arcs:5.0f} {met.apart:11} {share:>10}"
        )
        last, plainly = (power, met), plainly or met.networks
    chains, _ = _core.chain_lists(plain, 1)
    best = []
    for order in orders:
        places = _core.chain_start(chains, "order", 0, 0, order)
        best.append([tuple(sorted(plain.parents(v, at))) for v, at in enumerate(places)])
    out.print("optima  block  in the order of either")
    for i, j in itertools.combinations(range(OPTIMA), 2):
        for block in sorted(blocks(best[i], best[j]), key=len):
            either = [
                any(in_order(network, block, orders[k]) for k in (i, j)) for network in plainly[::4]
            ]
            out.print(f"{i} and {j} {len(block):6} {np.mean(either):.4f}")
    out.print("jumps  CPU seconds  error  unsettled   tried  taken")
    for line in jumping(plain, orders, options.rounds):
        out.print(line)


if __name__ == "__main__":
    main()
