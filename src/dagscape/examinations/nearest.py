"""The nearest graph that the table supports, and the way to it arc by arc."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from dagscape import _core
from dagscape.claims.scopes import ALL_NETWORKS, Scope
from dagscape.examinations.arc_changes import ADD, REMOVE, REVERSE, Changes
from dagscape.graphs import Dag, Mpdag
from dagscape.scores.base import higher

if TYPE_CHECKING:
    from collections.abc import Callable

    from dagscape.problem import Problem
    from dagscape.search import NearOptimal

COLUMNS = {
    "change": pl.String,
    "from": pl.String,
    "to": pl.String,
    "gain": pl.Float64,
    "regret": pl.Float64,
}


class ArcStep(NamedTuple):
    """A change of one arc, what the score gains by it, and how far it is then below the best."""

    change: str
    start: str
    end: str
    gain: float
    regret: float


class Nearest(NamedTuple):
    """A class of networks that the table supports."""

    graph: Mpdag
    distance: int
    """The structural Hamming distance of the drawn graph."""
    regret: float
    """How much less than the best it scores."""
    among: Scope | None
    """The networks among which none that the table supports is nearer; None where that is not
    known."""


def way_up(
    problem: Problem, dag: Dag, regret: float, within: float, over: Callable[[], bool]
) -> tuple[tuple[ArcStep, ...], Dag]:
    """Change the arc that gains most, again and again, until the best is near or nothing gains.

    Return the steps and the network they end at.
    """
    steps: list[ArcStep] = []
    while regret > within and not over():
        best = min(Changes(problem, dag).all(), key=lambda each: (-each.gain, each), default=None)
        if best is None or not higher(best.gain, 0.0):
            break
        dag = changed(dag, best.kind, best.start, best.end)
        regret -= best.gain
        steps.append(ArcStep(*best, max(0.0, regret)))
    return tuple(steps), dag


def changed(dag: Dag, kind: str, start: str, end: str) -> Dag:
    """Return a network with one arc added, removed or reversed."""
    lost = {ADD: set(), REMOVE: {(start, end)}, REVERSE: {(end, start)}}[kind]
    arcs = [arc for arc in dag.arcs if arc not in lost]
    return Dag(dag.names, arcs if kind == REMOVE else [*arcs, (start, end)])


def nearest_of(
    own: tuple[Mpdag, float],
    reached: tuple[Dag, float],
    best: tuple[Dag, float],
    near: NearOptimal | None,
    within: float,
) -> Nearest:
    """Return the nearest class within so many nats of the best.

    Parameters
    ----------
    own, reached, best
        The drawn graph, the network that changes of single arcs reached, and the best, each with
        how much less than the best it scores.
    near
        The classes within that distance, if they are listed.
    """
    graph, regret = own
    if regret <= within:
        return Nearest(graph, 0, regret, ALL_NETWORKS)
    if near is not None and near.complete and near.classes and near.within >= within:
        far, difference, place = min(
            (distance(graph, each.cpdag), each.difference, place) for place, each in enumerate(near)
        )
        return Nearest(near[place].cpdag, far, difference, near.scope)
    options = [best, *([reached] if reached[1] <= within else [])]
    ends = [(distance(graph, dag.to_cpdag()), less, dag.to_cpdag()) for dag, less in options]
    far, less, end = min(ends, key=lambda each: each[:2])
    return Nearest(end, far, less, None)


def distance(a: Mpdag, b: Mpdag) -> int:
    """Return the structural Hamming distance of two classes."""
    return _core.structural_hamming_distance(a._graph, b._graph)
