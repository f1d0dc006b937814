"""Which arrows have tests of their own, whatever the rest of the graph may be.

That a is a cause of b follows from two facts (a Y-structure, where both are about neighbors):

- a relates w and v, which are apart otherwise, so that a is no cause of w;
- a parts w and b, which are related otherwise, so that a is a cause of w or of b.

Neither asks whether causes are hidden. What is known beforehand, such as that w comes before a,
stands for the first.

Sources: Mani, Spirtes and Cooper, A theoretical study of Y structures for causal discovery, UAI
2006; Claassen and Heskes, A Bayesian approach to constraint based causal inference, UAI 2012.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dagscape import _core
    from dagscape.hidden_causes.relations import Relations

MOST_GIVEN = 1
"""Variables given beside the one that makes the difference; with two, not more was right."""


class Collider(NamedTuple):
    """Two variables that a third one relates, given others."""

    a: int
    b: int
    given: tuple[int, ...]

    @property
    def names(self) -> tuple[int, ...]:
        """All variables that the third is no cause of."""
        return self.a, self.b, *self.given


class Support(NamedTuple):
    """The tests behind an arrow from a cause to an effect."""

    cause: int
    effect: int
    beside: int
    """What the cause parts from the effect, and is no cause of."""
    given: tuple[int, ...]
    collider: Collider | None
    """Why it is no cause of that; None where this is known beforehand."""


Known = Callable[[int, int], bool]
"""Whether it is known beforehand that the first is no cause of the second."""


def supports_of(
    graph: _core.Dag, relations: Relations, known: Known, over: Callable[[], bool]
) -> dict[tuple[int, int], Support]:
    """Return the arrows between neighbors in a network that have tests of their own.

    Where tests say of an arrow that its first end is also no cause of its second, it has none.
    """
    near = Surroundings(graph)
    no_cause: dict[int, dict[int, Collider]] = {}
    for a in range(graph.variables):
        if over():
            break
        no_cause[a] = dict(_no_cause(a, near, relations))
    found: dict[tuple[int, int], Support] = {}
    for a, colliders in no_cause.items():
        for b in near.neighbors[a]:
            if over():
                return found
            if b in colliders or known(a, b):
                continue
            support = next(_supports(a, b, near, relations, colliders, known), None)
            if support is not None:
                found[a, b] = support
    return found


class Surroundings:
    """Who is near whom in a network: neighbors, and their neighbors."""

    def __init__(self, graph: _core.Dag) -> None:
        neighbors: dict[int, set[int]] = defaultdict(set)
        for a, b in graph.arcs:
            neighbors[a].add(b)
            neighbors[b].add(a)
        self.neighbors = {v: sorted(neighbors[v]) for v in range(graph.variables)}
        self.near = {
            v: sorted({*own, *itertools.chain(*(neighbors[u] for u in own))} - {v})
            for v, own in self.neighbors.items()
        }

    def joined(self, a: int, b: int) -> bool:
        """Tell whether two are neighbors."""
        return b in self.neighbors[a]

    def sets(self, a: int, b: int, *without: int) -> Iterator[tuple[int, ...]]:
        """Yield small sets of neighbors of two, smaller ones first."""
        around = sorted({*self.neighbors[a], *self.neighbors[b]} - {a, b, *without})
        for size in range(MOST_GIVEN + 1):
            yield from itertools.combinations(around, size)


def _no_cause(a: int, near: Surroundings, relations: Relations) -> Iterator[tuple[int, Collider]]:
    """Yield the variables that a is no cause of, each once, with the reason."""
    seen: set[int] = set()
    for w, v in itertools.combinations(near.near[a], 2):
        if near.joined(w, v):
            continue
        for given in near.sets(w, v, a):
            if relations.relates(a, w, v, given):
                collider = Collider(w, v, given)
                yield from ((x, collider) for x in collider.names if x not in seen)
                seen.update(collider.names)
                break


def _supports(
    a: int,
    b: int,
    near: Surroundings,
    relations: Relations,
    colliders: dict[int, Collider],
    known: Known,
) -> Iterator[Support]:
    for w in sorted({*colliders, *(w for w in near.near[a] if known(a, w))} - {b}):
        if near.joined(w, b):
            continue
        for given in near.sets(w, b, a):
            if relations.parts(a, w, b, given):
                yield Support(a, b, w, given, colliders.get(w))
