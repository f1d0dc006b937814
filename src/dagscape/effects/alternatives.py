"""What effects of states and of numbers share: answers by alternative, weighed or side by side."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from dagscape.errors import ParameterError
from dagscape.landscape import as_frame
from dagscape.shows_itself import ShowsItself
from dagscape.words import counted, listed

if TYPE_CHECKING:
    from dagscape.networks.nodes.table import Table
    from dagscape.networks.own_rows import OwnRows


@dataclass(frozen=True, eq=False)
class Alternative:
    """What the effect is if the cause has just these parents."""

    parents: tuple[str, ...]
    """The direct causes of the cause; adjusting for them gives the effect."""
    probability: float | None
    """How probable these parents are; None where only a class of networks is known."""
    effect: bool
    """Whether there is a directed path from cause to outcome; if not, setting the cause does
    nothing."""
    draws: Table
    """The effect for parameters that were drawn. Of a cause with states, by draw and its state, the
    probabilities of the outcome's states, or its mean if it holds numbers; of a cause of numbers,
    by how much these rise for each unit of it."""
    adjusted: Table
    """The same by regression on the cause and its parents, whether or not there is a path."""

    @property
    def mean(self) -> Table:
        """The mean of the draws: a row for each state of the cause; of numbers, one slope."""
        return mean_of(self.draws)


@dataclass(frozen=True, eq=False, kw_only=True)
class AveragedEffect(ShowsItself, ABC):
    """What happens to an outcome if somebody sets a cause, by the parents of the cause."""

    cause: str
    outcome: str
    outcome_states: tuple[str, ...] = ()
    """Empty if the outcome holds numbers."""
    alternatives: tuple[Alternative, ...]
    """By the parents of the cause, the most probable first."""
    source: str
    """What the networks are from."""
    open: float | None
    """The share of the networks of whose class data cannot tell what the effect is: other members
    of it have other parents of the cause. No number of rows changes what these weigh among each
    other; the prior alone does. None where only a class is known."""
    level: float = 0.95
    """How much of the draws lies between lower and upper."""
    cut: tuple[str, ...] = ()
    """Other columns of numbers that were cut into states."""
    adjusted_for: tuple[tuple[tuple[str, ...], float], ...] = ()
    """What the adjusted interval is adjusted for, and in what share of the networks; the most
    frequent first. Networks in which the outcome is above the cause have nothing."""
    ruled_out: bool = False
    """Whether knowledge lets no directed path lead from cause to outcome in any network."""
    rows_independent: bool = True
    """Whether the rows are independent, as far as can be told; if not, intervals are too narrow."""
    own_rows: tuple[OwnRows, ...] = ()
    """What was seen in rows in which an experiment set the cause, where the table has such."""

    @property
    def own_words(self) -> tuple[str, ...]:
        """The same in sentences: no network has a part in them."""
        lines = [each.words(self.outcome_states) for each in self.own_rows]
        return (f"rows in which {self.cause} was set:", *lines) if lines else ()

    @property
    def weighted(self) -> bool:
        """Whether the alternatives have probabilities."""
        return self.alternatives[0].probability is not None

    @property
    def draws(self) -> Table:
        """All draws of the effect, in the share of the alternatives' probabilities.

        Without probabilities, those of all alternatives, one after the other.
        """
        return np.concatenate(self._drawn(POSTERIOR))

    def _drawn(self, interval: str) -> list[Table]:
        """Return the draws of each alternative, of the interval of this name."""
        if not isinstance(interval, str) or interval not in INTERVALS:
            known = " or ".join(f'"{name}"' for name in INTERVALS)
            raise ParameterError(f"interval must be {known}, got {interval!r}")
        own = interval == POSTERIOR
        return [each.draws if own else each.adjusted for each in self.alternatives]

    @property
    def adjusting(self) -> str | None:
        """What the adjusted interval is adjusted for, in a sentence; None where for nothing."""
        if not self.adjusted_for:
            return None
        told = [
            f"{listed(names) if names else 'nothing'}{f' ({share:.2f})' if share < 1 else ''}"
            for names, share in self.adjusted_for[:SHOWN_SETS]
        ]
        more = len(self.adjusted_for) - SHOWN_SETS
        told += [f"{counted(more, 'other set')}"] if more > 0 else []
        return f"adjusted for {'; '.join(told)}"

    @property
    def no_effect(self) -> float | None:
        """The probability that setting the cause does nothing; None without probabilities."""
        if not self.weighted:
            return None
        return float(sum(each.probability or 0.0 for each in self.alternatives if not each.effect))

    @property
    def paths(self) -> str | None:
        """In how many of the networks no directed path leads from cause to outcome, in a sentence.

        None where one does in all of them.
        """
        if self.ruled_out:
            return (
                f"by what was given as known, no directed path leads from {self.cause} to "
                f"{self.outcome}: setting {self.cause} changes nothing, whatever the rows say"
            )
        without = [each for each in self.alternatives if not each.effect]
        if not without:
            return None
        path = f"no directed path leads from {self.cause} to {self.outcome}"
        if self.no_effect is not None:
            return f"no effect at all: probability {self.no_effect:.3f} that {path}"
        if len(without) == len(self.alternatives):
            return f"{path}: setting {self.cause} changes nothing"
        return (
            f"in {len(without):,} of {counted(len(self.alternatives), 'answer')}, {path}: there, "
            f"setting {self.cause} changes nothing"
        )

    @property
    def cut_caution(self) -> str | None:
        """That columns that were cut are adjusted for only in part; None where none were."""
        if not self.cut:
            return None
        named = listed([*self.cut[:NAMED], *_more(len(self.cut) - NAMED)])
        was, they = ("was", "it") if len(self.cut) == 1 else ("were", "they")
        return (
            f"{named} {was} cut into intervals: if {they} influence{'s' * (they == 'it')} both "
            f"{self.cause} and {self.outcome}, part of that is left within the intervals, and the "
            "effect may be far off"
        )

    @property
    def cautions(self) -> tuple[str, ...]:
        """What makes the numbers say less than they seem to, in sentences."""
        return tuple(filter(None, (None if self.rows_independent else DEPENDENT, self.cut_caution)))

    @abstractmethod
    def frame(self, frame: str = "polars") -> Any:
        """Return the answer as a table, with lower and upper ends."""

    def by_structure(
        self, after: Any, before: Any, *, interval: str = "posterior", frame: str = "polars"
    ) -> Any:
        """Return the change of the outcome by each set of direct causes that the cause may have.

        How far the answer depends on the structure, which :meth:`difference` averages over: one row
        for each of :attr:`alternatives`, the most probable first, and for each state of an outcome
        that has states.

        Parameters
        ----------
        after, before
            What the cause is set to, and what it is compared with.
        interval
            "posterior" or "adjusted", as in :meth:`difference`.
        frame
            "polars", "pandas", "pyarrow", or "dict" for lists.

        Returns
        -------
        table
            Columns ``parents`` (joined by commas), ``probability``, ``path`` (whether the cause
            leads to the outcome), ``state`` if the outcome has states, ``mean``, ``lower`` and
            ``upper``.
        """
        states = getattr(self, "outcome_states", ())
        rows = []
        changes = self._differences(after, before, interval)
        for one, change in zip(self.alternatives, changes, strict=True):
            told = [np.atleast_1d(each) for each in _middle_and_ends(change, self.level)]
            for i, state in enumerate(states or [None]):
                numbers = (float(each[i]) if np.isfinite(each[i]) else None for each in told)
                about = [", ".join(one.parents), one.probability, one.effect]
                rows.append([*about, *([state] if states else []), *numbers])
        numbers_of = {"probability": pl.Float64, "path": pl.Boolean}
        numbers_of |= dict.fromkeys(("mean", "lower", "upper"), pl.Float64)
        names = ["parents", "probability", "path", *(["state"] if states else [])]
        columns = zip(*rows, strict=True)
        return as_frame(
            {
                name: pl.Series(name, cells, dtype=numbers_of.get(name, pl.String))
                for name, cells in zip([*names, "mean", "lower", "upper"], columns, strict=True)
            },
            frame,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it but the draws, as JSON can have it."""
        return {
            "cause": self.cause,
            "outcome": self.outcome,
            "claim": self.claim,
            "level": self.level,
            "no_effect": self.no_effect,
            "open": self.open,
            "adjusted_for": [
                {"variables": list(names), "share": share} for names, share in self.adjusted_for
            ],
            "caution": self.caution,
            "paths": self.paths,
            "cut": list(self.cut),
            "cut_caution": self.cut_caution,
            "rows_independent": self.rows_independent,
            "cautions": list(self.cautions),
            "effect": self.frame("polars").to_dicts(),
            "alternatives": [
                {
                    "parents": list(one.parents),
                    "probability": one.probability,
                    "effect": one.effect,
                    "mean": _plain(mean_of(self._possible(one.draws))),
                }
                for one in self.alternatives
            ],
            "own_rows": [each.to_dict() for each in self.own_rows],
        }

    @property
    def claim(self) -> str:
        """What the numbers are, and what they take for granted."""
        return "; ".join(self._claims())

    @property
    def caution(self) -> str | None:
        """What more rows would not settle, in a sentence; None where nothing is of that kind."""
        if not self.open:
            return None
        return (
            f"{100 * self.open:.0f} % of the networks leave the effect open: other members of "
            "their class give other answers. Between these the prior decides, and more rows would "
            "not help"
        )

    def _told_by(self, some: list[Table]) -> tuple[Table | None, Table, Table]:
        """Return mean, lower and upper end of what the draws of the alternatives say.

        Without weights no mean, unless there is one alternative, and the widest interval.
        """
        if self.weighted:
            some = [np.concatenate(some)]
        tails = ((1 - self.level) / 2, (1 + self.level) / 2)
        low = np.min([_end(one, tails[0], -np.inf) for one in some], axis=0)
        high = np.max([_end(one, tails[1], np.inf) for one in some], axis=0)
        mean = mean_of(some[0]) if len(some) == 1 else None
        return mean, np.asarray(low), np.asarray(high)

    def _ends(self, interval: str) -> tuple[Table | None, Table, Table]:
        """Return mean, lower and upper end of the effect, by the interval of this name."""
        return self._told_by([self._possible(one) for one in self._drawn(interval)])

    def _possible(self, draws: Table) -> Table:
        """Return draws of the effect as what it can be."""
        return draws

    def _columns(self, name: str) -> dict[str, pl.Series]:
        """Return the middles and ends of both intervals, one row for each number."""
        columns: dict[str, Any] = {}
        for interval in INTERVALS:
            mean, low, high = self._ends(interval)
            before = "" if interval == POSTERIOR else f"{interval}_"
            columns[name if interval == POSTERIOR else interval] = mean
            columns |= {f"{before}lower": low, f"{before}upper": high}
        size = columns["lower"].size
        return {
            key: pl.Series(
                key, [None] * size if cells is None else np.ravel(cells), dtype=pl.Float64
            )
            .replace([math.inf, -math.inf], None)
            .fill_nan(None)
            for key, cells in columns.items()
        }

    def _claims(self) -> list[str]:
        ways = counted(len(self.alternatives), "set") + f" of direct causes of {self.cause}"
        if self.weighted:
            average = f"averaged over {ways}, by their probability"
        else:
            average = f"for each of {ways} that the data cannot tell apart"
        return [
            average,
            self.source,
            SHRINKS,
            ASSUMED,
        ]

    @abstractmethod
    def _differences(self, after: Any, before: Any, interval: str) -> list[Table]:
        """Return the draws of the change, of each alternative."""

    @abstractmethod
    def _answer(self) -> list[str]:
        """Return the answer in lines."""

    @abstractmethod
    def _asked(self) -> str:
        """Return what each of the answers one by one is about."""

    @abstractmethod
    def _told(self, one: Alternative) -> str:
        """Return one of them in words."""

    def __repr__(self) -> str:
        ways = counted(len(self.alternatives), "alternative")
        return f"<{type(self).__name__} of {self.cause} on {self.outcome}: {ways}; print it>"

    def __str__(self) -> str:
        lines = [*self._answer(), *self.own_words[:1]]
        lines += [f"  {line}" for line in self.own_words[1:]]
        lines += [*filter(None, (self.adjusting, self.paths, self.caution)), *self.cautions]
        return "\n".join([*lines, *self._answers_apart(), *self._claims()])

    def _answers_apart(self) -> list[str]:
        """Return a line for each alternative that counts, where there are several."""
        some = [each for each in self.alternatives if (each.probability or 1.0) >= COUNTS]
        if len(some) < 2:
            return []
        lines = [f"the answers one by one, {self._asked()}:"]
        ways = [one.parents for one in some]
        for one in some[:SHOWN]:
            apart = ways.count(one.parents) > 1 and not one.effect
            path = f" and no path leads to {self.outcome}" if apart else ""
            causes = listed(one.parents) if one.parents else "nothing"
            verb = "cause" if len(one.parents) > 1 else "causes"
            weight = "" if one.probability is None else f" (probability {one.probability:.2f})"
            lines.append(f"  if {causes} {verb} {self.cause}{path}{weight}: {self._told(one)}")
        if len(some) > SHOWN:
            lines.append(f"  and {len(some) - SHOWN} more")
        return lines


