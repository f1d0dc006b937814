"""What a class of equivalent networks leaves open about a cause."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from dagscape.errors import GraphError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dagscape.graphs import Dag, Mpdag


def members_by_parents(graph: Mpdag, cause: str) -> Iterator[tuple[tuple[str, ...], Dag]]:
    """Yield the sets of parents that a variable has in members of a class, each with a member.

    Adjusting for the parents of a cause gives its effect, so that members with the same ones agree
    on it. Source: Maathuis, Kalisch and Bühlmann, Estimating high-dimensional intervention effects
    from observational data, 2009 (IDA).

    Cost: 2^k orientations, for k undirected neighbors of the cause.
    """
    maybe = graph.undirected_neighbors(cause)
    for size in range(len(maybe) + 1):
        for some in combinations(maybe, size):
            try:
                member = graph.orient((x, cause) if x in some else (cause, x) for x in maybe)
            except GraphError:  # no member has these directions
                continue
            yield member.parents(cause), member.to_dag()


def leaves_open(graph: Mpdag, cause: str, outcome: str) -> bool:
    """Tell whether members of a class may differ in what setting the cause does to the outcome.

    They do not if no path from cause to outcome that could be directed begins with an undirected
    edge. Source: Perković, Textor, Kalisch and Maathuis, 2018 (amenable graphs).
    """
    for first in graph.undirected_neighbors(cause):
        seen, stack = {cause, first}, [first]
        while stack:
            x = stack.pop()
            if x == outcome:
                return True
            for y in (*graph.children(x), *graph.undirected_neighbors(x)):
                if y not in seen:
                    seen.add(y)
                    stack.append(y)
    return False
