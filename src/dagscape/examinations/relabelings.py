"""The same graph with the names of its variables shuffled: how many of these do as well.

A graph that says something of its variables fits the table better than most graphs of the same
shape. One that does not is no better than a shape with names drawn from a hat, however few of its
independences fail.

Source: Eulig, Mastakouri, Blöbaum, Hardt and Janzing, Toward falsifying causal graphs using a
permutation-based test, 2023. There the number of independences that fail is compared; here, the
score as well.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dagscape.graphs import Dag
from dagscape.graphs.independences import Independence, implied_independences
from dagscape.scores.base import higher
from dagscape.scoring import total

if TYPE_CHECKING:
    from dagscape.examinations.implications import Tests
    from dagscape.problem import Problem

MOST_TESTS = 10_000
"""Of independences of relabeled graphs; where there would be more, scores alone are compared."""
LEAST = 19
"""With fewer relabelings, no share of them is small."""


@dataclass(frozen=True)
class Relabelings:
    """How the graph compares with itself under other names."""

    number: int
    """Relabeled graphs that were scored."""
    all: bool
    """Whether these are all there are, and not some that were drawn."""
    equivalent: int
    """Of these, how many are equivalent to the graph: no table tells them from it."""
    as_good: int | None
    """Of the others, how many score as high or higher; None of a graph that has no score."""
    failing: int | None = None
    """How many independences of the graph fail, each at the level by itself; None where this was
    not compared."""
    tested: int = 0
    """Relabeled graphs that are not equivalent and whose independences were tested."""
    as_few: int = 0
    """Of these, for how many as few fail, or fewer."""

    @property
    def others(self) -> int:
        """Relabeled graphs that are not equivalent to the graph."""
        return self.number - self.equivalent


def relabelings_of(
    problem: Problem,
    dag: Dag,
    tests: Tests | None,
    *,
    number: int,
    level: float,
    seed: int,
    over: Callable[[], bool],
) -> Relabelings | None:
    """Compare a network with relabeled ones; None where it has no others.

    Parameters
    ----------
    tests
        Of the table; None where they say nothing.
    over
        Whether there is time for no more.
    """
    own, mine = dag.to_cpdag(), total(problem, dag)
    names = problem.variables.in_engine_order()
    everything = math.factorial(min(len(names), 20)) - 1 <= number
    implied = len(implied_independences(dag))
    few = MOST_TESTS // implied if tests is not None and implied else 0
    if few < min(LEAST, number):
        tests = None
    log_level = math.log(level)
    my_failing = None if tests is None else _failing(dag, tests, log_level)
    done = equivalent = as_good = tested = as_few = 0
    for order in _orders(len(names), number, everything, seed):
        if over():
            break
        new = dict(zip(names, (names[v] for v in order), strict=True))
        other = Dag(dag.names, [(new[a], new[b]) for a, b in dag.arcs])
        done += 1
        if other.to_cpdag() == own:
            equivalent += 1
            continue
        as_good += not higher(mine, total(problem, other))
        if tests is not None and my_failing is not None and tested < few:
            tested += 1
            as_few += _failing(other, tests, log_level) <= my_failing
    if not done:
        return None
    return Relabelings(
        done,
        everything and done == math.factorial(len(names)) - 1,
        equivalent,
        as_good,
        my_failing,
        tested,
        as_few,
    )


def relabeled_independences(
    implied: Sequence[Independence],
    names: Sequence[str],
    same: Callable[[tuple[int, ...]], bool],
    tests: Tests,
    *,
    number: int,
    level: float,
    seed: int,
    over: Callable[[], bool],
) -> Relabelings | None:
    """Compare a graph with relabeled ones by their independences alone; None where nothing can be.

    Parameters
    ----------
    names
        As the engine numbers them.
    same
        Whether the graph with its variables in this order is equivalent to itself.
    """
    few = MOST_TESTS // len(implied) if implied else 0
    if few < min(LEAST, number):
        return None
    everything = math.factorial(min(len(names), 20)) - 1 <= number
    log_level = math.log(level)
    done = equivalent = tested = as_few = 0
    mine = _count(implied, tests, log_level)
    for order in _orders(len(names), number, everything, seed):
        if over():
            break
        done += 1
        if same(order):
            equivalent += 1
        elif tested < few:
            new = dict(zip(names, (names[v] for v in order), strict=True))
            other = [
                Independence(new[each.a], new[each.b], tuple(new[z] for z in each.given))
                for each in implied
            ]
            tested += 1
            as_few += _count(other, tests, log_level) <= mine
    if not done:
        return None
    everything = everything and done == math.factorial(len(names)) - 1
    return Relabelings(done, everything, equivalent, None, mine, tested, as_few)


def _failing(dag: Dag, tests: Tests, log_level: float) -> int:
    """Return how many independences of a network fail, each by itself."""
    return _count(implied_independences(dag), tests, log_level)


def _count(implied: Sequence[Independence], tests: Tests, log_level: float) -> int:
    return sum(tests.log_p(each) <= log_level for each in implied)


def _orders(n: int, number: int, everything: bool, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield orders of the variables, other than their own."""
    own = tuple(range(n))
    if everything:
        yield from (order for order in itertools.permutations(own) if order != own)
        return
    rng = np.random.default_rng([seed, 3])
    for _ in range(number):
        order = own
        while order == own:
            order = tuple(map(int, rng.permutation(n)))
        yield order
