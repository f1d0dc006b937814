"""What a selection of parent sets will cost, before it is paid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from dagscape import _core
from dagscape.shared_arguments import ForEstimate, begin, takes

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.problem import Problem


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


@takes(ForEstimate)
def estimate_parents(data: TableLike | Problem, **shared: Unpack[ForEstimate]) -> Estimate:
    """Return what :func:`candidate_parents` will take, as "sequential" selection, at most."""
    problem, budget = begin(data, shared)
    facts = _core.estimate_sequential(
        problem.scorer,
        problem.constraints(),
        _core.PruningRules(),
        budget.threads,
        budget.memory,
    )
    return Estimate(**facts)