def _middle_and_ends(draws: Table, level: float) -> tuple[Table, Table, Table]:
    """Return mean, lower and upper end of draws."""
    low, high = (1 - level) / 2, (1 + level) / 2
    return mean_of(draws), _end(draws, low, -np.inf), _end(draws, high, np.inf)


def _end(draws: Table, share: float, unknown: float) -> Table:
    """Return an end of an interval; where rows do not tell, a draw may be anything."""
    told = np.where(np.isnan(draws), unknown, draws)
    if np.isfinite(told).all():
        return np.asarray(np.quantile(told, share, axis=0))
    # Between a number and no end there is nothing: take the one beyond.
    if unknown < 0:
        return np.asarray(np.quantile(told, share, axis=0, method="lower"))
    return np.asarray(np.quantile(told, share, axis=0, method="higher"))


def mean_of(draws: Table) -> Table:
    """Return the mean of the draws that rows tell; NaN where they tell nothing."""
    told = ~np.isnan(draws)
    total = np.where(told, draws, 0.0).sum(axis=0)
    many = told.sum(axis=0)
    return np.asarray(np.divide(total, many, out=np.full_like(total, np.nan), where=many > 0))


def _plain(values: Table) -> Any:
    """Return numbers as JSON has them: None in the place of NaN."""
    found = values.astype(object)
    found[np.isnan(values)] = None
    return found.tolist()


