"""Rows from experiments by brute force: scores, classes and what an experiment settles.

An experiment is a set of targets. In its rows a target does not obey its parents, so a variable is
scored on the rows in which it was none. Two networks are equivalent, given experiments, if they
have the same skeleton and v-structures, and if for each set of targets the same skeleton is left
once arcs into targets are cut.

Sources
-------
Score: Cooper and Yoo, UAI 1999. Equivalence: Hauser and Bühlmann, JMLR 13, 2012, Theorem 10.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence

from oracles import graphs, scores
from oracles.graphs import Graph

Family = Sequence[frozenset[int]]


def local_score(
    codes: Sequence[Sequence[int]],
    experiments: Sequence[int],
    targets: Sequence[Mapping[int, str]],
    arities: Sequence[int],
    child: int,
    parents: Sequence[int],
    score: str,
) -> float:
    """Return the score of a child with its parents.

    Parameters
    ----------
    experiments
        Of each row, its place among `targets`: what each experiment made of which variables,
        "set" or "shifted", which has parameters of its own.
    """
    free = [row for row, e in zip(codes, experiments, strict=True) if child not in targets[e]]
    parts = [free] if free else []
    for number, each in enumerate(targets):
        if each.get(child) == "shifted":
            own = [row for row, e in zip(codes, experiments, strict=True) if e == number]
            parts += [own] if own else []
    return sum(scores.local_score(part, arities, child, parents, score) for part in parts)


def cut(dag: Graph, targets: Collection[int]) -> Graph:
    """Return the network without the arcs into targets."""
    return frozenset((a, b) for a, b in dag if b not in targets)


def signature(dag: Graph, family: Family) -> tuple[object, ...]:
    """Return what equivalent networks have in common, and no others."""
    return (
        graphs.skeleton(dag),
        frozenset(graphs.v_structures(dag)),
        *(graphs.skeleton(cut(dag, targets)) for targets in family),
    )


def classes(variables: int, family: Family) -> dict[tuple[object, ...], list[Graph]]:
    """Return all networks by class."""
    found: dict[tuple[object, ...], list[Graph]] = {}
    for dag in graphs.all_dags(variables):
        found.setdefault(signature(dag, family), []).append(dag)
    return found


def essential(members: Collection[Graph]) -> Graph:
    """Return the union of the arcs: an edge stays directed where all members agree."""
    return frozenset(itertools.chain(*members))
