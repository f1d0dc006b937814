"""A prior by the number of parents, wrapped around any other function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toys.from_python import PythonScore

if TYPE_CHECKING:
    from collections.abc import Callable


def with_prior(score: PythonScore, log_weight: Callable[[int], float]) -> PythonScore:
    """Return the score plus log_weight(k) for each variable with k parents."""

    def of_set(size):
        return sum(log_weight(k) for k in range(size))

    def joint(members):
        return score.joint(members) + of_set(len(members))

    def given(child, parents):
        return score.given(child, parents) + of_set(len(parents))

    return PythonScore(
        score.variables,
        score.cases,
        joint,
        score.parameters,
        None if score.given is None else given,
    )