def words_of(ends: Iterable[float | None], digits: str) -> str:
    """Return a mean with both ends of its interval; "?" stands for an end that is not known."""
    mean, low, high = ends
    middle = "" if mean is None or not math.isfinite(mean) else f"{mean:{digits}} "
    told = [
        "?" if end is None or not math.isfinite(end) else f"{end:{digits}}" for end in (low, high)
    ]
    return f"{middle}[{', '.join(told)}]"


def _more(many: int) -> list[str]:
    return [f"{many:,} more"] if many > 0 else []


POSTERIOR = "posterior"
INTERVALS = (POSTERIOR, "adjusted")
"""The posterior's, and that of adjusting for the cause's parents."""

SHRINKS = (
    "the posterior's interval shrinks toward no effect, as networks in which no path leads to the "
    "outcome say none; the adjusted one is by regression on the cause, its parents and the "
    "outcome's own, in each network, path or not"
)
"""How the two differ."""

ASSUMED = (
    "right if the arcs are causes, no common cause of the variables is missing, and no row is in "
    "the table, or left out of it, because of what they cause"
)
"""What data cannot show: causes, hidden common causes, selection."""

DEPENDENT = (
    "the rows seem to depend on each other: the effect is less certain than its intervals say, and "
    "may be chance"
)

NAMED = 3
"""Columns to name."""

COUNTS = 0.05
"""Alternatives that are less probable are not shown by themselves."""

SHOWN = 8
"""Alternatives that are shown."""

SHOWN_SETS = 3
"""Sets of variables adjusted for that are shown."""
