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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

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


Judgment: TypeAlias = "tuple[bool, Callable[[], int | None]]"
"""Of a relabeled graph that is not equivalent: whether it is as good, and what tells how many
independences of it fail."""


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
    implied = len(implied_independences(dag))
    few = MOST_TESTS // implied if tests is not None and implied else 0
    if few < min(LEAST, number):
        tests = None
    log_level = math.log(level)

    def failing(some: Dag) -> int | None:
        return None if tests is None else _count(implied_independences(some), tests, log_level)

    def judge(new: Mapping[str, str], _: tuple[int, ...]) -> Judgment | None:
        other = Dag(dag.names, [(new[a], new[b]) for a, b in dag.arcs])
        if other.to_cpdag() == own:
            return None
        return not higher(mine, total(problem, other)), partial(failing, other)

    names = problem.variables.in_engine_order()
    return _tally(names, judge, failing(dag), few, number=number, seed=seed, over=over)


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
    log_level = math.log(level)

    def judge(new: Mapping[str, str], order: tuple[int, ...]) -> Judgment | None:
        if same(order):
            return None
        other = [
            Independence(new[each.a], new[each.b], tuple(new[z] for z in each.given))
            for each in implied
        ]
        return False, partial(_count, other, tests, log_level)

    mine = _count(implied, tests, log_level)
    found = _tally(names, judge, mine, few, number=number, seed=seed, over=over)
    return None if found is None else replace(found, as_good=None)


def _tally(
    names: Sequence[str],
    judge: Callable[[Mapping[str, str], tuple[int, ...]], Judgment | None],
    mine: int | None,
    few: int,
    *,
    number: int,
    seed: int,
    over: Callable[[], bool],
) -> Relabelings | None:
    """Judge relabeled graphs; test so few of them, if the graph was tested; None without any."""
    everything = math.factorial(min(len(names), 20)) - 1 <= number
    done = equivalent = as_good = tested = as_few = 0
    for order in _orders(len(names), number, everything, seed):
        if over():
            break
        done += 1
        judged = judge(dict(zip(names, (names[v] for v in order), strict=True)), order)
        if judged is None:
            equivalent += 1
            continue
        good, failing = judged
        as_good += good
        if mine is not None and tested < few:
            tested += 1
            as_few += (failing() or 0) <= mine
    if not done:
        return None
    everything = everything and done == math.factorial(len(names)) - 1
    return Relabelings(done, everything, equivalent, as_good, mine, tested, as_few)


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
