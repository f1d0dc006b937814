"""What a network does not reproduce of its table, by tables that it makes itself.

The network, with the parameters that fit the table best, makes tables of as many rows. If it were
true, the table would look like one of them. What is compared: every column alone, pairs of columns,
and triples; of pairs, what is beyond the columns alone, and of triples, what is beyond their pairs,
so that one fault is told once (:func:`~dagscape.misfits.row_groups.raked`). The misfit of a set is
the likelihood ratio of its counts against those that the network expects. It is brought to one
scale by the mean and the variance that it has in all tables, drawn and observed alike; the largest
of all sets in each drawn table shows how large chance makes the largest: the share of drawn tables
in which it is as large corrects the probability for the number of sets, however these depend on
each other.

Parameters were fitted to the same rows, so the table looks somewhat more like the network than a
drawn one does, and chance names fewer misfits than it says.

Sources: Gelman, Meng and Stern, Posterior predictive assessment of model fitness via realized
discrepancies, Statistica Sinica 1996; Westfall and Young, Resampling-based multiple testing, 1993.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape.data.refusals import ALWAYS
from dagscape.errors import DagscapeError
from dagscape.landscape import as_frame
from dagscape.misfits.mends import Mend, Mending, Odd
from dagscape.misfits.row_groups import Counting, Counts, Set, deviances, raked
from dagscape.networks import fit
from dagscape.words import counted, listed

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.networks import Network
    from dagscape.problem import Problem

TABLES = 99
"""Tables that the network makes."""
MOST_ROWS = 4_000
"""Of larger tables so many rows are taken at random."""
MOST_CHANCES = 50_000_000
"""Fewer are taken where states follow numbers: each row that is drawn needs all their chances."""
LEAST_ROWS = 20
MOST_PAIRS, MOST_TRIPLES = 500, 200
"""Pairs of columns and triples that are looked at, the nearest in the network first."""
MOST_COLUMNS = 300
LEAST_MEAN, LEAST_VARIANCE = 0.5, 1.0
"""Half of those of a likelihood ratio of one parameter: where few rows can differ, moments are too
small to tell of large ones."""
NAMED = 3
"""Misfits that are told in words."""
LEVEL = 0.05
"""What chance may give in so many tables is no misfit."""


@dataclass(frozen=True)
class Misfit:
    """Rows of which the network makes too many or too few; ``str`` of it is a sentence."""

    columns: tuple[str, ...]
    cell: tuple[str, ...]
    """What is said of such rows, of each column."""
    table: float
    """The share of the table's rows that are such."""
    network: float
    """The share of the rows that the network makes."""
    p: float
    """The share of tables made by the network in which these columns look as odd."""
    p_adjusted: float
    """The share of tables made by the network in which any columns look as odd."""
    mend: Mend | None = None
    """What would mend it, and maybe others; None where nothing is known to."""

    def __str__(self) -> str:
        rows = listed(self.cell)
        return (
            f"{rows}: the network makes {_percent(self.network)} of such rows, the table has "
            f"{_percent(self.table)} (p {self.p_adjusted:.2g})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "columns": list(self.columns),
            "cell": list(self.cell),
            "table": self.table,
            "network": self.network,
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "mend": None if self.mend is None else self.mend.to_dict(),
            "words": str(self),
        }


