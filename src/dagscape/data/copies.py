"""Columns that are another column under other names, or nearly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from math import exp, lgamma, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagscape.notes import Note

MOST_COLUMNS, MOST_ROWS, MOST_VALUES = 300, 20_000, 100
"""More values nobody looks at, and more rows only of columns that are alike in these: comparing all
pairs would take too long. Of more columns, those that say the same in every row are found."""
LEAST_ALIKE = 0.9
"""Of the cells that do not hold the commonest value, so many must tell the same."""
LEAST_ROWS = 0.8
"""Of all rows, so many must have a value in both."""
CHANCE = 1e-6
"""How probable it may be that any two columns of a table say the same by chance alone."""

SCREENED = 500
"""Rows, spread over the table, by which most pairs are told apart."""


def near_copies(columns: Mapping[str, NDArray[np.signedinteger[Any]]]) -> Iterator[Note]:
    """Yield a note on each column whose states are those of an earlier one, but for a few cells.

    States may be renamed one to one, as no score of states sees their names. So their values must
    repeat: any two columns of all different values go together one to one. Where both say the same
    in every row, gaps included, no row can tell them apart, and nothing is lost with one of them.
    """
    looked_at = dict(list(columns.items())[:MOST_COLUMNS])
    pairs = max(1, len(columns) * (len(columns) - 1) // 2)
    kept: dict[int, _Screen] = {}
    for name, own in looked_at.items():
        states = _states(own)
        if not 2 <= states <= MOST_VALUES:
            continue
        screen = kept.setdefault(states, _Screen(states))
        for other in screen.like(own):
            found = _near(columns[other], own)
            if found is not None and found.by_chance() * pairs <= CHANCE:
                counts = {"agree": found.agree, "rows": found.either}
                yield Note("near_copy", name, other, counts)
                break
        else:
            screen.keep(name, own)
    if len(columns) > MOST_COLUMNS:
        yield from _beyond(columns, pairs)


def _beyond(columns: Mapping[str, NDArray[np.signedinteger[Any]]], pairs: int) -> Iterator[Note]:
    """Yield a note on each later column that says the same as another in every row."""
    first: dict[bytes, str] = {}
    for place, (name, own) in enumerate(columns.items()):
        if not 2 <= _states(own) <= MOST_VALUES:
            continue
        other = first.setdefault(_pattern(own), name)
        if place < MOST_COLUMNS or other == name:
            continue
        found = _near(columns[other], own)
        if found is not None and found.by_chance() * pairs <= CHANCE:
            yield Note("near_copy", name, other, {"agree": found.agree, "rows": found.either})


def _states(values: NDArray[np.signedinteger[Any]]) -> int:
    return int(values.max(initial=-1)) + 1


def _pattern(values: NDArray[np.signedinteger[Any]]) -> bytes:
    """Return what columns share whose states are one another's under other names."""
    states, begins, places = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(len(states), np.int64)
    rank[np.argsort(begins)] = np.arange(len(states))
    ranks = np.where(values < 0, -1, rank[places.reshape(-1)])
    return sha256(ranks.tobytes()).digest()


class _Screen:
    """Columns of so many states, of which a few rows tell which may be alike: all at once."""

    def __init__(self, states: int) -> None:
        self._states = states
        self._names: list[str] = []
        self._seen: list[NDArray[np.float32]] = []

    def keep(self, name: str, values: NDArray[np.signedinteger[Any]]) -> None:
        self._names.append(name)
        self._seen.append(self._marks(values))

    def like(self, values: NDArray[np.signedinteger[Any]]) -> list[str]:
        """Return the columns that may tell the same: few rows may say so by chance, not deny it."""
        if not self._names:
            return []
        own = self._marks(values)
        joint = np.tensordot(np.stack(self._seen), own, axes=(2, 1))
        rows = joint.sum(axis=(1, 2))
        agree = np.minimum(joint.max(axis=1).sum(axis=1), joint.max(axis=2).sum(axis=1))
        expected = (1 - LEAST_ALIKE) * (rows - joint.sum(axis=1).max(axis=1))
        near = rows - agree <= expected + 4 * np.sqrt(expected) + 3
        return [name for name, may_be in zip(self._names, near, strict=True) if may_be]

    def _marks(self, values: NDArray[np.signedinteger[Any]]) -> NDArray[np.float32]:
        """Return a row for each state that marks where it is, among rows spread over the table."""
        some = values[:: max(1, len(values) // SCREENED)][:SCREENED]
        return np.asarray(some == np.arange(self._states)[:, None], dtype=np.float32)


class _Alike(NamedTuple):
    """How two columns go together, in numbers of rows."""

    agree: int
    """Each value of one goes with one of the other."""
    both: int
    either: int
    """Both, or at least one, have a value."""
    counts: NDArray[np.int64]
    """How often each value of the second occurs, where both have one."""

    def by_chance(self) -> float:
        """Return how probable so much agreement is, at most, if rows are shuffled.

        Of all ways to arrange the values, those are counted that are the other column's, renamed in
        any way and changed in as many cells as differ.
        """
        seen = self.counts[self.counts > 0]
        changed = self.both - self.agree
        changes = lgamma(self.both + 1) - lgamma(changed + 1) - lgamma(self.both - changed + 1)
        changes += changed * log(max(1, len(seen) - 1))
        return exp(min(0.0, lgamma(len(seen) + 1) + changes - log_arrangements(seen)))


def log_arrangements(counts: NDArray[np.int64]) -> float:
    """Return the log of the number of ways to arrange values that occur so often."""
    return lgamma(int(counts.sum()) + 1) - sum(lgamma(n + 1) for n in counts.tolist())


def _near(a: NDArray[np.signedinteger[Any]], b: NDArray[np.signedinteger[Any]]) -> _Alike | None:
    """Return how two columns go together if all but a few cells say the same, else None."""
    found = None
    for rows in sorted({min(MOST_ROWS, len(a)), len(a)}):
        found = _alike(a[:rows], b[:rows])
        rare = found.both - int(found.counts.max(initial=0))
        few = found.both - found.agree <= (1 - LEAST_ALIKE) * rare
        if not few or found.both < LEAST_ROWS * rows:
            return None
    return found


def _alike(a: NDArray[np.signedinteger[Any]], b: NDArray[np.signedinteger[Any]]) -> _Alike:
    both = (a >= 0) & (b >= 0)
    rows = int(both.sum())
    width = int(max(a.max(), b.max())) + 1
    cells = a[both].astype(np.int64) * width + b[both]
    joint = np.bincount(cells, minlength=width * width).reshape(width, width)
    agree = int(min(joint.max(axis=0).sum(), joint.max(axis=1).sum()))
    either = len(a) - int(((a < 0) & (b < 0)).sum())
    return _Alike(agree, rows, either, joint.sum(axis=0))
