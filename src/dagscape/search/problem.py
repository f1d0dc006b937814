"""What searches on candidate parent sets share: the question, and the network in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.parents import CandidateParents, restrict
from dagscape.results import ALL_NETWORKS

if TYPE_CHECKING:
    from dagscape.knowledge import Knowledge


def given_parents(
    parents: CandidateParents,
    score: object,
    max_parents: object,
    knowledge: Knowledge | None,
) -> CandidateParents:
    """Return candidate parents that the user selected before, under what he knows.

    What belongs to their selection is refused.
    """
    if score is not None or max_parents is not None:
        given = "score" if score is not None else "max_parents"
        raise ParameterError(f"{given} belongs to the selection of candidate parents, not here")
    return restrict(parents, knowledge)


def scope_of(parents: CandidateParents, given: bool, max_parents: int | None) -> str:
    """Return the networks that a proof or bound over these parent sets is about."""
    if parents.exhaustive:
        return ALL_NETWORKS
    wanted = len(parents.names) - 1 if max_parents is None else max_parents
    if given or parents.exhaustive_to < wanted:
        return "networks built from the candidate parent sets"
    return f"networks with at most {max_parents} parent{'' if max_parents == 1 else 's'}"


def network_of(parents: CandidateParents, places: Sequence[int]) -> Dag:
    """Return the network in which every variable has the set at its place in the list."""
    name = parents.variables.name
    arcs = [
        (name(parent), name(child))
        for child, place in enumerate(places)
        for parent in parents.lists.parents(child, place)
    ]
    return Dag(parents.names, arcs)
