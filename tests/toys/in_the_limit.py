"""BIC of a distribution in place of a table: as with infinitely many rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from oracles.limit import limit_value
from toys.from_python import PythonScore

if TYPE_CHECKING:
    from oracles.distributions import Joint

ROWS = 1e10
"""So many that the penalty of any family is below what its weakest dependence gains."""


def limit_bic(joint: Joint) -> PythonScore:
    """Return the score of a distribution, for data of as many variables."""
    states = [max(column) + 1 for column in zip(*joint, strict=True)]
    value = limit_value(joint, ROWS)
    return PythonScore(
        len(states),
        ROWS,
        lambda members: value(frozenset(members)),
        lambda members: math.prod(states[v] for v in members) - 1.0,
    )
