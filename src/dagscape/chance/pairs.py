"""How much of what looks likely may be chance: edges, set against all the pairs there are.

Among 1,770 pairs of coins some look tied to each other, on 100 flips, by any score. What a score
says depends on its prior, which the table need not share; so edges must also stand out from the
same table with shuffled rows. There are two ways to shuffle, and an edge must stand out from both.

*No relation at all*: the rows of one column change places. Two columns may also be related only
given others (parity), so those are asked, too, which the network has for the child's other parents;
there are many such sets to choose from, and that probability is multiplied by their number.

*None given the others*: rows change places only where the other parents are the same. What they
pass on from one to the other is no reason for an edge between the two. This probability may not be
less than that of the whole set of parents against rows that are shuffled everywhere: a large set
can make any column up, and then each of its members is needed.

A number that both follow in a curve passes something on, too, and so do two columns of which one
turns the other's slope round; a score of lines does not see it. So the second way is tried once
more with such columns among the others.

All pairs are tested at once: of the edges with probabilities of p and less, chance gives a share of
at most p times the pairs there are, over the number of these edges. That holds where pairs depend
on each other in no way or a positive one; a bound for any way (Benjamini and Yekutieli 2001) is
7 times as large for 666 pairs, and tables without relations do not need it. And unless some edge
has a share of at most 0.05, which shuffled tables give once in 20 times at most, the table shows
nothing at all.

Source: Benjamini and Hochberg, Controlling the false discovery rate, JRSS B 1995.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from dagscape.chance.shuffles import Shuffles

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag

Pair = tuple[str, str]

MOST_ROWS = 50_000
"""Rows that are shuffled first; all, for what does not stand out in so many."""

STRUCTURED = 0.05
"""The share of chance that some edge must not exceed, for the table to show anything."""


@dataclass(frozen=True)
class Chances:
    """Of an edge and all that stand out as much from shuffled rows, the share due to chance."""

    alone: float
    """If the rows of one column change places: at most, where there is no relation at all."""
    given: float
    """If they do where the other parents are the same: at most, where there is none given these."""


def chances_of(data: Data, dag: Dag, edges: Iterable[Pair]) -> dict[Pair, Chances]:
    """Return for edges that look likely how many as strong may be due to chance.

    Parameters
    ----------
    dag
        The network, which says which other parents there are.
    edges
        All that look likely.
    """
    n = len(dag.names)
    pairs = n * (n - 1) // 2
    if data.rows.times is not None or data.n_rows <= MOST_ROWS:
        return _discovered(_logs(data, dag, edges), pairs)
    # Two tries, each at twice its probability: what stands out in some of the rows need not be
    # asked of all.
    logs = {pair: _twice(found) for pair, found in _logs(data._some(MOST_ROWS), dag, edges).items()}
    found = _discovered(logs, pairs)
    doubtful = [pair for pair, each in found.items() if max(each.alone, each.given) > STRUCTURED]
    for pair, all_rows in _logs(data, dag, doubtful).items():
        some, whole = logs[pair], _twice(all_rows)
        logs[pair] = min(some[0], whole[0]), min(some[1], whole[1])
    return _discovered(logs, pairs)


def _logs(data: Data, dag: Dag, edges: Iterable[Pair]) -> dict[Pair, tuple[float, float]]:
    """Return ln of the probabilities that shuffled rows relate the ends as much, either way."""
    shuffles = Shuffles(data)
    uncut = data._uncut()
    finer = None if uncut is data else Shuffles(uncut)
    order = {name: at for at, name in enumerate(dag.topological_order())}
    edges = list(edges)
    for each in (shuffles, finer):
        if each is not None:
            each.glance(chain.from_iterable(edges))
    found = {}
    for pair in edges:
        parent, child = sorted(pair, key=order.__getitem__)
        alone, given = log_ps(shuffles, dag, parent, child)
        if finer is not None:
            cut = uncut.numbers.keys() - data.numbers.keys()
            given = max(given, given_numbers(finer, dag, parent, child, cut))
        found[pair] = alone, given
    return found


def _twice(logs: tuple[float, float]) -> tuple[float, float]:
    return min(0.0, logs[0] + math.log(2)), min(0.0, logs[1] + math.log(2))


def _discovered(logs: Mapping[Pair, tuple[float, float]], pairs: int) -> dict[Pair, Chances]:
    """Return what chance gives of each edge and all that stand out as much."""
    of_all = false_discoveries({pair: log for pair, (log, _) in logs.items()}, pairs)
    of_rest = false_discoveries({pair: log for pair, (_, log) in logs.items()}, pairs)
    return {pair: Chances(of_all[pair], of_rest[pair]) for pair in of_all}


def log_ps(shuffles: Shuffles, dag: Dag, parent: str, child: str) -> tuple[float, float]:
    """Return ln of the probabilities that shuffled rows relate two columns as much, either way."""
    others = [name for name in dag.parents(child) if name != parent]
    alone = shuffles.alone(child, parent)
    curved = shuffles.curved(child, parent, others)
    along = shuffles.given(child, [parent], others, curved) if curved else -math.inf
    if not others:
        return alone, max(alone, along)
    given = max(
        shuffles.given(child, [parent], others), shuffles.given(child, [parent, *others], [])
    )
    k = len(others)
    # Half of what may go wrong is for no others at all; the rest, for either of the two as the
    # child, is shared out among sizes, 1 / k(k + 1) each, and among the sets of a size.
    sets = 4 * k * (k + 1) * math.comb(len(dag.names) - 2, k)
    return min(0.0, alone + math.log(2), given + math.log(sets)), max(given, along)


def given_numbers(
    shuffles: Shuffles, dag: Dag, parent: str, child: str, cut: Container[str]
) -> float:
    """Return ln of the probability given the numbers that others were before they were cut.

    Within an interval two columns may both still follow the number.
    """
    others = [name for name in dag.parents(child) if name != parent]
    curved = shuffles.curved(child, parent, others, cut)
    if not curved and not any(name in cut for name in others):
        return -math.inf
    return shuffles.given(child, [parent], others, curved)


def false_discoveries(logs: Mapping[Pair, float], pairs: int) -> dict[Pair, float]:
    """Return the least false discovery rate at which each edge is found, by ln of its p.

    Of the pairs that are not among the edges nothing is claimed: they count as tests that failed.
    """
    shares: dict[Pair, float] = {}
    least = 0.0
    ordered = sorted(logs, key=lambda pair: (logs[pair], pair))
    for rank, pair in reversed(list(enumerate(ordered, start=1))):
        least = min(least, logs[pair] + math.log(pairs / rank))
        shares[pair] = math.exp(least)
    if min(shares.values(), default=0.0) > STRUCTURED:
        return dict.fromkeys(shares, 1.0)
    return shares
