"""Changes of one edge of an ancestral graph: those after which it no longer implies what fails.

Such a graph has no score here to choose by. So of the changes that mend an independence, it is the
one after which the fewest independences of the graph fail; of several such, one that adds no edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from dagscape import _core
from dagscape.examinations.arc_changes import ADD
from dagscape.examinations.implications import holm
from dagscape.files.result_frames import NAMES
from dagscape.graphs.independences import Independence, implied_separations, separator
from dagscape.graphs.pag import written
from dagscape.graphs.pag_separation import Separation

if TYPE_CHECKING:
    from dagscape.examinations.implications import Tests
    from dagscape.variables import Variables

TURN = "turn"
EDGES = ("->", "<-", "<->")

COLUMNS = {
    "a": pl.String,
    "b": pl.String,
    "given": NAMES,
    "change": pl.String,
    "from": pl.String,
    "edge": pl.String,
    "to": pl.String,
    "failing": pl.Int64,
}


class PagMend(NamedTuple):
    """An independence that fails, and the change of one edge that mends the graph."""

    a: str
    b: str
    given: tuple[str, ...]
    change: str
    """"add" an edge between the two, or "turn" one that is there; "" where no single edge mends it,
    or there was no time to look."""
    start: str = ""
    edge: str = ""
    """The edge that is there then, such as ``"o->"``: a circle where several marks do as well."""
    end: str = ""
    failing: int | None = None
    """How many independences of the changed graph fail."""


class EdgeChanges:
    """Changes of one edge of an ancestral graph, each of which leaves one."""

    def __init__(
        self,
        member: _core.MarkedGraph,
        variables: Variables,
        tests: Tests,
        level: float,
        over: Callable[[], bool],
    ) -> None:
        self._edges = {(a, b): edge for a, edge, b in member.edges}
        self._n, self._variables = member.variables, variables
        self._tests, self._level, self._over = tests, level, over
        number = variables.number
        self._implied = {
            (number(each.a), number(each.b)): tuple(map(number, each.given))
            for each in implied_separations(member, variables)
        }

    def mend(self, denied: Independence) -> PagMend:
        """Return the change that mends an independence and leaves the fewest that fail."""
        number, name = self._variables.number, self._variables.name
        a, b = sorted((number(denied.a), number(denied.b)))
        given = sorted(map(number, denied.given))
        found: dict[tuple[int, bool, int, int], list[str]] = {}
        for kind, x, y, edge in self._options(a, b):
            if self._over():
                return PagMend(*denied, "")
            graph = self._after(x, y, edge)
            if not graph.is_maximal_ancestral():
                continue
            separated = Separation(graph)
            if not separated(a, b, given):
                left = self._failing(graph, separated)
                found.setdefault((left, kind == ADD, x, y), []).append(edge)
        if not found:
            return PagMend(*denied, "")
        (left, added, x, y), edges = min(found.items(), key=lambda each: each[0])
        return PagMend(*denied, ADD if added else TURN, name(x), _common(edges), name(y), left)

    def _options(self, a: int, b: int) -> Iterator[tuple[str, int, int, str]]:
        """Yield edges to add between two, and other ones for those that are there."""
        yield from ((ADD, a, b, edge) for edge in EDGES)
        for (x, y), own in self._edges.items():
            yield from ((TURN, x, y, edge) for edge in EDGES if edge != own)

    def _after(self, x: int, y: int, edge: str) -> _core.MarkedGraph:
        edges = {**self._edges, (x, y): edge}
        return _core.MarkedGraph(self._n, [(p, each, q) for (p, q), each in edges.items()])

    def _failing(self, graph: _core.MarkedGraph, separated: Separation) -> int:
        """Return how many independences of a graph fail, corrected for their number."""
        names = self._variables.in_engine_order()
        logs = []
        for b in range(self._n):
            for a in range(b):
                if b in graph.adjacent(a):
                    continue
                given = self._implied.get((a, b))
                if given is None or not separated(a, b, given):
                    given = separator(separated, a, b)
                said = Independence(names[a], names[b], tuple(names[z] for z in given))
                logs.append(self._tests.log_p(said))
        return sum(each <= math.log(self._level) for each in holm(logs))


def _common(edges: list[str]) -> str:
    """Return the edge whose marks several edges have in common."""
    ends = [({"<": "head"}.get(each[0], "tail"), "head" if each[-1] == ">" else "tail")
            for each in edges]  # fmt: skip
    first, second = ({end[at] for end in ends} for at in (0, 1))
    return written(*(some.pop() if len(some) == 1 else "circle" for some in (first, second))) or ""
