"""What was seen where somebody did set the cause: rows of experiments, beside what networks say."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape.data.experiments import NONE
from dagscape.errors import DataError
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.data import Data

Interval = tuple[float, float, float]


@dataclass(frozen=True)
class OwnRows:
    """The outcome where one experiment set the cause to one state."""

    experiment: str
    state: str
    rows: int
    outcomes: tuple[Interval, ...]
    """Of each state of the outcome the share of the rows, and both ends of its interval."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        shares, lower, upper = zip(*self.outcomes, strict=True)
        return {
            "experiment": self.experiment,
            "state": self.state,
            "rows": self.rows,
            "shares": list(shares),
            "lower": list(lower),
            "upper": list(upper),
        }

    def words(self, outcomes: tuple[str, ...]) -> str:
        """Return it in a line."""
        said = "  ".join(
            f"{label} {share:.3f} [{low:.3f}, {high:.3f}]"
            for label, (share, low, high) in zip(outcomes, self.outcomes, strict=True)
        )
        return f"{self.state}  {said} ({self.experiment}, {counted(self.rows, 'row')})"


def own_rows(table: Data, cause: str, outcome: str, level: float) -> tuple[OwnRows, ...]:
    """Return what experiments that set the cause saw of the outcome, where that was free.

    Intervals are Wilson's. A shifted cause still obeys its own causes, and was not set.
    """
    done = table.rows.interventions
    found: list[OwnRows] = []
    if done is None:
        return ()
    causes, outcomes = table.column(cause), table.column(outcome)
    for number, (label, targets) in enumerate(zip(done.labels, done.targets, strict=True)):
        if targets.get(cause, "shifted") == "shifted" or outcome in targets:
            continue
        here = done.codes == number
        for code, state in enumerate(table.states[cause]):
            rows = here & (causes == code)
            if many := int(rows.sum()):
                counts = np.bincount(outcomes[rows], minlength=len(table.states[outcome]))
                each = tuple(_wilson(int(count), many, level) for count in counts)
                found.append(OwnRows(label or NONE, state, many, each))
    return tuple(found)


def rows_about(table: Data, cause: str) -> Data:
    """Return the rows that show what the cause does by itself: nothing else was set in them."""
    done = table.rows.interventions
    if done is None:
        return table
    alone = np.array([{*targets} <= {cause} for targets in done.targets])
    rows = np.flatnonzero(alone[done.codes])
    if not len(rows):
        raise DataError(
            f'in every row something other than "{cause}" was set, so no row shows what it does by '
            "itself; add rows in which nothing else was set"
        )
    return table.part(rows, "interventions")


def _wilson(count: int, rows: int, level: float) -> Interval:
    """Return a share with its interval. Source: Wilson, JASA 1927."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = count / rows
    middle = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = z / (1 + z * z / rows) * math.sqrt(share * (1 - share) / rows + (z / (2 * rows)) ** 2)
    return share, max(0.0, middle - half), min(1.0, middle + half)
