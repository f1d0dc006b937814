"""Hill climbing by definition: every neighbor of every network is built and scored anew.

Networks are sets of arcs (from, to) of variables numbered from 0.

Source
------
Tsamardinos, Brown and Aliferis, Machine Learning 2006: the best change that leads to none of the
last 100 networks; an end after 15 changes without a new best. Castelo and Kočka, JMLR 2003:
reversals of covered arcs before a step. Steele, Lea and Flood, OOPSLA 2014: splitmix64.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from oracles import graphs
from oracles.graphs import Arc, Graph

BITS = 2**64

Local = Callable[[int, frozenset[int]], float]


class Question(NamedTuple):
    """What a network may look like, and how it is scored."""

    n: int
    local: Local
    step: float  # gains are rounded to whole steps, family by family
    allowed: frozenset[Arc]
    required: frozenset[Arc] = frozenset()
    most: tuple[int, ...] = ()  # parents, by child; none: any number


def obeys(question: Question, graph: Graph) -> bool:
    """Tell whether a set of arcs is a network as asked for."""
    return (
        question.required <= graph <= question.allowed
        and all(len(graphs.parents(graph, v)) <= most for v, most in enumerate(question.most))
        and graphs.is_acyclic(graph)
    )


def neighbors(question: Question, graph: Graph) -> Iterator[Graph]:
    """Yield the networks one move away in the order in which ties are broken."""
    arcs = [(a, b) for b in range(question.n) for a in range(question.n) if a != b]
    there = [arc for arc in arcs if arc in graph]
    changed = [graph | {arc} for arc in arcs if arc not in graph]
    changed += [graph - {arc} for arc in there]
    changed += [graph - {(a, b)} | {(b, a)} for a, b in there]
    yield from (other for other in changed if obeys(question, other))


def gain(question: Question, graph: Graph, other: Graph) -> int:
    """Return what the families that differ gain, in steps."""
    total = 0
    for v in {child for _, child in graph ^ other}:
        before, after = graphs.parents(graph, v), graphs.parents(other, v)
        total += round((question.local(v, after) - question.local(v, before)) / question.step)
    return total


def total(question: Question, graph: Graph) -> float:
    """Return the score of a network."""
    return sum(question.local(v, graphs.parents(graph, v)) for v in range(question.n))


def splitmix(state: int) -> int:
    """Return what splitmix64 draws in a state."""
    z = (state + 0x9E3779B97F4A7C15) % BITS
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % BITS
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % BITS
    return z ^ (z >> 31)


class Draws:
    """Stream 0 of a seed."""

    def __init__(self, seed: int) -> None:
        self._state = splitmix(seed) ^ splitmix(BITS - 1)

    def below(self, end: int) -> int:
        """Return a number from 0 to end - 1."""
        while True:
            drawn = splitmix(self._state)
            self._state = (self._state + 0x9E3779B97F4A7C15) % BITS
            if drawn >= BITS % end:
                return drawn % end


def wander(question: Question, graph: Graph, draws: Draws) -> Graph:
    """Draw ten arcs and half as many as variables, and reverse those that are covered."""
    for _ in range(10 + question.n // 2):
        to = draws.below(question.n)
        parents = sorted(graphs.parents(graph, to))
        if not parents:
            continue
        start = parents[draws.below(len(parents))]
        other = graph - {(start, to)} | {(to, start)}
        covered = graphs.parents(graph, start) | {start} == graphs.parents(graph, to)
        if covered and obeys(question, other):
            graph = other
    return graph


def hill_climb(
    question: Question, start: Graph, tabu: int, patience: int, draws: Draws | None = None
) -> tuple[Graph, int]:
    """Return the best network on the way, and the number of steps.

    A new best is one that is better by more than half a step. With draws, the search wanders among
    equivalent networks before each step from a best one.
    """
    here, waited, steps = start, 0, 0
    best, record = start, total(question, start)
    visited: deque[Graph] = deque(maxlen=tabu)
    while waited < patience:
        if draws is not None and waited == 0:
            best = here = wander(question, here, draws)
            record = total(question, here)
        visited.append(here)
        choice = [
            (gain(question, here, other), other)
            for other in neighbors(question, here)
            if other not in visited
        ]
        if not choice:
            break
        most, there = max(choice, key=lambda pair: pair[0])  # the first of several
        if tabu == 0 and most <= 0:
            break
        here = there
        steps += 1
        waited += 1
        if total(question, here) > record + question.step / 2:
            best, record, waited = here, total(question, here), 0
    return best, steps
