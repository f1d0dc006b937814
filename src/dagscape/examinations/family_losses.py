"""Where the drawn network loses: each variable's parents beside those in the best network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from dagscape.errors import GraphError
from dagscape.files.result_frames import NAMES

if TYPE_CHECKING:
    from dagscape.graphs import Dag, Mpdag
    from dagscape.problem import Problem

COLUMNS = {"variable": pl.String, "parents": NAMES, "best_parents": NAMES, "loss": pl.Float64}


class FamilyLoss(NamedTuple):
    """A variable, its parents as drawn and in the best network, and what the former lose."""

    variable: str
    parents: tuple[str, ...]
    best_parents: tuple[str, ...]
    loss: float


def families_of(problem: Problem, dag: Dag, best: Dag) -> tuple[FamilyLoss, ...]:
    """Return every variable whose parents differ, the greatest loss first; losses add up."""
    number = problem.variables.number

    def local(name: str, parents: tuple[str, ...]) -> float:
        return problem.scorer.local(number(name), [number(parent) for parent in parents])

    found = []
    for name in problem.variables.names:
        mine, other = dag.parents(name), best.parents(name)
        if set(mine) != set(other):
            found.append(FamilyLoss(name, mine, other, local(name, other) - local(name, mine)))
    return tuple(sorted(found, key=lambda family: (-family.loss, family.variable)))


def nearest_member(graph: Mpdag, dag: Dag) -> Dag:
    """Return a network that a graph stands for, with directions as another has them if possible."""
    for a, b in sorted(dag.arcs):
        if b in graph.undirected_neighbors(a):
            try:
                graph = graph.orient([(a, b)])
            except GraphError:  # directions before it leave no choice
                continue
    return graph.to_dag()
