"""Which columns say what rows are: taken out of the table before anything is made of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import Column, Levels
from dagscape.data.interventions import Interventions
from dagscape.data.kinds import as_numbers
from dagscape.data.labels import natural_order, spell_numbers
from dagscape.data.rows import Belonging, Rows, Subjects, SurveyWeights, Weights
from dagscape.errors import DataError, ParameterError
from dagscape.speech import setting
from dagscape.variables import suggest
from dagscape.words import counted

LEAST_OF_GROUP = 10
"""A group of fewer rows is not worth parameters of its own."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The settings that say what rows are; the columns by name."""

    rows_independent: bool | None = None
    weights: str | None = None
    survey_weights: str | None = None
    clusters: str | None = None
    groups: str | None = None
    interventions: Interventions | None = None

    @classmethod
    def check(cls, **given: Any) -> Roles:
        """Return what was given, or say what is wrong with it."""
        said = given.get("rows_independent")
        if said is not None and not isinstance(said, bool):
            name = setting("rows_independent")
            raise ParameterError(f"{name} must be True, False or None, got {said!r}")
        used: dict[str, str] = {}
        for role in COLUMNS:
            column = given.get(role)
            if column is None:
                continue
            if not isinstance(column, str):
                raise ParameterError(
                    f"{setting(role)} must be the name of a column, got {type(column).__name__}; "
                    "put the values into the table as a column and name it"
                )
            if column in used:
                raise ParameterError(
                    f'{setting(used[column])} and {setting(role)} both name "{column}"; a column '
                    "says one thing of the rows"
                )
            used[column] = role
        done = given.get("interventions")
        if not isinstance(done, Interventions | None):
            raise ParameterError(
                f"{setting('interventions')} must be ds.Interventions(column=...) or "
                f"ds.Interventions(conditions=...), got {type(done).__name__}"
            )
        for column in () if done is None else done.columns:
            if column in used:
                raise ParameterError(
                    f'{setting(used[column])} and {setting("interventions")} both name "{column}"; '
                    "a column says one thing of the rows"
                )
        if given.get("weights") is not None and given.get("survey_weights") is not None:
            raise ParameterError(
                f"{setting('weights')} and {setting('survey_weights')} are both given; weights are "
                "how often a row occurs, survey weights for how much it stands: give one of them"
            )
        return cls(**given)

    @property
    def given(self) -> tuple[str, ...]:
        """The settings that say anything."""
        return tuple(each.name for each in fields(self) if getattr(self, each.name) is not None)

    @property
    def columns(self) -> list[str]:
        """The columns that say what rows are."""
        said = [name for role in COLUMNS if (name := getattr(self, role)) is not None]
        done = () if self.interventions is None else self.interventions.columns
        return [*said, *done]

    def also(self, wanted: Sequence[str] | None) -> Sequence[str] | None:
        """Return the columns to be read, these among them; None for all."""
        if wanted is None:
            return None
        return list(dict.fromkeys([*wanted, *self.columns]))

    def apart(
        self, columns: Sequence[Column], states: Mapping[str, Sequence[str]]
    ) -> tuple[list[Column], Rows]:
        """Return the columns that are variables, and what the others say of the rows.

        Parameters
        ----------
        columns
            All columns.
        states
            Those that were declared, by variable: what experiments set need not be in any row.
        """
        names = [column.name for column in columns]
        by_name = dict(zip(names, columns, strict=True))
        said: dict[str, Any] = {}
        for role, read in COLUMNS.items():
            name = getattr(self, role)
            if name is None:
                continue
            if name not in by_name:
                raise ParameterError(
                    f'{setting(role)} names "{name}", which is not a column{suggest(name, names)}'
                )
            said[role] = read(by_name.pop(name))
        if self.interventions is not None:
            said["interventions"] = self.interventions.read(by_name, states)
        if not by_name:
            raise DataError("every column says what the rows are; none is left as a variable")
        return _counting(list(by_name.values()), Rows(self.rows_independent, **said))


def _counting(columns: list[Column], rows: Rows) -> tuple[list[Column], Rows]:
    """Return the table without rows that count for nothing."""
    weights = rows.times if rows.survey_weights is None else rows.survey_weights.values
    if weights is None or len(weights) == 0 or weights.all():
        return columns, rows
    counts = weights > 0
    return [column.keep(counts) for column in columns], rows.take(counts)


