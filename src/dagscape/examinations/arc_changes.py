"""Changes of one arc: those after which a network no longer implies what the table denies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from dagscape import _core

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.graphs.independences import Independence
    from dagscape.problem import Problem

ADD, REMOVE, REVERSE = "add", "remove", "reverse"


class ArcChange(NamedTuple):
    """A change of one arc, and what the score gains by it."""

    kind: str
    """"add", "remove" or "reverse"."""
    start: str
    end: str
    """The arc that is added or removed, or that is there after it was reversed."""
    gain: float


class Changes:
    """Changes of one arc of a network, each of which leaves an allowed network."""

    def __init__(self, problem: Problem, dag: Dag) -> None:
        self._problem = problem
        self._variables = problem.variables
        self._allowed = problem.constraints()
        n = range(len(self._variables))
        number = self._variables.number
        self._arcs = {(number(a), number(b)) for a, b in dag.arcs}
        self._parents = {v: {a for a, b in self._arcs if b == v} for v in n}

    def mend(self, independence: Independence) -> ArcChange | None:
        """Return the change of the most gain after which the independence is not implied.

        The two are joined, or an arc is reversed.
        """
        number = self._variables.number
        a, b = number(independence.a), number(independence.b)
        given = [number(name) for name in independence.given]
        options = [(ADD, a, b), (ADD, b, a)]
        options += [(REVERSE, y, x) for x, y in sorted(self._arcs)]
        found = []
        for kind, x, y in options:
            graph = self._after(kind, x, y)
            if graph is not None and not graph.d_separated([a], [b], given):
                found.append(self._mend(kind, x, y))
        return min(found, key=lambda each: (-each.gain, each), default=None)

    def all(self) -> Iterator[ArcChange]:
        """Yield every change."""
        n = len(self._variables)
        for x in range(n):
            for y in range(n):
                if (x, y) in self._arcs:
                    kinds: tuple[str, ...] = (REMOVE,)
                elif (y, x) in self._arcs:
                    kinds = (REVERSE,)
                else:
                    kinds = (ADD,) if x != y else ()
                for kind in kinds:
                    if self._after(kind, x, y) is not None:
                        yield self._mend(kind, x, y)

    def _after(self, kind: str, x: int, y: int) -> _core.Dag | None:
        """Return the network after a change; None if it has a cycle or is not allowed."""
        arcs = self._arcs - {(y, x)} if kind == REVERSE else self._arcs
        arcs = arcs - {(x, y)} if kind == REMOVE else arcs | {(x, y)}
        lost = {REVERSE: (y, x), REMOVE: (x, y)}.get(kind)
        if lost is not None and self._required(*lost):
            return None
        if kind != REMOVE:
            fits = len(self._parents[y]) < self._allowed.max_parents(y)
            if not (fits and self._allowed.has(y, x)):
                return None
            if _core.find_cycle(len(self._variables), sorted(arcs)):
                return None
        return _core.Dag(len(self._variables), sorted(arcs))

    def _required(self, x: int, y: int) -> bool:
        known, name = self._problem.knowledge, self._variables.name
        return known is not None and (name(x), name(y)) in known.required

    def _mend(self, kind: str, x: int, y: int) -> ArcChange:
        """Return a change with what the score gains."""
        of = self._parents[y]
        gain = self._gain(y, of - {x} if kind == REMOVE else of | {x})
        if kind == REVERSE:
            gain += self._gain(x, self._parents[x] - {y})
        return ArcChange(kind, self._variables.name(x), self._variables.name(y), gain)

    def _gain(self, child: int, parents: set[int]) -> float:
        local = self._problem.scorer.local
        return local(child, sorted(parents)) - local(child, sorted(self._parents[child]))
