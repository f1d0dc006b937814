"""Whether rows that stand near each other in a file are alike, as independent rows are not.

Rows of one subject, and rows of successive days, stand side by side or at a fixed distance. If
rows are independent, any order of them is as good as the one they have; a file that was sorted by
some of its columns may have any order of the rows that are the same in these, and one with groups
or experiments any order of the rows of each. So columns agree in rows at a distance as often as
after rows have changed places in that way, and not more often.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape.data.sorting import Sorting, first_of_equal, sorting_of

if TYPE_CHECKING:
    from dagscape.data.data import Data

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_ROWS = 4096
"""Rows that are looked at: all of them, or chunks from everywhere in the file."""
CHUNKS = 8
MOST_COLUMNS, MOST_STATES = 64, 32
"""Columns that are looked at, and states of each that are told apart."""
ORDERS, SHOWN = 100, 20
"""Other orders that the one in the file is compared with, and those that a figure is a mean of."""
NEIGHBORS, DISTANT = 5.0, 7.0
"""Standard deviations above what other orders have, to be told: of neighbors, and of the most
alike of thousands of distances."""
WINDOW = 10
"""Rows that may change places where a file is sorted by numbers."""
LEAST_LEFT = 0.8
"""Over the root of the rows: of a column's deviation, what must be left beside the lines in these
rows; a walk of independent steps leaves twice as much. With less, the column follows what the file
is sorted by, and its bends are no rows that depend on each other."""
GROUPS, LEAST_BLOCK = 3, 5
"""Groups of numbers of a column by which rows may be ordered in a way that does not show as sorted,
and rows on average that must be left to change places."""
LEAST_EXCESS = 0.05
"""Of what may be alike beyond chance: less does no harm."""
LEAST_ROWS = 20
LEAST_SUBJECTS = 20
"""Values of a column that numbers subjects, each with as many rows."""


@dataclass(frozen=True)
class Alike:
    """How much rows at some distance in the file resemble each other, in comparable cells."""

    distance: int
    cells: int
    alike: int
    """Cells with the same state, or with numbers on the same side of the median or line."""
    expected: int
    """As many would be after rows have changed places."""

    @property
    def excess(self) -> float:
        """The share of what may be alike beyond chance that is."""
        return (self.alike - self.expected) / max(1, self.cells - self.expected)


@dataclass(frozen=True)
class RowOrder:
    """What the order of the rows shows."""

    sorted_by: tuple[str, ...]
    alike: Alike | None
    """Where rows are not independent, what shows it."""


def row_order(data: Data) -> RowOrder:
    """Look at the order of the rows; the work does not grow with their number."""
    looked_at = _Sample(data)
    sorting = sorting_of(looked_at.columns, looked_at.ranked, looked_at.finer)
    if (first := first_of_equal(looked_at.columns)) is not None:
        # Equal rows were brought together, as tables of counts have them: each is looked at once.
        looked_at.take(first)
        sorting = sorting_of(looked_at.columns, looked_at.ranked, looked_at.finer)
    if looked_at.n < LEAST_ROWS:
        return RowOrder(sorting.names, None)
    return RowOrder(sorting.names, _Comparison(looked_at, sorting).alike())


class _Sample:
    """The rows and columns that are looked at: columns as whole numbers, in the order of names."""

    def __init__(self, data: Data) -> None:
        rows = _rows(data.n_rows)
        self.n = len(rows)
        self.apart = _apart(data)[rows]
        """What of the rows is said by other columns: those of one number may change places."""
        names = data.variables.in_engine_order()
        step = max(1, -(-len(names) // MOST_COLUMNS))
        cut = {note.column for note in data._done if note.kind == "cut"}
        self.columns: dict[str, Ints] = {}
        self.ranked: set[str] = set()
        """Those with an order of their own: numbers, and intervals."""
        self.finer: set[str] = set()
        """Those that may have been sorted by more than they tell."""
        for name in names[::step]:
            values, codes = np.unique(data.column(name)[rows], return_inverse=True)
            codes = codes.reshape(-1).astype(np.int64)
            if len(values) < 2 or _numbers_subjects(np.bincount(codes)):
                continue
            self.columns[name] = codes
            if name in data.numbers:
                self.ranked.add(name)
            if name in cut or (name in data.numbers and len(values) > self.n / WINDOW):
                self.finer.add(name)

    def take(self, rows: Ints) -> None:
        """Keep these rows alone."""
        self.n = len(rows)
        self.apart = self.apart[rows]
        self.columns = {name: codes[rows] for name, codes in self.columns.items()}


def _apart(data: Data) -> Ints:
    """Return a number for each row, the same for those of one group and one experiment."""
    parts = np.zeros(data.n_rows, dtype=np.int64)
    for of_rows in (data.rows.groups, data.rows.interventions):
        if of_rows is not None:
            parts = parts * len(of_rows.labels) + of_rows.codes
    return parts


def _rows(n: int) -> Ints:
    if n <= MOST_ROWS:
        return np.arange(n)
    length = MOST_ROWS // CHUNKS
    starts = np.linspace(0, n - length, CHUNKS).astype(np.int64)
    return (starts[:, None] + np.arange(length)).reshape(-1)


class _Comparison:
    """The columns by which the file is not sorted, against other orders of their rows."""

    def __init__(self, looked_at: _Sample, sorting: Sorting) -> None:
        by = {*sorting.names, *sorting.perhaps}
        left = {name: codes for name, codes in looked_at.columns.items() if name not in by}
        ranked = [codes for name, codes in left.items() if name in looked_at.ranked]
        states = [_fewer(codes) for name, codes in left.items() if name not in looked_at.ranked]
        n = self._n = looked_at.n
        self._blocks = sorting.blocks(WINDOW)
        several = bool(looked_at.apart.any())
        if several:
            blocks = self._blocks * (int(looked_at.apart.max()) + 1) + looked_at.apart
            self._blocks = np.unique(blocks, return_inverse=True)[1].reshape(-1)
        self._trends = _Trends(self._blocks) if several or sorting.fine else None
        ranks = np.array([_mean_ranks(codes) for codes in ranked]).reshape(len(ranked), n)
        # Beside a number that sorts the file, a column alone makes an edge: with that number.
        self._rounds = 1 if sorting.fine else 2
        self._states = np.array(states, dtype=np.int16).reshape(len(states), n)
        self._scores = _scaled(ranks)
        if self._trends is not None:
            kept = self._trends.less(self._scores)
            kept[kept.std(axis=1) < LEAST_LEFT / n**0.5] = 0.0
            self._scores = _scaled(kept)
        self._sides = np.array([codes > np.median(codes) for codes in ranked]).reshape(-1, n)
        self._given = [*states, *(_groups(codes) for codes in ranked)]

    def alike(self) -> Alike | None:
        """Return what shows that rows are not independent; None if nothing does."""
        if len(self._given) < self._rounds:  # one column alone makes no edge
            return None
        found: Alike | None = None
        if self._depend(1, NEIGHBORS):
            found = self._told(1)
        elif (distance := self._most_alike()) is not None and self._depend(distance, DISTANT):
            found = self._told(distance)
        return found if found is not None and found.excess >= LEAST_EXCESS else None

    def _depend(self, distance: int, deviations: float) -> bool:
        """Tell whether rows at a distance resemble each other more than after they changed places.

        Not if that is so of one column alone, which makes no edge, nor if all others are alike only
        because it is: rows that are the same in it change places then. In a file that is sorted by
        a number one column is enough.
        """
        chance = np.random.default_rng(0)
        blocks, given = self._blocks, np.zeros(len(self._given), dtype=bool)
        for _ in range(self._rounds):
            others = [self._cells(distance, _another(blocks, chance)) for _ in range(ORDERS)]
            mean = np.mean(others, axis=0)
            sums = np.where(given, 0.0, others - mean).sum(axis=1)
            beyond = np.where(given, 0.0, self._cells(distance) - mean)
            if self._rounds == 1 and (beyond > deviations * np.std(others, axis=0) + 1).any():
                return True
            if beyond.sum() <= deviations * sums.std() + len(given):
                return False
            first = int(beyond.argmax())
            given[first] = True
            blocks = blocks * (int(self._given[first].max()) + 1) + self._given[first]
            blocks = np.unique(blocks, return_inverse=True)[1].reshape(-1)
            if given.all() or blocks.max() + 1 > self._n / LEAST_BLOCK:
                break
        return True

    def _cells(self, distance: int, order: Ints | None = None) -> Floats:
        """Return by column how many cells are alike at a distance; of numbers, beyond chance."""
        states, scores = self._states, self._scores
        if order is not None:
            states, scores = states[:, order], self._in_order(order)
        same = (states[:, distance:] == states[:, :-distance]).sum(axis=1)
        along = (scores[:, distance:] * scores[:, :-distance]).sum(axis=1) / 2
        return np.concatenate([same, along])

    def _in_order(self, order: Ints) -> Floats:
        """Return the scores in another order; lines take from these what they took before."""
        changed = self._scores[:, order]
        return changed if self._trends is None else _scaled(self._trends.less(changed))

    def _most_alike(self) -> int | None:
        """Return the distance at which rows are far more alike than at most others, if any."""
        distances = np.arange(2, self._n // 2 + 1)
        if len(distances) < LEAST_ROWS:
            return None
        total = np.zeros(len(distances))
        for codes in self._states:
            total += _by_distance(_centered(codes, self._blocks))[distances]
        total += _by_distance(self._scores)[distances] / 2
        total /= np.sqrt(1 - distances / self._n)
        beyond = total - np.median(total)
        best = int(beyond.argmax())
        spread = 1.4826 * float(np.median(abs(beyond)))
        return int(distances[best]) if beyond[best] > NEIGHBORS * spread else None

    def _told(self, distance: int) -> Alike:
        """Return in figures how much rows resemble each other."""
        chance = np.random.default_rng(1)

        def alike(order: Ints | None = None) -> int:
            states, sides = self._states, self._sides
            if self._trends is not None:
                sides = (self._scores if order is None else self._in_order(order)) > 0
            elif order is not None:
                sides = sides[:, order]
            states = states if order is None else states[:, order]
            return sum(
                int((shown[:, distance:] == shown[:, :-distance]).sum())
                for shown in (states, sides)
            )

        others = [alike(_another(self._blocks, chance)) for _ in range(SHOWN)]
        cells = (len(self._states) + len(self._sides)) * (self._n - distance)
        return Alike(distance, cells, alike(), round(float(np.mean(others))))


def _another(blocks: Ints, chance: np.random.Generator) -> Ints:
    """Return another order of the rows, in which they have changed places within blocks."""
    order = np.empty(len(blocks), dtype=np.int64)
    order[np.argsort(blocks, kind="stable")] = np.argsort(blocks + chance.random(len(blocks)))
    return order


def _numbers_subjects(counts: Ints) -> bool:
    """Tell whether the values have as evenly many rows as only a column of subjects has."""
    values, each = len(counts), float(counts.mean())
    if values < LEAST_SUBJECTS or each < 2:
        return False
    freedom = values - 1
    ratio = float(((counts - each) ** 2).sum()) / each / freedom
    part = 2 / (9 * freedom)  # chi-square, by Wilson and Hilferty
    return bool((ratio ** (1 / 3) - (1 - part)) / np.sqrt(part) < -NEIGHBORS)


def _groups(codes: Ints) -> Ints:
    """Return a column of ranks in a few groups."""
    below = np.cumsum(np.bincount(codes)) - 1
    return below[codes] * GROUPS // len(codes)


def _mean_ranks(codes: Ints) -> Floats:
    """Return mean ranks, less their mean."""
    counts = np.bincount(codes)
    ranks = (np.cumsum(counts) - counts / 2)[codes]
    return np.asarray(ranks - ranks.mean())


def _scaled(scores: Floats) -> Floats:
    """Return rows of variance 1, but for those that are 0 everywhere."""
    return np.asarray(scores / np.maximum(scores.std(axis=1, keepdims=True), 1e-9))


def _fewer(codes: Ints) -> Ints:
    """Return codes of at most so many states: the rarest are one."""
    counts = np.bincount(codes)
    if len(counts) <= MOST_STATES:
        return codes
    rank = np.argsort(np.argsort(-counts, kind="stable"))
    return np.minimum(rank, MOST_STATES - 1)[codes]


def _centered(codes: NDArray[np.int16], blocks: Ints) -> Floats:
    """Return a row for each state, 1 where it is, less its share in the block."""
    block = np.unique(blocks, return_inverse=True)[1]
    sizes = np.bincount(block)
    rows = []
    for state in np.unique(codes):
        there = (codes == state).astype(np.float64)
        rows.append(there - (np.bincount(block, there) / sizes)[block])
    return np.array(rows)


def _by_distance(rows: Floats) -> Floats:
    """Return by distance the sum of products of values so far apart."""
    n = rows.shape[1]
    spectrum = np.fft.rfft(rows, 2 * n)
    return np.asarray(np.fft.irfft((abs(spectrum) ** 2).sum(axis=0), 2 * n)[:n])


class _Trends:
    """Lines along the file in each block, which are taken out of columns."""

    def __init__(self, blocks: Ints) -> None:
        self._block = np.unique(blocks, return_inverse=True)[1].reshape(-1)
        self._places = np.argsort(self._block, kind="stable")
        self._sizes = np.bincount(self._block)
        self._starts = np.r_[0, np.cumsum(self._sizes)[:-1]]
        along = np.arange(len(self._block), dtype=np.float64)
        self._along = along - (self._sums(along[None, :]) / self._sizes)[0][self._block]
        self._squares = np.maximum(self._sums(self._along[None, :] ** 2)[0], 1e-12)

    def _sums(self, rows: Floats) -> Floats:
        return np.asarray(np.add.reduceat(rows[:, self._places], self._starts, axis=1))

    def less(self, rows: Floats) -> Floats:
        """Return what is left of columns, a row for each."""
        left = rows - (self._sums(rows) / self._sizes)[:, self._block]
        slopes = self._sums(left * self._along) / self._squares
        return np.asarray(left - slopes[:, self._block] * self._along)
