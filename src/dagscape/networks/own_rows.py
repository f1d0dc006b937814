"""What was seen where somebody did set the cause: rows of experiments, beside what networks say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.intervals import t_quantile, wilson
from dagscape.words import counted, listed

if TYPE_CHECKING:
    from dagscape.data import Data

Interval = tuple[float, float, float]
Values = NDArray[np.float64]
LEVEL = 0.95


@dataclass(frozen=True)
class OwnRows:
    """The outcome where one experiment set the cause to one value, or to many."""

    experiment: str
    state: str
    """What the cause was set to; "" where it took several numbers."""
    rows: int
    outcomes: tuple[Interval, ...]
    """Of each state of the outcome the share of the rows, and both ends of its interval; of numbers
    the mean. Where the cause took several numbers, by how much that rises for each unit of it. Not
    a number where rows are too few to tell."""
    also: tuple[str, ...] = ()
    """What the experiment set beside the cause, so that it is not the cause alone that acts."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        means, lower, upper = (
            [end if math.isfinite(end) else None for end in ends]
            for ends in zip(*self.outcomes, strict=True)
        )
        return {
            "experiment": self.experiment,
            "state": self.state or None,
            "also": list(self.also),
            "rows": self.rows,
            "shares" if self.state else "slopes": means,
            "lower": lower,
            "upper": upper,
        }

    def words(self, outcomes: tuple[str, ...]) -> str:
        """Return it in a line."""
        digits = ".3f" if outcomes and self.state else ".4g"
        each = [
            f"{label} {_words(*found, digits)}".lstrip()
            for label, found in zip(outcomes or ("",), self.outcomes, strict=True)
        ]
        said = "  ".join(each)
        said = f"{self.state}  {said}" if self.state else f"for each unit  {said}"
        also = f"; {listed(self.also)} set too" if self.also else ""
        return f"{said} ({self.experiment}, {counted(self.rows, 'row')}{also})"


def own_rows(table: Data, cause: str, outcome: str, level: float = LEVEL) -> tuple[OwnRows, ...]:
    """Return what experiments that set the cause saw of the outcome, where that was free.

    Of shares intervals are Wilson's, of means Student's; of slopes they are those of a regression
    on the cause alone, without asking for equal scatter. A shifted cause still obeys its own
    causes, and was not set.
    """
    done = table.rows.interventions
    found: list[OwnRows] = []
    if done is None or table.rows.each is not None:  # each row is one case here, and no less
        return ()
    for number, (label, targets) in enumerate(zip(done.names, done.targets, strict=True)):
        if targets.get(cause, "shifted") == "shifted" or outcome in targets:
            continue
        here = np.flatnonzero(done.codes == number)
        also = tuple(x for x, how in targets.items() if x != cause and how != "shifted")
        for state, rows in _by_value(table, cause, here):
            each = (
                _slopes(table, cause, outcome, rows, level)
                if state is None
                else _means(table, outcome, rows, level)
            )
            found.append(OwnRows(label, state or "", len(rows), tuple(each), also))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class ExperimentRows:
    """What a table of experiments saw, for a network that was fitted to it."""

    table: Data
    done: Mapping[str, object] = field(default_factory=dict)
    """What somebody sets in the network."""

    def where(self, done: Mapping[str, object]) -> ExperimentRows:
        """Return the same for the network in which this is set, too."""
        return ExperimentRows(self.table, {**self.done, **done})

    def of(self, outcome: str) -> tuple[OwnRows, ...]:
        """Return what was seen of the outcome where an experiment set just this to just that."""
        table, experiments = self.table, self.table.rows.interventions
        known = {outcome, *self.done} <= {*table.names} and outcome not in self.done
        if experiments is None or not known or not self.done or table.rows.each is not None:
            return ()
        same = np.ones(table.n_rows, dtype=bool)
        for cause, value in self.done.items():
            same &= table.column(cause) == _as_in(table, cause, value)
        found = []
        each = zip(experiments.names, experiments.targets, strict=True)
        for number, (label, targets) in enumerate(each):
            rows = np.flatnonzero(same & (experiments.codes == number))
            if {*targets} == {*self.done} and "shifted" not in targets.values() and len(rows):
                state = ", ".join(
                    f"{value:g}" if isinstance(value, float) else str(value)
                    for value in self.done.values()
                )
                means = tuple(_means(table, outcome, rows, LEVEL))
                found.append(OwnRows(label, state, len(rows), means))
        return tuple(found)

    def words(self, outcome: str, found: Sequence[OwnRows]) -> tuple[str, ...]:
        """Return what was found in lines."""
        if not found:
            return ()
        states = tuple(self.table.states[outcome])
        were = "was" if len(self.done) == 1 else "were"
        what = (
            f"rows in which {listed([*self.done])} {were} set, with {100 * LEVEL:.0f} % intervals:"
        )
        return (what, *(f"  {each.words(states)}" for each in found))


