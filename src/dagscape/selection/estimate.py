"""What a selection of parent sets will cost, before it is paid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.control.limits import use_memory, use_threads
from dagscape.data import as_data
from dagscape.parents.constraints import constrain
from dagscape.scores import ScoreLike, as_score, scorer
from dagscape.scores.priors import PriorLike

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.knowledge import Knowledge


@dataclass(frozen=True)
class Estimate:
    """About what a computation will take, if no rule spares any of it."""

    sets: float
    """Sets of variables to be counted."""
    bytes: float
    """Memory for what is kept between sizes."""
    list_bytes: float
    """Memory for the sets that are found, at most: if none can be left out."""
    seconds: float
    """Rough: the constants were measured on one machine."""
    max_parents: int
    """The most parents that can pay off, or that are allowed."""
    complete: bool
    """Whether all sizes fit the memory; if not, the figures are those of the sizes that do."""


def estimate_parents(
    data: TableLike,
    *,
    score: ScoreLike = "bic",
    prior: PriorLike | None = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    max_memory: float | None = None,
    threads: int | None = None,
) -> Estimate:
    """Return what :func:`candidate_parents` will take, as "sequential" selection, at most."""
    data = as_data(data)
    facts = _core.estimate_sequential(
        scorer(data, as_score(score, prior)),
        constrain(data.variables, max_parents, knowledge),
        _core.PruningRules(),
        use_threads(threads),
        use_memory(max_memory),
    )
    return Estimate(**facts)