def _frequencies(column: Column) -> Weights:
    values = _weights(column, "weights")
    whole = np.equal(values, np.floor(values))
    if not whole.all():
        row = int((~whole).argmax())
        raise DataError(
            f'{setting("weights")} names "{column.name}", which has {values[row]:g} in row '
            f"{row + 1}; weights are how often a row occurs, whole numbers (for how much a row "
            f"stands, as in a survey, give {setting('survey_weights')})"
        )
    if values.max() > 2**53 or values.sum() > 2**62:
        raise DataError(f'the weights of column "{column.name}" are too large to be counted')
    return Weights(column.name, values.astype(np.int64))


def _survey_weights(column: Column) -> SurveyWeights:
    return SurveyWeights(column.name, _weights(column, "survey_weights"))


def _weights(column: Column, role: str) -> NDArray[np.float64]:
    """Return a number of 0 or more for each row, not all 0."""
    said = f'{setting(role)} names "{column.name}"'
    if isinstance(column, Levels):
        if column.labels and not spell_numbers(column.labels):
            word = next(label for label in column.labels if not spell_numbers([label]))
            raise DataError(f'{said}, which has "{word}"; weights are numbers')
        column = as_numbers(column)
    values = column.values
    if column.missing().any():
        row = int(column.missing().argmax())
        raise DataError(
            f"{said}, which has no value in row {row + 1}; give every row a weight, 0 to leave it "
            "out"
        )
    wrong = (values < 0) | np.isinf(values)
    if wrong.any():
        row = int(wrong.argmax())
        raise DataError(
            f"{said}, which has {values[row]:g} in row {row + 1}; a weight is 0 or more, and finite"
        )
    if len(values) and not values.any():
        raise DataError(f"{said}, which is 0 in every row; a row with weight 0 counts for nothing")
    return values


def _clusters(column: Column) -> Subjects:
    found = _belonging(column, "clusters")
    many, rows = len(found.labels), len(found.codes)
    if many == rows:
        raise DataError(
            f'{setting("clusters")} names "{column.name}", which differs in every row: no two rows '
            "belong together; leave the setting away, and the column out"
        )
    return Subjects(found.column, found.labels, found.codes)


def _groups(column: Column) -> Belonging:
    found = _belonging(column, "groups")
    said, many = f'{setting("groups")} names "{column.name}"', len(found.labels)
    if many == len(found.codes):
        raise DataError(
            f"{said}, which differs in every row; a group needs {LEAST_OF_GROUP} rows at least, to "
            "have parameters of its own"
        )
    sizes = np.bincount(found.codes, minlength=many)
    if sizes.min() < LEAST_OF_GROUP:
        few = int(sizes.argmin())
        raise DataError(
            f'{said}, and "{found.labels[few]}" has {counted(int(sizes[few]), "row")}; a group '
            f"needs {LEAST_OF_GROUP} at least, to have parameters of its own: join it with another "
            "or leave its rows out"
        )
    return found


def _belonging(column: Column, role: str) -> Belonging:
    """Return which rows have the same value; there must be one in each, and two at least."""
    said = f'{setting(role)} names "{column.name}"'
    if column.missing().any():
        row = int(column.missing().argmax())
        raise DataError(
            f"{said}, which has no value in row {row + 1}; say what the row belongs to, or leave "
            "it out"
        )
    if isinstance(column, Levels):
        seen = np.bincount(column.codes, minlength=len(column.labels)) > 0
        own = [label for label, there in zip(column.labels, seen, strict=True) if there]
        relabeled = column.relabel(tuple(natural_order(own)), declared=True)
        labels, codes = relabeled.labels, relabeled.codes.astype(np.intp)
    else:
        distinct, codes = np.unique(column.values, return_inverse=True)
        labels = tuple(f"{value:.17g}" for value in distinct)
        codes = codes.astype(np.intp)
    if len(labels) == 1:
        raise DataError(
            f'{said}, which is "{labels[0]}" in every row; that tells nothing apart: leave the '
            "setting away, and the column out"
        )
    return Belonging(column.name, labels, codes)


ROLES = tuple(each.name for each in fields(Roles))
"""What is said of rows, by settings."""

COLUMNS = {
    "weights": _frequencies,
    "survey_weights": _survey_weights,
    "clusters": _clusters,
    "groups": _groups,
}
"""How the column of each setting is read."""