@dataclass(frozen=True)
class Fit:
    """How a network's own rows differ from those of its table; ``str`` of it says it in words."""

    misfits: tuple[Misfit, ...]
    """What chance would give in at most a share of 0.05 of tables, the worst first."""
    checks: tuple[Misfit, ...]
    """The rows of every set of columns that differ most, the misfits first."""
    tables: int
    """Tables that the network made."""
    rows: int
    """Of as many rows each, as many as were looked at."""
    columns: int
    """Of the network."""

    @property
    def mends(self) -> tuple[Mend, ...]:
        """What would mend misfits; what mends the worst comes first."""
        mends = (each.mend for each in self.misfits)
        return tuple(dict.fromkeys(mend for mend in mends if mend is not None))

    @property
    def scope(self) -> str:
        """What was looked at: columns, pairs and triples."""
        looked = [sum(len(each.columns) == size for each in self.checks) for size in (1, 2, 3)]
        words = []
        for size, many in zip((1, 2, 3), looked, strict=True):
            there = math.comb(self.columns, size)
            what = ("column", "pair", "triple")[size - 1]
            words.append(
                counted(many, what) if many == there else f"{many:,} of {counted(there, what)}"
            )
        return listed(words)

    @property
    def caution(self) -> str:
        """What is to be said of it where rows depend on each other."""
        return "rows depend on each other, and chance makes more misfits than these p say"

    def __repr__(self) -> str:
        sets = counted(len(self.checks), "set")
        tables = counted(self.tables, "table")
        return f"<Fit: {counted(len(self.misfits), 'misfit')} in {sets} of columns, by {tables}>"

    def __str__(self) -> str:
        if not self.misfits:
            return (
                f"nothing stands out beside {counted(self.tables, 'table')} of its own "
                f"({self.scope})"
            )
        said = [*self.misfits[:NAMED], *self.mends]
        more = len(self.misfits) - NAMED
        if more > 0:
            said.insert(NAMED, f"and {more:,} more")
        return "; ".join(map(str, said))

    def frame(self, frame: str = "polars") -> Any:
        """Return a row for each set of columns that was looked at, the worst misfits first.

        Parameters
        ----------
        frame
            "polars", "pandas", "pyarrow", or "dict" for lists.

        Returns
        -------
        table
            ``columns``; ``rows``, the combination that differs most; ``network`` and ``table``,
            the share of such rows that either has; ``p`` and ``p_adjusted``; ``mend``, what would
            mend it.
        """
        checks = self.checks
        return as_frame(
            {
                "columns": pl.Series(
                    [" | ".join(each.columns) for each in checks], dtype=pl.String
                ),
                "rows": pl.Series([listed(each.cell) for each in checks], dtype=pl.String),
                "network": pl.Series([each.network for each in checks], dtype=pl.Float64),
                "table": pl.Series([each.table for each in checks], dtype=pl.Float64),
                "p": pl.Series([each.p for each in checks], dtype=pl.Float64),
                "p_adjusted": pl.Series([each.p_adjusted for each in checks], dtype=pl.Float64),
                "mend": pl.Series(
                    [None if each.mend is None else str(each.mend) for each in checks],
                    dtype=pl.String,
                ),
            },
            frame,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what stands out as plain values."""
        return {
            "misfits": [each.to_dict() for each in self.misfits],
            "mends": [each.to_dict() for each in self.mends],
            "scope": self.scope,
            "tables": self.tables,
            "rows": self.rows,
        }


def fit_of(problem: Problem, dag: Dag, tables: int = TABLES) -> Fit | None:
    """Compare a network's own rows with those of the table.

    Only of tables without gaps whose rows are plain: None where a column says that they are set,
    weighted or belong together, where there are fewer than 20 or too many states to draw as many,
    or where the network cannot be fitted.
    """
    data = problem.data
    plain = {*data.rows.facts} <= {*ALWAYS}
    if not plain or data.missing or data.n_rows < LEAST_ROWS or len(dag.names) > MOST_COLUMNS:
        return None
    rows = min(MOST_ROWS, MOST_CHANCES // (tables * max(1, _chances(data, dag))))
    if rows < LEAST_ROWS:
        return None
    if data.n_rows > rows:
        data = data._some(rows)
    counting = {size: Counting(data, some) for size in (1, 2, 3) if (some := list(sets(dag, size)))}
    try:
        network = fit(dag, data)
        checks = sorted(_checks(data, network, counting, tables), key=lambda each: each[:2])
    except DagscapeError:  # it cannot be fitted, or makes numbers beyond the largest
        return None
    wrong = [odd for fine, _, odd, _ in checks if not fine]
    mends = Mending(problem.on(data), counting).mends(dag, wrong)
    told = tuple(replace(each[-1], mend=mends.get(at)) for at, each in enumerate(checks))
    return Fit(told[: len(wrong)], told, tables, data.n_rows, len(dag.names))


def _chances(data: Data, dag: Dag) -> int:
    """Return how many states have numbers among their parents."""
    return sum(len(data.states[x]) for x in dag.names if {*dag.parents(x)} & {*data.numbers})


def _checks(
    data: Data, network: Network, counting: Mapping[int, Counting], tables: int
) -> Iterator[tuple[bool, float, Odd, Misfit]]:
    """Yield every set of columns: whether chance does as much, by how much it differs, and how."""
    own = {size: each.counts(data) for size, each in counting.items()}
    made: dict[int, list[Counts]] = {size: [] for size in counting}
    for seed in range(tables):
        drawn = network.sample(data.n_rows, seed=seed)
        for size, each in counting.items():
            made[size].append(each.counts(drawn))
    found = {size: _SetComparison(own[size], made[size]) for size in counting}
    most = np.max([each.sizes.max(axis=1) for each in found.values()], axis=0)
    for size, compared in found.items():
        for at, columns in enumerate(counting[size].sets):
            value, cell = compared.sizes[0, at], compared.oddest(at)
            misfit = Misfit(
                columns,
                counting[size].words(at, cell),
                table=float(own[size][(at, *cell)] / data.n_rows),
                network=float(compared.expected[(at, *cell)] / data.n_rows),
                p=_share_of(compared.sizes[1:, at] >= value),
                p_adjusted=_share_of(most[1:] >= value),
            )
            weight = float(compared.raw[0, at])
            odd = Odd(size, at, cell, misfit.table, misfit.network, weight)
            yield misfit.p_adjusted > LEVEL, -weight, odd, misfit


def _share_of(as_large: NDArray[np.bool_]) -> float:
    """Return the share of tables that are as large, the table itself among them."""
    return (1 + int(as_large.sum())) / (1 + len(as_large))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


class _SetComparison:
    """How odd sets of columns of one size look, in the table and in every drawn one."""

    def __init__(self, own: Counts, made: list[Counts]) -> None:
        self.expected = expected = np.mean(made, axis=0)
        """How many rows the network makes."""
        least = 1 / len(made)  # what it never makes may be as frequent
        raw = []
        for counts in (own, *made):
            fitted = raked(expected, counts) if own.ndim > 2 else expected
            fitted = np.where(counts > 0, np.maximum(fitted, least), fitted)
            odd = deviances(counts, fitted)
            if counts is own:
                self._odd = odd
            raw.append((odd**2).sum(axis=tuple(range(1, own.ndim))))
        self.raw = np.array(raw)
        """Twice the log likelihood ratios, by table, the table itself first, and by set."""
        self.sizes = _scaled(self.raw)
        """The same on one scale."""

    def oddest(self, at: int) -> tuple[int, ...]:
        """Return the combination of groups that differs most."""
        odd = np.abs(self._odd[at])
        return tuple(int(k) for k in np.unravel_index(int(odd.argmax()), odd.shape))


def _scaled(raw: Counts) -> Counts:
    """Return likelihood ratios as about standard normal ones (Wilson and Hilferty 1931).

    As if each set had a gamma distribution of the mean and the variance that it has in the drawn
    tables, of which each is judged by the others.
    """
    drawn = raw[1:]
    many = np.full((len(raw), 1), len(drawn) - 1.0)
    many[0] = len(drawn)
    sums, squares = ((drawn**k).sum(axis=0) - raw**k for k in (1, 2))
    sums[0], squares[0] = drawn.sum(axis=0), (drawn**2).sum(axis=0)
    mean = sums / many
    variance = np.maximum(squares / many - mean**2, LEAST_VARIANCE)
    mean = np.maximum(mean, LEAST_MEAN)
    shape = mean**2 / variance
    return np.asarray((np.cbrt(raw / mean) - (1 - 1 / (9 * shape))) * np.sqrt(9 * shape))


def sets(dag: Dag, size: int) -> Iterator[Set]:
    """Yield the sets of so many columns to be looked at: all if they are few, else the nearest."""
    names = sorted(dag.names)
    most = {1: len(names), 2: MOST_PAIRS, 3: MOST_TRIPLES}[size]
    if math.comb(len(names), size) <= most:
        yield from combinations(names, size)
        return
    near = {x: set(dag.neighbors(x)) for x in names}
    some = _by_distance(near) if size == 2 else _by_joints(near)
    yield from some[:most]


def _by_distance(near: Mapping[str, set[str]]) -> list[Set]:
    """Return all pairs, those joined by the shortest paths first."""
    far = len(near)
    ordered = []
    for x in near:
        steps, waiting = {x: 0}, deque([x])
        while waiting:
            here = waiting.popleft()
            for other in near[here] - steps.keys():
                steps[other] = steps[here] + 1
                waiting.append(other)
        ordered += [(steps.get(y, far), (x, y)) for y in near if x < y]
    return [pair for _, pair in sorted(ordered)]


def _by_joints(near: Mapping[str, set[str]]) -> list[Set]:
    """Return the triples of which two pairs are joined at least, those of three first."""
    found = {
        (*sorted((x, a, b)),): sum(p in near[q] for p, q in combinations((x, a, b), 2))
        for x, own in near.items()
        for a, b in combinations(sorted(own), 2)
    }
    return sorted(found, key=lambda each: (-found[each], each))
