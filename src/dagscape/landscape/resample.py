"""Tables drawn from the rows of another, with replacement: what might have been seen as well."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape.data import Data

if TYPE_CHECKING:
    from dagscape.data.series_shape import SeriesShape

ONE_BY_ONE = 20_000_000
"""Rows up to which each is drawn; of more, stored once with how often they occur, numbers are."""

MANY_SERIES = 20
"""Series from which on whole ones are drawn: of fewer, samples would lack too much of the table."""


def drawn_rows(rows: int, seed: int, run: int) -> NDArray[np.intp]:
    """Return the rows of sample `run` of the seed: as many as there are, in their order."""
    rng = np.random.default_rng([seed, run])
    # Rows that are drawn twice come twice: bitmaps, the fastest way to count, have no weights.
    return np.sort(rng.integers(rows, size=rows))


def drawn_subjects(subjects: NDArray[np.intp], seed: int, run: int) -> NDArray[np.intp]:
    """Return the rows of as many subjects as there are, drawn as wholes, in their order."""
    _, places, sizes = np.unique(subjects, return_inverse=True, return_counts=True)
    order = np.argsort(places.reshape(-1), kind="stable")
    ends = np.cumsum(sizes)
    drawn = drawn_rows(len(sizes), seed, run)
    own = sizes[drawn]
    within = np.arange(own.sum()) - np.repeat(np.cumsum(own) - own, own)
    return np.sort(order[np.repeat((ends - sizes)[drawn], own) + within])


def drawn_times(times: NDArray[np.int64], seed: int, run: int) -> NDArray[np.int64]:
    """Return how often rows that occur several times are in the sample.

    The sample is that of the same rows written out; above ``ONE_BY_ONE``, one as probable.
    """
    total = int(times.sum())
    if total > ONE_BY_ONE:
        rng = np.random.default_rng([seed, run])
        return rng.multinomial(total, times / total)
    places = np.searchsorted(np.cumsum(times), drawn_rows(total, seed, run), side="right")
    return np.bincount(places, minlength=len(times))


def drawn_steps(series: SeriesShape, seed: int, run: int) -> NDArray[np.intp]:
    """Return the rows of a sample of series, in their order.

    Whole series where there are ``MANY_SERIES`` or more; else, of each series, blocks of successive
    steps, as many as its rows to the power of a third (Künsch 1989), and no fewer than the lags. A
    block that reaches the end goes on at the beginning, so that every row is as probable.
    """
    rng = np.random.default_rng([seed, run])
    order = np.argsort(series.codes, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(series.codes))[:-1])
    if len(rows) >= MANY_SERIES:
        drawn = [rows[at] for at in rng.integers(len(rows), size=len(rows))]
        return np.sort(np.concatenate(drawn))
    parts = []
    for own in rows:
        length = max(series.lags[-1] + 1, math.ceil(len(own) ** (1 / 3) - 1e-9))
        starts = rng.integers(len(own), size=-(-len(own) // length))
        places = (starts[:, None] + np.arange(length)).reshape(-1)[: len(own)]
        parts.append(own[places % len(own)])
    return np.sort(np.concatenate(parts))


def drawn_within(parts: NDArray[np.intp], seed: int, run: int) -> NDArray[np.intp]:
    """Return the rows of a sample with as many of each experiment, whose number somebody chose."""
    rng = np.random.default_rng([seed, run])
    each = (np.flatnonzero(parts == part) for part in np.unique(parts))
    return np.sort(np.concatenate([rows[rng.integers(len(rows), size=len(rows))] for rows in each]))


def resampled(data: Data, seed: int, run: int) -> Data:
    """Return a sample of the rows; states that were not drawn still count."""
    if data.rows.series is not None:
        return data.take(drawn_steps(data.rows.series, seed, run))
    if (subjects := data.rows.clusters) is not None:
        return data.take(drawn_subjects(subjects.codes, seed, run))
    if data.rows.interventions is not None:
        return data.take(drawn_within(data.rows.interventions.codes, seed, run))
    times = data.rows.times
    if times is not None:
        return data._with_times(drawn_times(times, seed, run))
    return data.take(drawn_rows(data.n_rows, seed, run))