def answer_claim(draws: tuple[int, float] | None) -> str:
    """Say how an answer was found: exactly, or from so many samples that are worth so many."""
    if draws is None:
        return "exact"
    drawn, worth = draws
    return (
        f"estimated from {counted(drawn, 'weighted sample')}, "
        f"worth {worth:,.0f} samples of what was given"
    )


class BesideOwnRows:
    """An answer of a network, with what was seen where an experiment set the same."""

    __slots__ = ("_own_rows", "_own_words")
    _own_rows: tuple[OwnRows, ...]
    _own_words: tuple[str, ...]

    @property
    def own_rows(self) -> tuple[OwnRows, ...]:
        """What was seen where an experiment did set what ``net.do`` sets, and nothing is given.

        Of a network that :func:`fit` made of a table with ``interventions=``; else nothing.
        """
        return getattr(self, "_own_rows", ())

    @property
    def own_words(self) -> tuple[str, ...]:
        """The same in lines."""
        return getattr(self, "_own_words", ())

    def _own_values(self) -> dict[str, Any]:
        """Return them as plain values, where there are such."""
        own = [each.to_dict() for each in self.own_rows]
        return {"own_rows": own} if own else {}

    def _show_beside(self, seen: ExperimentRows, outcome: str) -> None:
        self._own_rows = seen.of(outcome)
        self._own_words = seen.words(outcome, self._own_rows)


def _as_in(table: Data, cause: str, value: object) -> object:
    """Return a value as the column has it: a number, or the code of a state; -1 for none of it."""
    if cause in table.numbers:
        return value
    states = table.states[cause]
    return states.index(value) if isinstance(value, str) and value in states else -1


def _by_value(
    table: Data, cause: str, here: NDArray[np.intp]
) -> Iterator[tuple[str | None, NDArray[np.intp]]]:
    """Yield each value that the cause has in some rows, with these; None for several numbers."""
    if cause in table.numbers:
        values = table.numbers[cause][here]
        here, values = here[~np.isnan(values)], values[~np.isnan(values)]
        if len(here):
            yield (f"{values[0]:g}" if (values == values[0]).all() else None), here
        return
    codes = table.column(cause)[here]
    for code, state in enumerate(table.states[cause]):
        if (codes == code).any():
            yield state, here[codes == code]


def _means(table: Data, outcome: str, rows: NDArray[np.intp], level: float) -> Iterator[Interval]:
    if outcome in table.numbers:
        yield _mean(_known(table.numbers[outcome][rows]), level)
        return
    states = len(table.states[outcome])
    counts = np.bincount(table.column(outcome)[rows], minlength=states)[:states]
    for count in counts:
        yield _share(int(count), int(counts.sum()), level)


def _slopes(
    table: Data, cause: str, outcome: str, rows: NDArray[np.intp], level: float
) -> Iterator[Interval]:
    x = table.numbers[cause][rows]
    if outcome in table.numbers:
        y = table.numbers[outcome][rows]
        there = ~np.isnan(y)
        yield _slope(x[there], y[there], level)
        return
    codes = table.column(outcome)[rows]
    for code in range(len(table.states[outcome])):
        yield _slope(x, (codes == code).astype(np.float64), level)


def _known(values: Values) -> Values:
    return np.asarray(values[~np.isnan(values)])


def _mean(values: Values, level: float) -> Interval:
    """Return a mean with Student's interval."""
    if len(values) < 2:
        return (float(values.mean()) if len(values) else math.nan), math.nan, math.nan
    mean = float(values.mean())
    half = t_quantile(len(values) - 1, level) * float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def _slope(x: Values, y: Values, level: float) -> Interval:
    """Return by how much y rises with x, with the interval of HC3 (Long and Ervin 2000)."""
    if len(x) < 3 or (x == x[0]).all():
        return math.nan, math.nan, math.nan
    off = x - x.mean()
    size = float(off @ off)
    slope = float(off @ y) / size
    leverage = 1 / len(x) + off**2 / size
    left = (y - y.mean() - slope * off) / np.maximum(1 - leverage, 0.1)
    half = t_quantile(len(x) - 2, level) * math.sqrt(float((off * left) @ (off * left))) / size
    return slope, slope - half, slope + half


def _share(count: int, rows: int, level: float) -> Interval:
    """Return a share with Wilson's interval."""
    if not rows:
        return math.nan, math.nan, math.nan
    low, high = wilson(count / rows, rows, level)
    return count / rows, float(low), float(high)


def _words(mean: float, low: float, high: float, digits: str) -> str:
    mean_, low_, high_ = (
        "?" if math.isnan(end) else f"{end:{digits}}" for end in (mean, low, high)
    )
    return f"{mean_} [{low_}, {high_}]"
