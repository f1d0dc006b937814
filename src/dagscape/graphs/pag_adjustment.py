"""Which effects a graph with hidden causes gives, and what to adjust for: generalized adjustment.

Source: Perković, Textor, Kalisch and Maathuis, Complete graphical characterization and construction
of adjustment sets in Markov equivalence classes of ancestral graphs, JMLR 2018.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dagscape.graphs.named_graph import reached, thinned
from dagscape.graphs.pag_separation import Separation

if TYPE_CHECKING:
    from dagscape.graphs.pag import Pag


def adjustment_set(pag: Pag, cause: str, outcome: str) -> tuple[str, ...] | None:
    """Return variables to adjust for, none of which can be left out; None if there are none.

    Every way on which the cause may act on the outcome must begin with a visible arrow. Nothing
    that may be below such a way is adjusted for, and the rest must separate the two once the first
    arrows of these ways are taken out. That is asked of one ancestral graph of the class: if it is
    so there, it is in all.
    """
    ways = _between(pag, cause, outcome)
    visible = {*pag.visible}
    first = [x for x in pag.neighbors(cause) if x in ways and may_lead(pag, cause, x)]
    if any((cause, x) not in visible for x in first):
        return None
    below = {*ways, *(y for x in ways for y in pag.possible_descendants(x))}
    separated = _separation(pag, [(cause, x) for x in first])
    above = [
        x
        for x in pag.names
        if x not in below
        and x not in (cause, outcome)
        and {cause, outcome} & {*pag.possible_descendants(x)}
    ]
    if not separated(cause, outcome, above):
        return None
    return tuple(thinned(above, lambda rest: separated(cause, outcome, rest)))


def may_lead(pag: Pag, a: str, b: str) -> bool:
    """Tell whether the first may be a cause of the second, by the edge between them."""
    return pag.edge(a, b) in ("->", "o->", "o-o")


def _between(pag: Pag, cause: str, outcome: str) -> set[str]:
    """Return what lies on ways from the cause to the outcome that may be directed, cause left out.

    Ways may meet themselves, so this can be too many; then fewer effects are given.
    """

    def above(x: str) -> Iterator[str]:
        return (y for y in pag.neighbors(x) if y != cause and may_lead(pag, y, x))

    up = reached(outcome, above)
    return up & {*pag.possible_descendants(cause)}


def _separation(pag: Pag, without: list[tuple[str, str]]) -> Callable[[str, str, list[str]], bool]:
    """Return separation in an ancestral graph of the class, some arrows of which are taken out."""
    number = pag.variables.number
    gone = {(number(a), number(b)) for a, b in without}
    separated = Separation(pag._member(), gone)
    return lambda a, b, given: separated(number(a), number(b), sorted(map(number, given)))
