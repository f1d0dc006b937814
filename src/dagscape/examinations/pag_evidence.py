"""Edges and marks of a graph in which causes may be hidden, beside what the table says of each.

An edge says that no set of variables separates its ends, which is more than any number of tests can
show. It is held against small sets of neighbors: if each of them leaves the two related, nothing
here separates them; the largest of the probabilities that chance does so is a test of all of them
together. Where one leaves nothing to see, the rule of :func:`dagscape.hidden` decides whether that
is more than too few rows.

A mark is held against the arrows that tests of their own support
(:class:`~dagscape.hidden_causes.Hidden`), and against the graph that the table supports.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from dagscape.examinations.implications import DEPENDENT_ROWS, STANDS, UNTESTED, holm
from dagscape.files.result_frames import NAMES
from dagscape.graphs.independences import Independence
from dagscape.hidden_causes.hidden_words import because
from dagscape.posteriors.probable_features import rank

if TYPE_CHECKING:
    from dagscape.examinations.implications import Implication, Tests
    from dagscape.graphs import Pag
    from dagscape.hidden_causes import Hidden
    from dagscape.hidden_causes.relations import Relations

MOST_GIVEN = 2
"""Neighbors given where an edge is held against sets of them."""

PARTED, NOT_SEEN = "parted", "not seen"
DENIED, SUPPORTED, AGREES, DIFFERS, OPEN = "denied", "supported", "agrees", "differs", "open"

EDGE_COLUMNS = {
    "from": pl.String,
    "edge": pl.String,
    "to": pl.String,
    "found": pl.String,
    "probability": pl.Float64,
    "given": NAMES,
    "p": pl.Float64,
    "p_adjusted": pl.Float64,
    "verdict": pl.String,
}
MARK_COLUMNS = {
    "at": pl.String,
    "of": pl.String,
    "drawn": pl.String,
    "found": pl.String,
    "told_by_data": pl.Boolean,
    "verdict": pl.String,
    "reason": pl.String,
}


class JudgedEdge(NamedTuple):
    """A pair of variables; None where something was not asked or had."""

    a: str
    edge: str
    """As drawn; "" where the graph has no edge."""
    b: str
    found: str
    """The edge in the graph that the table supports."""
    probability: float | None
    """Of an arc between the two in networks without hidden causes."""
    given: tuple[str, ...]
    """The set given which the two are most like independent; of a pair that is not joined, the one
    that the graph names."""
    p: float | None
    """How probable it is that shuffled rows relate them as much, given these."""
    p_adjusted: float | None
    verdict: str
    """Of edges "stands", "parted", "not seen", "rows depend" or "not tested"; of other pairs that
    of their independence."""


class JudgedMark(NamedTuple):
    """An end of an edge that is drawn with a tail or a head."""

    at: str
    of: str
    """The other end."""
    drawn: str
    """"tail": `at` is a cause of `of`. "head": it is none. "no cause", where no edge joins them,
    and nothing in the graph leads from `at` to `of`."""
    found: str
    """The mark there in the graph that the table supports; "" where this has no such edge."""
    told_by_data: bool | None
    """Whether all graphs with the same independences have it."""
    verdict: str
    reason: str = ""
    """The tests behind an arrow that denies or supports it."""


def judged_edges(
    pag: Pag,
    hidden: Hidden,
    implications: Sequence[Implication],
    probabilities: Mapping[frozenset[str], float],
    tests: Tests,
    relations: Relations,
    *,
    level: float,
    over: Callable[[], bool],
) -> tuple[JudgedEdge, ...]:
    """Judge every pair: those that are joined, then the others, the most probable first."""
    rows: list[JudgedEdge] = []
    worst = [_least_related(pag, edge, tests, hidden, over) for edge in pag.edges]
    adjusted = holm([0.0 if each is None else each[1] for each in worst])
    for (a, edge, b), most, of_all in zip(pag.edges, worst, adjusted, strict=True):
        verdict = UNTESTED
        given = () if most is None else most[0]
        p = None if most is None else math.exp(most[1])
        p_adjusted = None if most is None else math.exp(of_all)
        if most is not None:
            if not hidden.rows_independent:
                verdict = DEPENDENT_ROWS
            elif of_all <= math.log(level):
                verdict = STANDS
            else:
                verdict = PARTED if _parted(pag, a, b, given, relations) else NOT_SEEN
        found = hidden.pag.edge(a, b) or ""
        share = probabilities.get(frozenset((a, b)))
        rows.append(JudgedEdge(a, edge, b, found, share, given, p, p_adjusted, verdict))
    for each in implications:
        found = hidden.pag.edge(each.a, each.b) or ""
        share = probabilities.get(frozenset((each.a, each.b)))
        said = each.given, each.p, each.p_adjusted, each.verdict
        rows.append(JudgedEdge(each.a, "", each.b, found, share, *said))
    return tuple(sorted(rows, key=lambda row: (not row.edge, rank(row.probability), row[:3])))


def _least_related(
    pag: Pag,
    edge: tuple[str, str, str],
    tests: Tests,
    hidden: Hidden,
    over: Callable[[], bool],
) -> tuple[tuple[str, ...], float] | None:
    """Return the set given which two are least related, with ln p; None without time for all."""
    a, _, b = edge
    most: tuple[tuple[str, ...], float] | None = None
    for given in _sets(pag, a, b, hidden):
        if over():
            return None
        log_p = tests.log_p(Independence(a, b, given))
        if most is None or log_p > most[1]:
            most = given, log_p
    return most


def _sets(pag: Pag, a: str, b: str, hidden: Hidden) -> Iterator[tuple[str, ...]]:
    """Yield small sets of neighbors of one of two, and what parts the two in the graph found."""
    seen = set()
    for around in (pag.neighbors(a), pag.neighbors(b)):
        near = [name for name in around if name not in (a, b)]
        for size in range(MOST_GIVEN + 1):
            for given in itertools.combinations(near, size):
                if frozenset(given) not in seen:
                    seen.add(frozenset(given))
                    yield given
    for each in hidden.removed:
        if {each.a, each.b} == {a, b} and frozenset(each.given) not in seen:
            yield each.given


def _parted(pag: Pag, a: str, b: str, given: tuple[str, ...], relations: Relations) -> bool:
    """Tell whether the two are apart given a set, where something is seen of them otherwise."""
    number = pag.variables.number
    x, y, whole = number(a), number(b), tuple(map(number, given))
    apart = relations(x, y, whole)
    others = [tuple(z for z in whole if z != out) for out in whole]
    others += [
        (*whole, number(z))
        for z in {*pag.neighbors(a), *pag.neighbors(b)} - {a, b, *given}
    ]  # fmt: skip
    return any(apart.apart_beside(relations(x, y, other)) for other in ((), *others))


def judged_marks(pag: Pag, alike: Pag, hidden: Hidden) -> tuple[JudgedMark, ...]:
    """Judge every tail and head: those that tests deny first.

    Parameters
    ----------
    alike
        What all graphs with the same independences share.
    """
    supported = {(each.cause, each.effect): because(each) for each in hidden.supported}
    rows = []
    for a, _, b in pag.edges:
        for at, of in ((a, b), (b, a)):
            drawn = mark(pag, at, of)
            if drawn != "circle":
                rows.append(_judged(at, of, drawn, alike, hidden, supported))
    for (cause, effect), reason in supported.items():
        if pag.edge(cause, effect) is None and effect not in pag.possible_descendants(cause):
            rows.append(JudgedMark(cause, effect, "no cause", "tail", None, DENIED, reason))
    order = (DENIED, DIFFERS, OPEN, AGREES, SUPPORTED)
    return tuple(sorted(rows, key=lambda row: (order.index(row.verdict), row[:2])))


def _judged(
    at: str,
    of: str,
    drawn: str,
    alike: Pag,
    hidden: Hidden,
    supported: Mapping[tuple[str, str], str],
) -> JudgedMark:
    found, told = mark(hidden.pag, at, of), mark(alike, at, of) == drawn
    for pair, says in (((at, of), "tail"), ((of, at), "head")):
        if pair in supported:
            verdict = SUPPORTED if says == drawn else DENIED
            return JudgedMark(at, of, drawn, found, told, verdict, supported[pair])
    verdict = {drawn: AGREES, "circle": OPEN, "": OPEN}.get(found, DIFFERS)
    return JudgedMark(at, of, drawn, found, told, verdict)


def mark(pag: Pag, at: str, of: str) -> str:
    """Return the mark at one end of an edge; "" where there is none."""
    number = pag.variables.number
    return pag._graph.mark(number(at), number(of))
