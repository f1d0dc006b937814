"""What searches on candidate parent sets share: the question, and the network in the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.parents import CandidateParents, candidate_parents, restrict
from dagscape.scores import as_score

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge
    from dagscape.limits import Progress
    from dagscape.priors import PriorLike
    from dagscape.scores import ScoreLike
    from dagscape.variables import Variables


def score_for(
    data: Data | CandidateParents, score: ScoreLike | None, prior: PriorLike | None
) -> ScoreLike | None:
    """Return what the data are to be scored by; sets that are scored already take no prior."""
    if prior is None:
        return score
    if isinstance(data, CandidateParents):
        raise ParameterError("prior belongs to the selection of candidate parents, not here")
    return as_score("bic" if score is None else score, prior)


def parents_for(
    data: Data | CandidateParents,
    *,
    score: ScoreLike | None,
    max_parents: int | None,
    knowledge: Knowledge | None,
    time_limit: float | None,
    max_memory: float,
    threads: int,
    progress: Progress | None,
    **selection: Any,
) -> CandidateParents:
    """Return candidate parents: selected from data, or those the user brings, under what he knows.

    With the latter, what belongs to their selection is refused.
    """
    if isinstance(data, CandidateParents):
        if score is not None or max_parents is not None:
            given = "score" if score is not None else "max_parents"
            raise ParameterError(f"{given} belongs to the selection of candidate parents, not here")
        return restrict(data, knowledge)
    return candidate_parents(
        data,
        score="bic" if score is None else score,
        max_parents=max_parents,
        knowledge=knowledge,
        time_limit=time_limit,
        max_memory=max_memory,
        threads=threads,
        progress=progress and (lambda share, _: progress(share, "scoring parent sets")),
        **selection,
    )


def asked_of(parents: CandidateParents) -> dict[str, str]:
    """Return the score and prior of candidate parents, in words."""
    return {"score": parents.score} if parents.score_kind is None else parents.score_kind.asked


def check_lists(parents: CandidateParents) -> None:
    """Refuse a variable without any candidate set."""
    for child, name in enumerate(parents.variables.in_engine_order()):
        if not parents.lists.size(child):
            raise ParameterError(f'"{name}" has no candidate parent set, not even the empty one')


def network_of(parents: CandidateParents, places: Sequence[int]) -> Dag:
    """Return the network in which every variable has the set at its place in the list."""
    sets = [parents.lists.parents(child, place) for child, place in enumerate(places)]
    return joined(parents.variables, sets)


def joined(variables: Variables, sets: Iterable[Sequence[int]]) -> Dag:
    """Return the network of a parent set for each variable, by number."""
    name = variables.name
    arcs = [(name(parent), name(child)) for child, given in enumerate(sets) for parent in given]
    return Dag(variables.names, arcs)
