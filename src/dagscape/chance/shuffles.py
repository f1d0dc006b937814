"""How probable it is that shuffled rows relate as much: alone, and given other columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape.chance.draws import log_share, orders_of
from dagscape.chance.moments import (
    Strength,
    Values,
    among,
    flipped_strength,
    log_fisher,
    log_tail,
    strength_of,
)
from dagscape.chance.surfaces import bends, surfaces
from dagscape.data.contents import stored_codes
from dagscape.data.ordered_states import by_order

if TYPE_CHECKING:
    from dagscape.data import Data

Codes = NDArray[np.int64]
Rows = slice | NDArray[np.intp]

GAP = -1
"""The code of a missing cell."""
GROUPS = 4
"""Numbers enter as lines and, once more, in so many groups of their order besides."""
MOST_EXACT = 10_000_000
"""Rows up to which two columns of two states are weighed exactly, by all tables there could be."""
MOST_DRAWN = 1_000_000
"""Rows up to which shuffles are drawn; with more, a smooth tail is right."""
MOST_CELLS = 10_000
"""Cells up to which they are drawn."""
ROWS_PER_CELL = 3
"""With fewer rows for each meeting of states, what every column of states says is taken away."""
LN_CURVED, MOST_CURVED = math.log(1e-5), 2
"""How rarely chance may relate numbers to a column to be asked for, and how many are."""
LN_BENT = math.log(0.01)
"""How rarely chance may bend a line for that line to be trusted: doubt is enough."""
MOST_PAIRS = 100
"""Pairs of columns up to which it is asked whether they tell something together."""
LEAST_GLANCED, MOST_GLANCED, GLANCED_CELLS = 500, 4_000, 400_000
"""Rows on which that is looked at: fewer of many columns."""
TOGETHER = 64
"""Columns that are looked at together."""
OWN_SHARE = 1e-9
"""What others make up but for this share adds nothing."""


class Shuffles:
    """Answers for one table, the columns of which are coded once.

    States that fewer than √n of n rows have count as one: two of them would hardly ever meet, and
    no smooth tail holds where they do. Numbers enter by their ranks, so that no outlier
    matters, and so do ordered states.
    Gaps stay in place: only rows change places in which no column of the question has one, nor had
    one that was filled. Rows in
    groups change places within these alone. Where rows are of subjects, these change places as
    wholes, and mean and variance are those of many orders. Survey weights stay in place, and are
    scaled to the rows they are worth. Rows in which an experiment set the child tell nothing of
    its causes, and are left out; of two columns alone, those in which both were set.
    """

    def __init__(self, data: Data) -> None:
        before = data.rows.before
        self._filled = {} if before is None or data.rows.times is not None else before.filled
        self._data = data = by_order(data)
        clusters, groups = data.rows.clusters, data.rows.groups
        self._groups = None if groups is None else groups.codes
        self._subjects = None if clusters is None else clusters.codes
        self._times = data.rows.but(clusters=None).each
        """What each row that is stored counts for, where that is not 1."""
        self._whole = data.rows.survey_weights is None
        self._codes: dict[str, Codes] = {}
        self._ranks: dict[str, Values] = {}
        self._bases: dict[str | tuple[str, str], tuple[Values, Values]] = {}
        self._sides: tuple[Values, Codes] | None = None
        self._followed: dict[str, dict[str, tuple[float, float]]] = {}
        self._followed_both: dict[tuple[str, str, str], float] = {}

    def alone(self, one: str, other: str) -> float:
        """Return ln of the probability that two columns, one of them shuffled, relate as much."""
        return self._given(one, [other], [], (), (one, other))

    def given(
        self,
        child: str,
        parents: Sequence[str],
        others: Sequence[str],
        curved: Sequence[str] = (),
    ) -> float:
        """Return ln of the probability of as much if the child's rows change places.

        Where all columns are states, rows change places only among those that are the same in all
        of the others. Where there are numbers, what the others explain is taken away first, by
        curves, and signs of rows are flipped. Of numbers that are `curved`, which count as others
        too, as fine a curve is taken away as the rows allow.
        """
        return self._given(
            child, parents, list(dict.fromkeys([*others, *curved])), curved, (child,)
        )

    def _given(
        self,
        child: str,
        parents: Sequence[str],
        others: Sequence[str],
        curved: Sequence[str],
        free: Sequence[str],
    ) -> float:
        names = (child, *parents, *others)
        rows = self._told(names, free)
        if not any(x in self._data.numbers for x in names):
            return self._by_counts(child, parents, others, rows)
        if not isinstance(rows, slice) and not len(rows):
            return 0.0
        ways = (self._line, self._grouped)
        found = [self._by_ranks(child, parents, others, rows, way, curved).log_p for way in ways]
        return min(0.0, min(found) + math.log(len(ways)))

    def curved(
        self, one: str, other: str, known: Sequence[str], lines: Container[str] = ()
    ) -> list[str]:
        """Return numbers that two columns may both follow, at least one of them in no line.

        Those that tell most of the less related of the two, and those that are known and do. Of
        some numbers a line is enough. Where there are none, two columns that tell something
        together, one of them a number: each may have slopes of its own for the states of another.
        """
        every = self._data.numbers
        if every.keys() <= {one, other}:
            return []
        first, second = map(self._follows_each, (one, other))
        found: dict[tuple[str, ...], float] = {}
        for name in first.keys() & second.keys() - {one, other}:
            (tied, bent), (other_tied, other_bent) = first[name], second[name]
            if name in lines or min(bent, other_bent) < LN_BENT:
                found[name,] = max(tied, other_tied)
        along = [name for name in known if (name,) in found]
        found = {names: tied for names, tied in found.items() if names[0] not in known}
        if not found and len(every) <= MOST_PAIRS:
            numbers = [name for name in every if name not in (one, other, *known)]
            rest = [name for name in self._data.names if name not in (one, other, *numbers)]
            many = math.comb(len(numbers), 2) + len(numbers) * len(rest)
            pairs = chain(combinations(numbers, 2), product(numbers, rest))
            for pair in pairs if many <= MOST_PAIRS else ():
                together = max(self._follows_both(each, *pair) for each in (one, other))
                if together < LN_CURVED:
                    found[pair] = together
        best = sorted(found, key=lambda names: (found[names], names))
        chosen = [name for names in best for name in names if name not in known]
        return [*along, *list(dict.fromkeys(chosen))[:MOST_CURVED]]

    def glance(self, columns: Iterable[str]) -> None:
        """Look at which numbers each of the columns follows, at many of them together."""
        wanted = [name for name in dict.fromkeys(columns) if name not in self._followed]
        if not wanted or not self._data.numbers:
            return
        if self._sides is None:
            sides = [side for name in self._data.numbers for side in self._ways(name)]
            widths = np.array([side.shape[1] for side in sides])
            self._sides = np.column_stack(sides).T, widths
        known, widths = self._sides
        for start in range(0, len(wanted), TOGETHER):
            some = wanted[start : start + TOGETHER]
            own = [self._ways(name)[0] for name in some]
            products = (known @ np.column_stack(own)) ** 2
            begin = 0
            for name, each in zip(some, own, strict=True):
                squares = products[:, begin : begin + each.shape[1]].sum(axis=1)
                self._followed[name] = self._strong(len(each) * squares, each.shape[1], widths)
                begin += each.shape[1]

    def _follows_each(self, column: str) -> dict[str, tuple[float, float]]:
        """Return ln of about how probable it is by chance that it follows a number, and bends so.

        Of the numbers that it clearly follows, on some of the rows: this only says what to ask for.
        """
        self.glance([column])
        return self._followed.get(column, {})

    def _strong(self, squares: Values, width: int, widths: Codes) -> dict[str, tuple[float, float]]:
        """Return what is told of the numbers whose sides, lines and bends in turn, relate so."""
        sums = np.concatenate([[0.0], squares.cumsum()])
        ends = widths.cumsum()
        found, free = sums[ends] - sums[ends - widths], widths * width
        line, bend = slice(0, None, 2), slice(1, None, 2)
        both, freedom = found[line] + found[bend], free[line] + free[bend]
        least = np.array([_critical(int(each)) for each in range(int(freedom.max(initial=0)) + 1)])
        names = list(self._data.numbers)
        told = {}
        for at in np.flatnonzero(both > least[freedom]):
            tied = log_tail(float(both[at]), int(freedom[at]))
            if tied < LN_CURVED:
                told[names[at]] = tied, log_tail(float(found[bend][at]), int(free[bend][at]))
        return told

    def _follows_both(self, column: str, number: str, other: str) -> float:
        """Return ln of about how probable it is by chance that it follows a product of two."""
        if (column, number, other) not in self._followed_both:
            _, products = self._together(number, other)
            own, _ = self._ways(column)
            found = len(own) * float(((products.T @ own) ** 2).sum())
            log = log_tail(found, products.shape[1] * own.shape[1])
            self._followed_both[column, number, other] = log
        return self._followed_both[column, number, other]

    def _together(self, number: str, other: str) -> tuple[Values, Values]:
        """Return bases of what two columns say each, and of the products of their lines beside."""
        if (number, other) not in self._bases:
            each = [np.column_stack(self._ways(name)) for name in (number, other)]
            line, second = self._ways(number)[0], self._ways(other)[0]
            first = _added(np.zeros((len(line), 0)), each)
            products = (line[:, :, None] * second[:, None, :]).reshape(len(line), -1)
            self._bases[number, other] = first, _added(first, [products])
        return self._bases[number, other]

    def _ways(self, name: str) -> tuple[Values, Values]:
        """Return bases of what a column says as a line, and as groups of its order beside it."""
        if name not in self._bases:
            many = max(LEAST_GLANCED, min(MOST_GLANCED, GLANCED_CELLS // self._data.n_variables))
            some = np.unique(np.linspace(0, len(self._line(name)) - 1, many).astype(int))
            there = np.ones(len(some), dtype=bool)
            if name in self._data.numbers:
                there = ~np.isnan(np.asarray(self._data.numbers[name])[some])
            line, groups = (way(name)[some] for way in (self._line, self._grouped))
            if not there.all():  # a gap says nothing
                line, groups = (
                    np.where(there[:, None], each, each[there].sum(axis=0) / max(1, there.sum()))
                    for each in (line, groups)
                )
            first = _added(np.zeros((len(some), 0)), [line])
            self._bases[name] = first, _added(first, [groups])
        return self._bases[name]

    def drawn(self, child: str, parent: str, others: Sequence[str], most: int) -> float | None:
        """Return the same by shuffles that are drawn, so many at most; None where it is exact.

        So it is for two by two states, given no others. Where there are numbers, or more rows than
        can be drawn, there is nothing better either; nor for rows of subjects, in groups, or with
        survey weights.
        """
        names = (child, parent, *others)
        if self._subjects is not None or self._groups is not None or not self._whole:
            return None
        if any(name in self._data.numbers for name in names) or self._data.n_rows > MOST_DRAWN:
            return None
        rows = self._told(names, (child,))
        strata, many = self._joined(others, rows)
        x, width = self._joined([parent], rows)
        y, height = self._joined([child], rows)
        if not others and width == height == 2:
            return None
        codes = (strata * width + x) * height + y
        if many * width * height > MOST_CELLS:
            return None
        counts = np.bincount(codes, self._times, many * width * height).astype(np.int64)
        return log_share(list(counts.reshape(many, width, height)), most)

    def _told(self, names: Sequence[str], free: Sequence[str]) -> Rows:
        """Return the rows in which no column has a gap, and experiments left one of `free` so."""
        gaps = [
            np.isnan(self._data.numbers[name])
            if name in self._data.numbers
            else self._known(name) == GAP
            for name in names
        ]
        if (done := self._data.rows.interventions) is not None:
            left = np.concatenate([done.free_rows(name) for name in free])
            gaps.append(np.bincount(left, minlength=len(done.codes)) == 0)
        gaps = [each for each in gaps if each.any()]
        gaps += [self._filled[name] for name in names if name in self._filled]
        return np.flatnonzero(~np.any(gaps, axis=0)) if gaps else slice(None)

    def _known(self, name: str) -> Codes:
        """Return the codes of a column, those of rare states made one."""
        if name not in self._codes:
            codes = stored_codes(self._data, name)
            self._codes[name] = _pooled(codes, self._data.arities[name], self._times)
        return self._codes[name]

    # --- states ---------------------------------------------------------------------------------

    def _by_counts(
        self, child: str, parents: Sequence[str], others: Sequence[str], chosen: Rows
    ) -> float:
        strata, many = self._strata(others, chosen)
        x, width = self._joined(parents, chosen)
        y, height = self._joined([child], chosen)
        times = None if self._times is None else self._times[chosen]

        def strength(y: Codes) -> Strength:
            return self._of_counts((strata, many), (x, width), (y, height), times)

        if self._subjects is not None:
            orders = orders_of(self._subjects[chosen], strata)
            return among(strength(y).value, [strength(y[order]).value for order in orders]).log_p
        rows = len(y) if times is None else times.sum()
        if many == 1 and width == height == 2 and self._whole and rows <= MOST_EXACT:
            counts = np.bincount(2 * x + y, times, minlength=4).astype(np.int64)
            return log_fisher(counts.reshape(2, 2))
        return strength(y).log_p

    def _of_counts(
        self,
        of_strata: tuple[Codes, int],
        of_x: tuple[Codes, int],
        of_y: tuple[Codes, int],
        times: Values | None,
    ) -> Strength:
        """Return the strength of a relation of states, each with how many there are."""
        (strata, many), (x, width), (y, height) = of_strata, of_x, of_y
        rows = np.bincount(strata, times, minlength=many).astype(float)
        left, of_left = _occurring(strata * width + x, many * width, times)
        right, of_right = _occurring(strata * height + y, many * height, times)
        cells, of_both = _occurring((strata * width + x) * height + y, many * width * height, times)
        stratum = cells // (width * height)
        with_x = np.searchsorted(left, cells // height)
        with_y = np.searchsorted(right, stratum * height + cells % height)
        shares = of_both**2 / (of_left[with_x] * of_right[with_y])
        agree = np.bincount(stratum, shares, many).astype(float) - 1
        first = _leverages(left // width, of_left, rows)
        second = _leverages(right // height, of_right, rows)
        return strength_of(rows, agree, first, second)

    def _strata(self, others: Sequence[str], chosen: Rows) -> tuple[Codes, int]:
        """Return within what rows change places: where others are the same, in the same group."""
        joined, many = self._joined(others, chosen)
        if self._groups is None:
            return joined, many
        own = joined * (int(self._groups.max()) + 1) + self._groups[chosen]
        found, joined = np.unique(own, return_inverse=True)
        return joined.reshape(-1), max(1, len(found))

    def _joined(self, names: Sequence[str], chosen: Rows) -> tuple[Codes, int]:
        """Return a number for each row, the same where all these columns are; and how many."""
        stored = self._data.n_rows if self._times is None else len(self._times)
        joined, many = np.zeros(stored, dtype=np.int64)[chosen], 1
        for name in names:
            codes = self._known(name)[chosen]
            joined = joined * (int(codes.max(initial=0)) + 1) + codes
            found, joined = np.unique(joined, return_inverse=True)
            joined, many = joined.reshape(-1), max(1, len(found))
        return joined, many

    # --- numbers --------------------------------------------------------------------------------

    def _by_ranks(
        self,
        child: str,
        parents: Sequence[str],
        others: Sequence[str],
        chosen: Rows,
        way: Callable[[str], Values],
        curved: Sequence[str],
    ) -> Strength:
        every = way(child)[chosen]
        away = bool(others) or self._groups is not None
        taken = self._taken_away(others, chosen) if away else []
        numbers = [name for name in curved if name in self._data.numbers]
        taken += [bends(self._line(name)[chosen][:, 0]) for name in numbers]
        known = _added(np.zeros((len(every), 0)), taken)
        u = _added(known, [every])
        v = _added(known, [way(name)[chosen] for name in parents])
        subjects = None if self._subjects is None else self._subjects[chosen]
        if away:
            return flipped_strength(u, v, max(1, len(every) - known.shape[1]), subjects)
        if subjects is not None:
            orders = orders_of(subjects, np.zeros(len(every), dtype=np.intp))
            found = [float(((u[order].T @ v) ** 2).sum()) for order in orders]
            return among(float(((u.T @ v) ** 2).sum()), found)
        rows = np.array([float(len(every))])
        agree = np.array([float(((u.T @ v) ** 2).sum())])
        sides = [(np.array([float(each.shape[1])]), np.array([_squares(each)])) for each in (u, v)]
        return strength_of(rows, agree, sides[0], sides[1])

    def _taken_away(self, others: Sequence[str], chosen: Rows) -> list[Values]:
        """Return what other columns say of the rows: which states meet, and curves of numbers."""
        numbers = [name for name in others if name in self._data.numbers]
        states = [name for name in others if name not in self._data.numbers]
        lines = [self._line(name)[chosen][:, 0] for name in numbers]
        measured = [np.asarray(self._data.numbers[name])[chosen] for name in numbers]
        codes, many = self._strata(states, chosen)
        cells = _indicators(codes)
        if many > len(codes) / ROWS_PER_CELL:
            each = [self._known(name)[chosen] for name in states]
            each += [] if self._groups is None else [self._groups[chosen]]
            cells = np.column_stack([np.zeros((len(codes), 0)), *map(_indicators, each)])
        return [cells, surfaces(cells, lines, measured)]

    def _line(self, name: str) -> Values:
        """Return what a column can say: its states, or its ranks."""
        if name not in self._data.numbers:
            return _indicators(self._known(name))
        if name not in self._ranks:
            self._ranks[name] = _ranks(np.asarray(self._data.numbers[name]))[:, None]
        return self._ranks[name]

    def _grouped(self, name: str) -> Values:
        """Return the same, with groups of the order of numbers beside their ranks."""
        line = self._line(name)
        if name not in self._data.numbers:
            return line
        return np.column_stack([line, *(line > cut for cut in _cuts(line[:, 0]))])


@cache
def _critical(freedom: int) -> float:
    """Return what chi-squared reaches a little more often than numbers are to be asked for."""
    low, high = 0.0, 64.0 + 4.0 * freedom
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if log_tail(middle, freedom) > LN_CURVED else (low, middle)
    return low


def _cuts(ranks: Values) -> list[float]:
    """Return where ranks are cut into groups, none of which is small: ties stay together."""
    cuts: list[float] = []
    least = len(ranks) / (2 * GROUPS)
    for cut in np.arange(1, GROUPS) / GROUPS:
        last = cuts[-1] if cuts else 0.0
        if min(((ranks > last) & (ranks <= cut)).sum(), (ranks > cut).sum()) >= least:
            cuts.append(float(cut))
    return cuts


def _pooled(codes: Codes, states: int, times: Values | None) -> Codes:
    """Return codes from 0, with rare states made one; a code beyond the states is a gap."""
    gap = codes == states
    counts = np.bincount(codes[~gap], None if times is None else times[~gap], minlength=1)
    rare = np.zeros(states + 1, dtype=bool)
    rare[: len(counts)] = (counts > 0) & (counts < math.sqrt(counts.sum()))
    if rare.sum() > 1:
        codes = np.where(rare[codes], int(np.flatnonzero(rare)[0]), codes)
    codes = np.where(gap, GAP, codes)
    found, codes = np.unique(codes, return_inverse=True)
    return np.asarray(codes.reshape(-1) - int(found[0] == GAP))


def _indicators(codes: Codes) -> Values:
    """Return indicators of all codes but the first; of a gap, of none."""
    return np.asarray(codes[:, None] == np.arange(1, int(codes.max(initial=0)) + 1), dtype=float)


def _occurring(codes: Codes, many: int, times: Values | None) -> tuple[Codes, Values]:
    """Return the codes that occur, ascending, and how often."""
    if many > 8 * len(codes) + 1024:
        found, places = np.unique(codes, return_inverse=True)
        return found, np.bincount(places.reshape(-1), times).astype(float)
    counts = np.bincount(codes, times, minlength=many)
    found = np.flatnonzero(counts)
    return found, counts[found].astype(float)


def _leverages(strata: Codes, counts: Values, rows: Values) -> tuple[Values, Values]:
    """Return how many indicators are free in each stratum, and the sum of squared leverages."""
    states = np.bincount(strata, minlength=len(rows)).astype(float)
    inverse = np.bincount(strata, 1 / counts, len(rows))
    return states - 1, inverse - (2 * states - 1) / rows


def _ranks(values: Values) -> Values:
    """Return ranks between 0 and 1, the middle ones of values that are equal."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(middle[inverse.reshape(-1)] / (len(values) + 1))


def _squares(basis: Values) -> float:
    """Return the sum of the squares of the leverages."""
    return float(((basis**2).sum(axis=1) ** 2).sum())


def _added(known: Values, blocks: Sequence[Values]) -> Values:
    """Return an orthonormal basis of what columns add to the mean and to those that are known."""
    columns = np.column_stack([np.zeros((len(known), 0)), *blocks])
    columns = columns - columns.mean(axis=0)
    size = np.sqrt((columns**2).sum(axis=0))
    columns = columns[:, size > 0] / size[size > 0]
    for _ in range(2):  # the second time takes away what rounding left
        columns = columns - known @ (known.T @ columns)
    values, vectors = np.linalg.eigh(columns.T @ columns)
    there = values > OWN_SHARE
    return np.asarray(columns @ (vectors[:, there] / np.sqrt(values[there])))
