"""What the drawn graph implies, tested: the independences, corrected for how many there are.

An independence is tested with shuffled rows (:class:`~dagscape.chance.Shuffles`): those of one of
the two columns change places where the columns given are the same; where there are numbers, what
the columns given explain is taken away. That holds its level with few rows too, so that no number
of rows is needed to say that an independence fails. Where the smooth tail of that decides, shuffles
are drawn. To say that one
stands, rows are needed: where there are fewer than five for each cell, nothing can be seen.

The probabilities are corrected for the number of independences by Holm's rule, which needs nothing
of how the tests depend on each other: if all of them held, some would fail at most in a share
`level` of tables.

Source: Holm, A simple sequentially rejective multiple test procedure, 1979.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from dagscape.chance import Shuffles
from dagscape.files.result_frames import NAMES
from dagscape.graphs.independences import Independence, implied_independences

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.examinations.arc_changes import ArcChange
    from dagscape.graphs import Dag

ROWS_PER_CELL = 5
"""With fewer, no test can see that an independence fails unless it fails clearly."""

SURE = 20
"""Where a probability is less than what decides by this factor, no tail is so wrong."""
DRAWS_PER_ONE = 20
MOST_DRAWS = 100_000
"""So many shuffles are drawn for each that would relate as much, at the least that decides."""

FAILS, STANDS, FEW_ROWS, DEPENDENT_ROWS, UNTESTED = (
    "fails",
    "stands",
    "too few rows",
    "rows depend",
    "not tested",
)

COLUMNS = {
    "a": pl.String,
    "b": pl.String,
    "given": NAMES,
    "p": pl.Float64,
    "p_adjusted": pl.Float64,
    "verdict": pl.String,
    "change": pl.String,
    "from": pl.String,
    "to": pl.String,
    "gain": pl.Float64,
}


class Implication(NamedTuple):
    """An independence, how it came out, and the change of one arc that would mend the graph."""

    a: str
    b: str
    given: tuple[str, ...]
    p: float | None
    """The probability that shuffled rows are as far from independent; None if not tested."""
    p_adjusted: float | None
    verdict: str
    """"fails", "stands" (nothing speaks against it), "too few rows" to see anything, "rows depend"
    on each other, so that the test says nothing, or "not tested", for want of time."""
    change: str = ""
    """Of one that fails: "add" or "reverse", or "" where no single arc mends it."""
    start: str = ""
    end: str = ""
    """The arc that is added, or that is there after it was reversed."""
    gain: float | None = None
    """By how much the score is higher after the change."""


class Tests:
    """Tests of a table; each is done once."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._shuffles = Shuffles(data)
        self._done: dict[Independence, float] = {}

    def log_p(self, independence: Independence) -> float:
        """Return ln of the probability that shuffled rows are as far from independent."""
        key = Independence(independence.a, independence.b, tuple(sorted(independence.given)))
        if key not in self._done:
            self._done[key] = self._shuffles.given(key.a, [key.b], key.given)
        return self._done[key]

    def by_draws(self, independence: Independence, most: int) -> float:
        """Return the same by drawn shuffles, where these say more."""
        key = Independence(independence.a, independence.b, tuple(sorted(independence.given)))
        found = self._shuffles.drawn(key.a, key.b, key.given, min(most, MOST_DRAWS))
        return self.log_p(key) if found is None else found

    def seen(self, independence: Independence) -> bool:
        """Tell whether there are enough rows to see it fail."""
        names = (independence.a, independence.b, *independence.given)
        numbers = sum(name in self._data.numbers for name in names)
        cells = math.prod(self._data.arities[x] for x in names if x not in self._data.numbers)
        return self._data.n_rows >= ROWS_PER_CELL * cells * (numbers + 1)


def implications_of(
    implied: Sequence[Independence],
    tests: Tests,
    *,
    level: float,
    rows_independent: bool,
    over: Callable[[], bool],
    mend: Callable[[Independence], ArcChange | None] = lambda _: None,
) -> tuple[Implication, ...]:
    """Test all that a graph implies; the least probable first.

    Parameters
    ----------
    over
        Whether there is time for no more of them. What is not tested is corrected for all the same.
    mend
        What change mends the graph where one fails.
    """
    logs: list[float | None] = [None if over() else tests.log_p(each) for each in implied]
    least = level / max(1, len(implied))
    for at, (each, log_p) in enumerate(zip(implied, logs, strict=True)):
        if log_p is not None and math.log(least / SURE) < log_p <= math.log(level) and not over():
            logs[at] = tests.by_draws(each, math.ceil(DRAWS_PER_ONE / least))
    adjusted = holm([0.0 if each is None else each for each in logs])
    found = []
    for each, log_p, of_all in zip(implied, logs, adjusted, strict=True):
        p = None if log_p is None else math.exp(log_p)
        p_adjusted = None if log_p is None else math.exp(of_all)
        row = Implication(*each, p, p_adjusted, UNTESTED)
        if log_p is not None:
            if not rows_independent:
                verdict = DEPENDENT_ROWS
            elif of_all <= math.log(level):
                verdict = FAILS
            else:
                verdict = STANDS if tests.seen(each) else FEW_ROWS
            row = row._replace(verdict=verdict)
        if row.verdict == FAILS and (change := mend(each)) is not None:
            row = row._replace(
                change=change.kind, start=change.start, end=change.end, gain=change.gain
            )
        found.append((1.0 if log_p is None else log_p, row))
    return tuple(row for _, row in sorted(found, key=lambda each: (each[0], each[1][:3])))


def implications(
    dag: Dag, data: Data | None, *, level: float = 0.05, rows_independent: bool = True
) -> tuple[Implication, ...]:
    """Return all that a network implies, the least probable first; tested where there is a table.

    No change is looked for that mends what fails.
    """
    if data is None:
        return tuple(
            Implication(*each, None, None, UNTESTED) for each in implied_independences(dag)
        )
    return implications_of(
        implied_independences(dag),
        Tests(data),
        level=level,
        rows_independent=rows_independent,
        over=lambda: False,
    )


def holm(logs: Sequence[float]) -> list[float]:
    """Return ln of probabilities, corrected for their number, by Holm's rule."""
    adjusted, most = [0.0] * len(logs), -math.inf
    for rank, at in enumerate(sorted(range(len(logs)), key=lambda at: logs[at])):
        most = max(most, min(0.0, logs[at] + math.log(len(logs) - rank)))
        adjusted[at] = most
    return adjusted
