"""Tables of series: which columns are the past of a variable, and which row is which step."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagscape.errors import ParameterError
from dagscape.notes import Note

LAGGED, KNOWN_AHEAD, SERIES = "lagged", "known_ahead", "series"
"""Kinds of notes that tell of a table of series."""


def past(name: str, lag: int) -> str:
    """Return the name of the column that holds a variable so many steps before."""
    return f"{name}[-{lag}]"


def past_of(name: str, names: Collection[str]) -> tuple[str, int] | None:
    """Return of which of these variables a column is the past, and how many steps before."""
    found = re.fullmatch(r"(.+)\[-([1-9][0-9]{0,6})\]", name, re.DOTALL)
    return (found[1], int(found[2])) if found and found[1] in names else None


@dataclass(frozen=True, slots=True, eq=False)
class SeriesShape:
    """What the columns and rows of a table of series are.

    A row is a step of a series: the variables at this time, and what they were some steps before.
    Only variables at this time are children. Columns of the past, and columns known ahead, are
    free: they may be parents of all, and have no parents and no score.
    """

    variables: tuple[str, ...]
    """Those that are children, which have the names that they came with."""
    known: tuple[str, ...]
    """Columns that are known ahead, such as the hour."""
    places: Mapping[str, tuple[str, int]]
    """Columns of the past: of which variable, and how many steps before."""
    within_step: bool
    """Whether there may be arcs between variables of the same time."""
    own_past: bool
    """Whether the nearest past of a variable is always a parent."""
    labels: tuple[str, ...]
    """Names of the series."""
    codes: NDArray[np.intp]
    """Of each row, the place of its series among the labels."""
    steps: NDArray[np.int64]
    """Of each row, how many steps of its series there were before."""

    @property
    def lags(self) -> tuple[int, ...]:
        """How many steps before, ascending."""
        return tuple(sorted({lag for _, lag in self.places.values()}))

    @property
    def own(self) -> list[tuple[str, str]]:
        """The nearest past of each variable, and the variable, where one must be its parent."""
        nearest = {
            name: column for column, (name, lag) in self.places.items() if lag == self.lags[0]
        }
        return [
            (nearest[name], name) for name in self.variables if name in nearest and self.own_past
        ]

    @property
    def free(self) -> tuple[str, ...]:
        """Columns that have no parents and no score."""
        return (*self.places, *self.known)

    @property
    def words(self) -> dict[str, Any]:
        """The same as plain values, short: for results and pages."""
        return {
            "lags": list(self.lags),
            "within_step": self.within_step,
            "own_past": self.own_past,
            "known": list(self.known),
            "series": len(self.labels),
        }

    def take(self, rows: Any) -> SeriesShape:
        """Return what these rows are."""
        return replace(self, codes=self.codes[rows], steps=self.steps[rows])

    def of(self, names: Iterable[str]) -> SeriesShape:
        """Return the same of some of the columns."""
        kept = set(names)
        return replace(
            self,
            variables=tuple(name for name in self.variables if name in kept),
            known=tuple(name for name in self.known if name in kept),
            places={column: place for column, place in self.places.items() if column in kept},
        )

    def digest(self) -> bytes:
        """Return bytes that differ where anything does that changes an answer."""
        facts = (self.variables, self.known, self.places, self.within_step, self.own_past)
        rows = self.codes.astype("<i8").tobytes() + self.steps.astype("<i8").tobytes()
        return repr(facts).encode() + rows

    def notes(self, dropped: int) -> Iterator[Note]:
        """Yield what was done, for readers; `dropped` rows had no past."""
        rows = len(self.codes)
        counts = {"series": len(self.labels), "rows": rows, "dropped": dropped}
        yield Note(SERIES, how="within" if self.within_step else "across", counts=counts)
        for column, (name, lag) in self.places.items():
            yield Note(LAGGED, column, name, {"lag": lag})
        for column in self.known:
            yield Note(KNOWN_AHEAD, column)


MOST_LAG = 1_000_000
"""More steps than a lag can be of any use."""


def check_lags(lags: object, setting: str) -> tuple[int, ...]:
    """Return the lags, ascending: 1 to a number, or those of a list."""
    many = isinstance(lags, Iterable) and not isinstance(lags, str)
    given: list[Any] = list(lags) if isinstance(lags, Iterable) and many else [lags]
    for lag in given:
        whole = isinstance(lag, int | np.integer) and not isinstance(lag, bool)
        if not whole or not 1 <= lag <= MOST_LAG:
            raise ParameterError(
                f"{setting} must be a whole number from 1 to {MOST_LAG:,}, or a list of such, "
                f"got {lags!r}"
            )
    if not given or len(set(given)) != len(given):
        raise ParameterError(f"{setting} must name at least one lag, each once, got {lags!r}")
    return tuple(sorted(map(int, given))) if many else tuple(range(1, int(given[0]) + 1))
