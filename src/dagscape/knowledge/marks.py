"""What knowledge says of a graph in which causes may be hidden.

A required arc is a cause. One that is forbidden, by name, by tiers or as into a root or out of a
leaf, says that its beginning is no cause of its end, not even through others. Limits of parents say
nothing of causes that are hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dagscape import _core
from dagscape.errors import GraphError
from dagscape.graphs import Dag, Pag
from dagscape.graphs.pag import flaw

Pair = tuple[str, str]
T = TypeVar("T")


def with_marks(pag: Pag, required: tuple[Pair, ...], objection: Callable[[str, str], str]) -> Pag:
    """Return a graph with the marks that knowledge gives, and all that follows from them.

    Parameters
    ----------
    objection
        Why an arc is ruled out, or nothing.
    """
    known = _known(pag, required, objection)
    variables = pag.variables
    marks = {(a, b): pag._graph.mark(a, b) for x, _, y in pag._graph.edges for a, b in _ends(x, y)}
    changed = False
    for (at, other), (mark, why) in known.items():
        ends = variables.number(at), variables.number(other)
        if marks[ends] == "circle":
            marks[ends], changed = mark, True
        elif marks[ends] != mark:
            raise GraphError(
                f"no ancestral graph of the class obeys: {at} {pag.edge(at, other)} {other} is "
                f"there, but {why}"
            )
    if not changed:
        return pag
    edges = [(a, _written(marks[a, b], marks[b, a]), b) for a, _, b in pag._graph.edges]
    graph = _core.MarkedGraph(len(variables), edges).followed(_tails_of(pag))
    if reason := flaw(graph, variables):
        raise GraphError(f"no ancestral graph of the class obeys the knowledge: {reason}")
    return Pag._wrap(variables, graph)


def _known(
    pag: Pag, required: tuple[Pair, ...], objection: Callable[[str, str], str]
) -> dict[Pair, tuple[str, str]]:
    """Return the marks that are known, by where and beside whom they are, with why."""
    known = {}
    for x, _, y in pag.edges:
        for a, b in _ends(x, y):
            if reason := objection(a, b):
                known[a, b] = ("head", reason)
    for a, b in required:
        if pag.edge(a, b) is None:
            raise GraphError(
                f"no ancestral graph of the class obeys: {a} -> {b} is required, and is not there"
            )
        known[a, b] = ("tail", f"{a} -> {b} is required")
        known[b, a] = ("head", f"{a} -> {b} is required")
    return known


def _ends(a: T, b: T) -> tuple[tuple[T, T], tuple[T, T]]:
    return (a, b), (b, a)


def _written(at_first: str, at_second: str) -> str:
    begin = {"circle": "o", "head": "<", "tail": ""}[at_first]
    return begin + "-" + {"circle": "o", "head": ">", "tail": ""}[at_second]


def _tails_of(pag: Pag) -> Callable[[int, int, int], bool]:
    """Return what the fourth rule asks, from one ancestral graph of the class.

    What separates two variables can be all that is above one of them.
    """
    member = pag._graph.member_of()
    if member is None:
        raise GraphError("no ancestral graph agrees with the edges")
    name = pag.variables.name
    arrows = [(a, b) if edge == "->" else (b, a) for a, edge, b in member.edges if edge != "<->"]
    above = Dag(pag.names, [(name(a), name(b)) for a, b in arrows])

    def says_tail(first: int, middle: int, last: int) -> bool:
        return any(name(middle) in above.ancestors(name(end)) for end in (first, last))

    return says_tail
