"""Relations between numbers that are no lines, though the score takes them for lines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.graphs import Dag
from dagscape.regression import Regressions, orthogonal

if TYPE_CHECKING:
    from dagscape.data import Data

Values = NDArray[np.float64]

CHANCE = 1e-3
"""How often chance alone may name any relation of a table whose relations are all lines."""
LEAST_SHARE = 0.05
"""The groups' means must explain this share of what lines leave; less is not worth a word."""
GROUPS = 6
"""Of equally many rows each, by the column that may bend another."""
LINE, BENDS = 3.0, 1e-4
"""Two columns are a line from so many standard errors on; it bends or widens at such a p-value."""
GLANCE = 2.0
"""Standard errors that one group's mean must be off before all groups are looked at together."""
FAR, MOST_FAR = 4.0, 0.25
"""Rows with a value so many widths of the middle half from the median are left out, up to a share
of the rows: a few values far off turn a line, and tell nothing of a bend."""
MOST_ROWS = 4_000
"""So many rows, drawn at random from more, show every relation that is worth a word."""
MOST_COLUMNS = 100
"""Among more columns only those that the network joins are looked at."""


@dataclass(frozen=True, slots=True)
class NotLinear:
    """Two columns of numbers whose relation is clearly no line."""

    child: str
    parent: str
    joined: bool
    """Whether the network joins them, as if by a line; else it takes them for unrelated."""
    share: float
    """The share of the child's variance, of what lines leave, that the bend explains."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


def not_linear(data: Data, dag: Dag) -> tuple[NotLinear, ...]:
    """Return the relations that are clearly no lines, the clearest first; each pair once.

    A column is fitted by its parents in the network. What is left must have the mean 0 in each of
    six groups of rows, by the values of another column, which is tested without asking for equal
    scatter (White 1980). A pair is named if chance would name one in a thousand tables, and if the
    share is worth a word; beside other parents and alone. It is not named if the two are a plain
    line after all, alone or the other way round. Columns whose parents have too many states for
    columns of their own are not looked at. Nor are rows of subjects, which chance bends more
    easily, nor groups and experiments, each of which may have a line of its own.
    """
    if {"clusters", "groups", "interventions"} & {*data.rows.facts}:
        return ()
    if len(data.numbers) < 2 or data.n_rows < 10 * GROUPS:
        return ()
    if data.n_rows > MOST_ROWS:
        rng = np.random.default_rng(0)
        data = data.take(np.sort(rng.choice(data.n_rows, MOST_ROWS, replace=False)))
    found: dict[frozenset[str], NotLinear] = {}
    for one in _BendSearch(_without_far(data), dag).all():
        pair = frozenset((one.child, one.parent))
        if pair not in found or one.share > found[pair].share:
            found[pair] = one
    return tuple(sorted(found.values(), key=lambda r: (not r.joined, -r.share, r.child, r.parent)))


def bend_between(data: Data, child: str, other: str) -> float:
    """Return the share of what a line leaves of a column that a bend explains; 0 if it is chance.

    Of two columns alone; 0 as well where they are a plain line the other way round, where rows are
    few, where one has missing cells, and where :func:`not_linear` does not look either.
    """
    if data.rows.clusters is not None or data.rows.groups is not None:
        return 0.0
    if not {child, other} <= data.numbers.keys() or data.n_rows < 10 * GROUPS:
        return 0.0
    two = data.select([child, other])
    if two.missing:
        return 0.0
    found = not_linear(two, Dag(two.names, []))
    return max((one.share for one in found), default=0.0)


def _without_far(data: Data) -> Data:
    """Return the rows without values far from all others in their column."""
    near = np.ones(data.n_rows, dtype=bool)
    for values in data.numbers.values():
        half = values / 2  # differences of the largest doubles would overflow
        low, middle, high = np.quantile(half, [0.25, 0.5, 0.75])
        if high > low:
            near &= abs(half - middle) / FAR <= high - low
    few = MOST_FAR * data.n_rows >= data.n_rows - near.sum() > 0
    return data.take(np.flatnonzero(near)) if few else data


class _BendSearch:
    """One table and one network."""

    def __init__(self, data: Data, dag: Dag) -> None:
        self._dag = dag
        self._regressions = Regressions(data)
        names = [x for x in dag.names if x in data.numbers and self._regressions.scaled(x)[2] > 0]
        self._names = names
        self._columns = {name: self._regressions.scaled(name)[0] for name in names}
        self._groups = {name: _groups(column) for name, column in self._columns.items()}
        self._whole = len(names) <= MOST_COLUMNS
        tests = len(names) * (len(names) - 1) if self._whole else len(dag.arcs)
        self._chance = CHANCE / max(1, tests)
        self._rows = data.n_rows

    def all(self) -> Iterator[NotLinear]:
        """Yield the relations that are no lines; some pairs in both directions."""
        for child in self._names:
            parents = self._dag.parents(child)
            if self._regressions.too_wide(parents) is not None:
                continue
            below = self._dag.descendants(child)
            among = self._names if self._whole else parents
            others = [x for x in among if x in self._columns and x != child and x not in below]
            basis = self._basis(parents)
            left = _beyond(self._columns[child][None], basis)[0]
            for parent in self._promising(left, others):
                share = self._bend(child, parent, basis, self._chance)
                alone = share and self._bend(child, parent, basis[:0], self._chance)
                if min(share, alone) >= LEAST_SHARE and not self._is_line(child, parent):
                    yield NotLinear(child, parent, parent in parents, share)

    def _promising(self, left: Values, others: list[str]) -> Iterator[str]:
        """Yield the columns of which a group has a mean that is not near 0."""
        for other in others:
            groups = self._groups[other]
            errors = np.sqrt((groups * groups) @ (left * left))
            if (abs(groups @ left) > GLANCE * errors).any():
                yield other

    def _bend(self, child: str, other: str, basis: Values, chance: float) -> float:
        """Return the share of what is left of a column that groups of another explain beyond lines.

        It is 0 where chance could be behind it.
        """
        rows = np.vstack([self._columns[child], self._columns[other], self._groups[other]])
        rows = _beyond(rows, basis)
        left, line = rows[:2]
        groups = rows[2:] - _along(rows[2:], line)
        left = left - _along(left[None], line)[0]
        return _explained(left, groups, chance)

    def _is_line(self, child: str, parent: str) -> bool:
        """Tell whether the two are a plain line either way round, given nothing or their parents.

        A network may have the direction wrong, or a wrong parent. Of skewed columns, what is then
        left of a child bends, though every relation is a line.
        """
        ends = {child, parent}
        given = {
            tuple(x for x in some if x not in ends)
            for some in ((), self._dag.parents(child), self._dag.parents(parent))
            if self._regressions.too_wide(some) is None
        }
        return any(
            self._is_plain(target, other, self._basis(rest))
            for rest in given
            for target, other in ((parent, child), (child, parent))
        )

    def _is_plain(self, target: str, other: str, basis: Values) -> bool:
        """Tell whether a column rises with another in a line, and scatters alike everywhere."""
        rows = np.array([self._columns[target], self._columns[other]])
        left, line = _beyond(rows, basis)
        product = left * line
        if abs(product.sum()) < LINE * np.sqrt((product**2).sum()):
            return False
        if self._bend(target, other, basis, BENDS):
            return False
        left = left - _along(left[None], line)[0]
        scatter = np.minimum(abs(left), 6 * np.median(abs(left)))  # whatever the tails are
        return not _explained(scatter - scatter.mean(), self._groups[other], BENDS)

    def _basis(self, parents: tuple[str, ...]) -> Values:
        terms = [term.values for parent in parents for term in self._regressions.terms(parent)]
        return orthogonal(terms, self._rows)[0]


def _groups(column: Values) -> Values:
    """Return, for all groups but one, a row that tells its members, less the mean."""
    cuts = np.unique(np.quantile(column, np.arange(1, GROUPS) / GROUPS))
    member = np.searchsorted(cuts, column)
    rows = [(member == group).astype(np.float64) for group in np.unique(member)[1:]]
    return np.array([row - row.mean() for row in rows]).reshape(len(rows), len(column))


def _explained(left: Values, groups: Values, chance: float) -> float:
    """Return the share of a column that groups explain; 0 where chance could be behind it."""
    inner = groups @ groups.T
    values, vectors = np.linalg.eigh(inner)
    kept = values > 1e-6 * max(len(left) / GROUPS, 1.0)
    rows = vectors[:, kept].T @ groups
    if not len(rows):
        return 0.0
    sums = rows @ left
    weighted = rows * left
    spread = weighted @ weighted.T
    spread += np.eye(len(rows)) * (1e-9 * max(float(np.trace(spread)), 1e-300))
    statistic = float(sums @ np.linalg.solve(spread, sums))
    if statistic < _chi_square(len(rows), chance):
        return 0.0
    return min(1.0, float((sums**2 / values[kept]).sum()) / max(float(left @ left), 1e-300))


def _chi_square(freedom: int, chance: float) -> float:
    """Return about what chi-square exceeds with this probability (Wilson and Hilferty 1931)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + NormalDist().inv_cdf(1 - chance) * math.sqrt(part)) ** 3


def _beyond(rows: Values, basis: Values) -> Values:
    """Return what a basis does not explain of each row."""
    return np.asarray(rows - (rows @ basis.T) @ basis)


def _along(rows: Values, known: Values) -> Values:
    """Return the part of each row that lies along another; nothing, if that one is all but 0."""
    length = float(known @ known)
    if length <= 1e-9 * len(known):
        return np.zeros_like(rows)
    return np.asarray(np.outer(rows @ known / length, known))
