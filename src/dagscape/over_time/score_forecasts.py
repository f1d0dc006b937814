"""How well the next step is foretold, beside forecasts that need no network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape.errors import DataError, ParameterError
from dagscape.networks.fit import fit
from dagscape.over_time.assumptions import expected
from dagscape.search.exact import exact
from dagscape.shared_arguments import ForSearch, problem_of, takes
from dagscape.speech import setting

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike
    from dagscape.problem import Problem

Floats = NDArray[np.float64]

OTHERS = 3
"""Parents beside the own past where nobody says how many."""


@takes(ForSearch)
def forecast_scores(
    data: TableLike | Problem, *, share: float = 0.3, **shared: Unpack[ForSearch]
) -> pl.DataFrame:
    """Learn from the first steps of every series, and predict the rest one step ahead.

    Parameters
    ----------
    data
        A table of :func:`series`.
    share
        The share of the steps of each series, the last ones, that are foretold.
    max_parents
        The most parents of a variable: the own past and 3 others if not given.

    Returns
    -------
    table
        For each variable what is lost by ``network``, the best network of the first steps; by
        ``same_as_before``, the value one step before; by ``average``, that of the first steps, or
        the most frequent state; and by ``autoregression``, a line in all columns of the past (least
        squares), None for tables with states. ``loss`` says of what kind: "squared error" of
        numbers, or "wrong": the share of steps with another state than the most probable.

    Notes
    -----
    Where the network does no better than the value before, arcs may be there, but are of little
    use for a forecast.
    """
    if not isinstance(share, int | float) or not 0 < share < 1:
        raise ParameterError(f"share must be between 0 and 1, got {share!r}")
    problem = problem_of(data, shared)
    whole = problem.data
    series = whole.rows.series
    if series is None:
        raise DataError("forecasts are scored on tables of series; make one by ds.series")
    nearest = {name: x for x, (name, lag) in series.places.items() if lag == 1}
    if series.within_step or len(nearest) < len(series.variables):
        raise DataError(
            f"forecasts are scored one step ahead, without arcs within a step: {setting('lags')} "
            f"must have 1, and {setting('within_step')} must be False"
        )
    first, last = _parts(whole, share)
    if problem.max_parents is None:
        most = min(OTHERS + series.own_past, len(problem.variables) - 1)
        problem = problem.limited(most)
    limits: Any = {
        x: y
        for x, y in shared.items()
        if x in ("time_limit", "max_memory", "threads", "seed", "progress")
    }
    network = fit(exact(problem.on(first), **limits).dag, first)
    lines = None if len(whole.numbers) < whole.n_variables else _Lines(first, series.free)
    rows = []
    for x in series.variables:
        found, truth = expected(network, x, last), last.column(x)
        if x in whole.numbers:
            mean = float(first.column(x).mean())
            before = last.column(nearest[x])
            every = None if lines is None else lines.foretell(x, last)
            losses = [
                _squared(guess, truth)
                for guess in (found[:, 0], before, np.full(len(truth), mean), every)
            ]
            rows.append((x, "squared error", *losses))
        else:
            often = np.bincount(first.column(x), minlength=found.shape[1]).argmax()
            guesses = (found.argmax(axis=1), last.column(nearest[x]), np.full(len(truth), often))
            rows.append((x, "wrong", *(float((guess != truth).mean()) for guess in guesses), None))
    names = ("variable", "loss", "network", "same_as_before", "average", "autoregression")
    kinds = [pl.String, pl.String, *[pl.Float64] * 4]
    return pl.DataFrame(rows, schema=dict(zip(names, kinds, strict=True)), orient="row")


def _parts(data: Data, share: float) -> tuple[Data, Data]:
    """Return the first and the last steps of every series."""
    series = data.rows.series
    assert series is not None  # noqa: S101
    late = np.zeros(data.n_rows, dtype=np.bool_)
    for code in range(len(series.labels)):
        own = np.flatnonzero(series.codes == code)
        own = own[np.argsort(series.steps[own])]
        late[own[len(own) - round(share * len(own)) :]] = True
    if not late.any() or late.all():
        raise DataError(f"the series are too short to foretell {share:.0%} of their steps")
    return data.take(np.flatnonzero(~late)), data.take(np.flatnonzero(late))


def _squared(guess: Floats | None, truth: Floats) -> float | None:
    return None if guess is None else float(((guess - truth) ** 2).mean())


class _Lines:
    """A vector autoregression: each variable as a line in all columns of the past."""

    def __init__(self, data: Data, free: tuple[str, ...]) -> None:
        self._data, self._free = data, free
        self._matrix = self._columns(data)

    def _columns(self, data: Data) -> Floats:
        past = [data.column(x) for x in self._free]
        return np.column_stack([np.ones(data.n_rows), *past])

    def foretell(self, x: str, data: Data) -> Floats:
        """Return what the line says of other rows."""
        weights = np.linalg.lstsq(self._matrix, self._data.column(x), rcond=None)[0]
        found: Floats = self._columns(data) @ weights
        return found
