"""What the rows of a table are: how often each occurs, whose it is, where it comes from.

Columns that say so are named when the table is made, and are no variables. What they say is kept
in one value, :class:`Rows`, which goes wherever the rows go: whoever takes rows of a table takes
the same of each of its facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dagscape.data.before import Before
from dagscape.data.experiments import Experiments
from dagscape.data.series_shape import SeriesShape
from dagscape.notes import Note

Places: TypeAlias = "NDArray[Any] | slice"
"""Rows by their numbers, by a mark for each, or as a slice."""


class Fact(Protocol):
    """What a column says of every row."""

    @property
    def words(self) -> dict[str, Any]:
        """The same as plain values, short: for results and pages."""
        ...

    def take(self, rows: Places) -> Self:
        """Return what is said of these rows."""
        ...

    def digest(self) -> bytes:
        """Return bytes that differ where anything differs."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """How often each row occurs, by a column of whole numbers."""

    column: str
    times: NDArray[np.int64] | None = None
    """None where every row is written out as often as it occurs."""

    @property
    def words(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"column": self.column}

    def take(self, rows: Places) -> Weights:
        """Return the weights of these rows."""
        return self if self.times is None else replace(self, times=self.times[rows])

    def digest(self) -> bytes:
        """Return bytes that differ where weights do; rows that are written out have none."""
        return b"" if self.times is None else self.times.astype("<i8").tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class SurveyWeights:
    """For how much each row stands, by a column of numbers above or equal to 0."""

    column: str
    values: NDArray[np.float64]

    @property
    def effective_rows(self) -> float:
        """(Σw)² / Σw²: how many rows of equal weights would tell as much (Kish 1965)."""
        return float(self.values.sum() ** 2 / (self.values**2).sum())

    @property
    def words(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"column": self.column, "effective_rows": round(self.effective_rows, 1)}

    def take(self, rows: Places) -> SurveyWeights:
        """Return the weights of these rows."""
        return replace(self, values=self.values[rows])

    def digest(self) -> bytes:
        """Return bytes that differ where weights do."""
        return self.values.astype("<f8").tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Belonging:
    """What each row belongs to: a subject, a site."""

    column: str
    labels: tuple[str, ...]
    codes: NDArray[np.intp]
    """Of each row, its place among the labels."""

    @property
    def different(self) -> int:
        """How many different values occur."""
        return len(np.unique(self.codes))

    @property
    def words(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"column": self.column, "different": self.different}

    def take(self, rows: Places) -> Belonging:
        """Return what these rows belong to."""
        return replace(self, codes=self.codes[rows])

    def digest(self) -> bytes:
        """Return bytes that differ where rows belong together otherwise."""
        return "\0".join(self.labels).encode() + self.codes.astype("<i8").tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Subjects(Belonging):
    """Whose each row is, and what that makes of the rows as evidence."""

    effect: float = 1.0
    """The design effect: so many rows tell as much as one independent row would. It is estimated
    from the whole table, and kept where rows or columns are taken of it."""
    alike: tuple[str, ...] = ()
    """The two columns that are most alike within subjects, of which it is the effect."""

    @property
    def words(self) -> dict[str, Any]:
        """The same as plain values."""
        effect = {"design_effect": round(self.effect, 3), "most_alike": list(self.alike)}
        return {"column": self.column, "different": self.different, **effect}

    def digest(self) -> bytes:
        """Return bytes that differ where rows belong together otherwise, or count otherwise."""
        return Belonging.digest(self) + np.float64(self.effect).tobytes()


MOST_UNITS = 2**31
"""Whole numbers that stand for survey weights add up to as much."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What is said of the rows of a table; None where nothing is.

    A further kind of fact is a field here, in ``FACTS``, and a column of ``data/roles.py``.
    """

    independent: bool | None = None
    """Whether they are independent of each other."""
    weights: Weights | None = None
    survey_weights: SurveyWeights | None = None
    clusters: Subjects | None = None
    groups: Belonging | None = None
    interventions: Experiments | None = None
    series: SeriesShape | None = None
    before: Before | None = None
    """What cells were before they were cut or filled, where that is known; no column says it."""

    @property
    def facts(self) -> Mapping[str, Fact]:
        """What columns say, by the name of the setting that names the column."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: said[name] for name in FACTS if said[name] is not None}

    @property
    def given(self) -> tuple[str, ...]:
        """Columns that are taken as given: of the past, known ahead, or set in every row.

        They have no parents, and no score of their own.
        """
        series, done = self.series, self.interventions
        return (
            *(() if series is None else series.free),
            *(() if done is None else done.always_set),
        )

    @property
    def times(self) -> NDArray[np.int64] | None:
        """How often each row occurs; None where rows are written out."""
        return None if self.weights is None else self.weights.times

    @property
    def each(self) -> NDArray[np.float64] | None:
        """What each row that is stored counts for, in cases; None where every row is one."""
        own, unit = self.counted
        if own is not None:
            return own.astype(np.float64) * unit
        return None if self.clusters is None else np.full(len(self.clusters.codes), unit)

    @property
    def counted(self) -> tuple[NDArray[np.uint32] | None, float]:
        """Whole numbers for the rows, None for 1 each, and what one of them is of a case."""
        survey = self.survey_weights
        shared = 1.0 if self.clusters is None else 1 / self.clusters.effect
        if survey is None:
            return None if self.times is None else self.times.astype(np.uint32), shared
        whole = np.maximum(1, np.rint(survey.values * (MOST_UNITS / survey.values.sum())))
        return whole.astype(np.uint32), shared * survey.effective_rows / float(whole.sum())

    def take(self, rows: Places) -> Rows:
        """Return what is said of these rows."""
        before = None if self.before is None else self.before.take(rows)
        taken = {name: fact.take(rows) for name, fact in self.facts.items()}
        return self.but(**taken, before=before)

    def of(self, names: Sequence[str]) -> Rows:
        """Return what is said of the rows of a table with some of the columns."""
        done, series, before = self.interventions, self.series, self.before
        return replace(
            self,
            before=None if before is None else before.of(names),
            interventions=None if done is None else done.of_variables(names),
            series=None if series is None else series.of(names),
        )

    def since(self, before: Before | None) -> Rows:
        """Return the same, where cells were something else before."""
        if before is None:
            return self
        return self.but(before=before if self.before is None else self.before.also(before))

    def but(self, **changes: Any) -> Rows:
        """Return the same with some facts replaced."""
        return replace(self, **changes)

    @property
    def words(self) -> dict[str, Any]:
        """What columns say, as plain values."""
        return {name: fact.words for name, fact in self.facts.items()}

    def notes(self, n_rows: int) -> Iterator[Note]:
        """Yield what columns say, for readers."""
        rows = {"rows": n_rows}
        if self.weights is not None:
            yield Note("weights", self.weights.column, counts=rows)
        if (survey := self.survey_weights) is not None:
            effective = {"effective": int(survey.effective_rows)}
            yield Note("survey_weights", survey.column, counts=rows | effective)
        if (own := self.clusters) is not None:
            worth = n_rows if self.survey_weights is None else self.survey_weights.effective_rows
            counts = {"clusters": own.different, "effective": int(worth / own.effect)}
            yield Note("clusters", own.column, counts=rows | counts, examples=own.alike)
        if self.groups is not None:
            different = {"groups": self.groups.different}
            yield Note("groups", self.groups.column, counts=rows | different)
        if (done := self.interventions) is not None:
            targets = len({name for each in done.targets for name in each})
            free = sum(n for n, each in zip(done.sizes, done.targets, strict=True) if not each)
            counts = {"experiments": len(done.labels), "targets": targets, "observed": int(free)}
            yield Note("interventions", counts=rows | counts, examples=done.columns)
            for name in done.always_set:
                yield Note("always_set", name, counts=rows)

    def digest(self) -> bytes:
        """Return bytes that differ where anything does that changes an answer."""
        said = ((name, fact.digest()) for name, fact in self.facts.items())
        return b"".join(name.encode() + own for name, own in said if own)


FACTS = ("weights", "survey_weights", "clusters", "groups", "interventions", "series")
"""What columns may say of rows, by the settings that name them."""
