"""What experiments did to the rows of a table, as the user says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import Column, Levels, code_type
from dagscape.data.experiments import NONE, Experiments
from dagscape.data.labels import spell_numbers
from dagscape.errors import DataError, ParameterError
from dagscape.speech import in_shell, setting, spoken
from dagscape.targets import HOWS
from dagscape.variables import suggest

NO = ("", "0", "0.0", "no", "n", "false", "off")
YES = ("1", "1.0", "yes", "y", "true", "on", "x")
"""What cells of a column for one condition say."""

NO_STATES: Mapping[str, Sequence[str]] = MappingProxyType({})

Effects = dict[str, Any]
"""What an experiment does: by variable, the value that it is set to, or None."""


@dataclass(frozen=True)
class Interventions:
    """Which variables experiments set in which rows, and how the table records it.

    A variable that was set does not obey its causes: it is learned from the other rows alone, and
    shows in these what it does to others. Give it to :class:`Data` or :func:`read_data`. The
    columns that it names are no variables.

    Parameters
    ----------
    column
        The column that names each row's targets: one, several joined by "+", none where the cell is
        empty or says "none". With `experiments` it names the row's experiment instead.
    experiments
        By the words in that column, what each experiment sets, as for `conditions`. Words that it
        does not name set nothing.
    conditions
        By column, what a condition does to variables where the column says 1, yes, true, on or x
        (0, no, false, off or empty: nothing): ``{"U0126": {"Mek": "LOW"}, "LY": {"Akt": None}}``.
        A variable with a value is set to it; with None, or in a list of names, see `how`. ``{}``
        for a condition that sets nothing.
    how
        Of variables without a value, what their column holds in rows where they are targets.
        "randomized": what the children saw, as measured. "set": one value in all of these rows, or
        see `values`. "shifted": the variable still obeys its causes, by parameters of its own in
        each experiment. One word for all, or a dict by variable.
    values
        By variable, the value that it was set to wherever it is a target: of an inhibitor the
        column may hold what was measured, which is not what the children saw.

    Examples
    --------
    >>> import dagscape as ds
    >>> ds.Interventions(column="target", how="randomized").columns
    ('target',)
    """

    column: str | None = None
    experiments: Mapping[str, Any] | None = None
    conditions: Mapping[str, Any] | None = None
    how: str | Mapping[str, str] = "randomized"
    values: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.column is None) == (self.conditions is None):
            raise ParameterError(
                "interventions need a column that names each row's targets (column), or columns of "
                "conditions (conditions), and not both"
            )
        if self.column is not None and not isinstance(self.column, str):
            raise ParameterError(f"column must be the name of a column, got {self.column!r}")
        if self.experiments is not None and self.column is None:
            raise ParameterError(
                "experiments say what the words in a column mean: name it with column"
            )
        for name in ("experiments", "conditions"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, _all_effects(name, given))
        _check_hows(self.how)
        if not isinstance(self.values, Mapping) or not all(isinstance(x, str) for x in self.values):
            raise ParameterError(
                "values must be a dict from variables to what they were set to, got "
                f"{self.values!r}"
            )
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that say what was set."""
        if self.conditions is not None:
            return tuple(self.conditions)
        assert self.column is not None, "one of the two is given"  # noqa: S101
        return (self.column,)

    def read(
        self, by_name: dict[str, Column], states: Mapping[str, Sequence[str]] = NO_STATES
    ) -> Experiments:
        """Take these columns out of a table, and write into the others what variables were set to.

        Parameters
        ----------
        by_name
            The columns, which change.
        states
            Those that were declared, by variable, whether a row has them or not.
        """
        said = setting("interventions")
        names = list(by_name)
        for name in self.columns:
            if name not in by_name:
                raise ParameterError(
                    f'{said} names the column "{name}", which is not there{suggest(name, names)}'
                )
        own = [by_name.pop(name) for name in self.columns]
        if not by_name:
            raise DataError("every column says what the rows are; none is left as a variable")
        labels, codes, effects = (
            self._conditions(own) if self.conditions else self._column(own[0], [*by_name])
        )
        self._check_names(by_name, labels, effects)
        if not any(effects):
            raise DataError(
                f"{said} sets nothing in any row; leave the setting away, and the column out"
            )
        targets = []
        for number, effect in enumerate(effects):
            rows = codes == number
            hows = {
                x: self._settle(by_name, labels[number], rows, x, to, states.get(x, ()))
                for x, to in effect.items()
            }
            targets.append(hows)
        return Experiments.of(self.columns, labels, codes, targets)

    def _column(
        self, column: Column, variables: Sequence[str]
    ) -> tuple[list[str], NDArray[np.intp], list[Effects]]:
        """Return the words in a column, which of them each row has, and what they set."""
        labels, codes = _words(column, [*variables, *(self.experiments or ())])
        if self.experiments is None:
            return labels, codes, [dict.fromkeys(_joined(label)) for label in labels]
        for name in self.experiments:
            if name not in labels:
                raise DataError(
                    f'experiments say what "{name}" sets, which no row of column "{column.name}" '
                    f"has{suggest(name, labels)}"
                )
        return labels, codes, [dict(self.experiments.get(label, {})) for label in labels]

    def _conditions(
        self, columns: Sequence[Column]
    ) -> tuple[list[str], NDArray[np.intp], list[Effects]]:
        """Return which conditions come together, which of them each row has, and what they set."""
        assert self.conditions is not None, "asked for where they are given"  # noqa: S101
        on = np.column_stack([_switch(column) for column in columns])
        together, codes = np.unique(on, axis=0, return_inverse=True)
        labels, effects = [], []
        for number, row in enumerate(together):
            names = [column.name for column, is_on in zip(columns, row, strict=True) if is_on]
            effect: Effects = {}
            for name in names:
                for x, to in self.conditions[name].items():
                    if x in effect and effect[x] != to:
                        first = int((codes.reshape(-1) == number).argmax()) + 1
                        raise DataError(
                            f'in row {first} "{x}" is set by {" and ".join(names)}, and not to the '
                            "same; say what it was where both hold, in a column of its own"
                        )
                    effect[x] = to
            labels.append("+".join(names))
            effects.append(effect)
        return labels, codes.reshape(-1).astype(np.intp), effects

    def _check_names(
        self, by_name: Mapping[str, Column], labels: Sequence[str], effects: Sequence[Effects]
    ) -> None:
        unknown = {x: label for label, effect in zip(labels, effects, strict=True) for x in effect}
        for x in by_name:
            unknown.pop(x, None)
        if unknown:
            raise DataError(self._unknown(unknown, [*by_name]))
        hows = [] if isinstance(self.how, str) else [*self.how]
        targets = {x for effect in effects for x in effect}
        for name, given in (("how", hows), ("values", self.values)):
            for x in given:
                if x not in targets:
                    raise ParameterError(
                        f'{name} speaks of "{x}", which no experiment sets{suggest(x, targets)}'
                    )

    def _unknown(self, unknown: Mapping[str, str], known: Sequence[str]) -> str:
        """Say which words are no variables, where they stand, and what to do."""
        first, label = next(iter(unknown.items()))
        no_variables = "is no variable" if len(unknown) == 1 else "are no variables"
        said = f"set by experiments, {_few([*unknown], 3)} {no_variables} of the table"
        hint = suggest(first, known)
        if self.column is None or self.experiments is not None:
            return f'{said} (by "{label}"){hint}'
        own = f'experiments = {{"{label}" = ["..."]}}, in a file for {setting("interventions")}'
        if spoken() is None:
            own = f'experiments={{"{label}": ["..."]}}'
        return (
            f'{said}; column "{self.column}" must name variables, joined by + where there are '
            "several, and be empty where nothing was set; where it names experiments, say what "
            f"each sets ({own}){hint}"
        )

    def _settle(
        self,
        by_name: dict[str, Column],
        label: str,
        rows: NDArray[np.bool_],
        x: str,
        to: Any,
        states: Sequence[str],
    ) -> str:
        """Return how a variable was set in some rows; write what it was set to."""
        how = self.how if isinstance(self.how, str) else self.how.get(x, "randomized")
        if to is None:
            to = self.values.get(x)
        if to is not None:
            by_name[x] = _written(by_name[x], rows, to, states)
            return "set"
        if how == "set":
            _refuse_varying(by_name[x], rows, label)
        return how


def _all_effects(name: str, given: object) -> Mapping[str, Mapping[str, Any]]:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise ParameterError(
            f'{name} must be a dict by name, such as {{"U0126": {{"Mek": "LOW"}}}}, got {given!r}'
        )
    made = {}
    for key, effect in given.items():
        if isinstance(effect, str):
            made[key] = dict.fromkeys(_joined(effect))
        elif isinstance(effect, Mapping):
            made[key] = dict(effect)
        elif isinstance(effect, Sequence):
            made[key] = dict.fromkeys(effect)
        else:
            raise _no_effects(name, key, effect)
        if not all(isinstance(x, str) for x in made[key]):
            raise _no_effects(name, key, effect)
    return MappingProxyType(made)


def _no_effects(name: str, key: str, effect: object) -> ParameterError:
    return ParameterError(
        f'{name} must say which variables "{key}" sets, by name, and to what '
        f'({{"Mek": "LOW"}}, or ["Mek"] if the column shows it), got {effect!r}'
    )


def _check_hows(how: object) -> None:
    hows = [*how.values()] if isinstance(how, Mapping) else [how]
    for one in hows:
        if not isinstance(one, str) or one not in HOWS:
            raise ParameterError(f"how must be one of {', '.join(HOWS)}, got {one!r}")


def _words(column: Column, named: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """Return the different words of a column, and which of them each row has; "" where none.

    The word "none" is none, unless something is called so.
    """
    if not isinstance(column, Levels):
        if column.missing().all():
            return [""], np.zeros(column.n_rows, dtype=np.intp)
        raise DataError(
            f'{setting("interventions")} names the column "{column.name}", which holds numbers; it '
            "must hold names of variables, joined by +, and nothing where none was set"
        )
    words = [label.strip() for label in column.labels] + [""]
    words = ["" if word.casefold() == NONE and word not in named else word for word in words]
    used, codes = np.unique([words[code] for code in column.codes], return_inverse=True)
    return [str(word) for word in used], codes.astype(np.intp)


def _joined(label: str) -> Iterator[str]:
    for part in label.split("+"):
        if part.strip():
            yield part.strip()


def _switch(column: Column) -> NDArray[np.bool_]:
    """Return in which rows a condition holds."""
    if isinstance(column, Levels):
        words = [label.strip().lower() for label in column.labels]
        wrong = [
            label for label, word in zip(column.labels, words, strict=True) if word not in NO + YES
        ]
        if not wrong:
            on: NDArray[np.bool_] = np.array([*(word in YES for word in words), False])
            return on[column.codes]
        word, row = wrong[0], int((column.codes == column.labels.index(wrong[0])).argmax()) + 1
    else:
        values = np.nan_to_num(column.values)
        odd = ~np.isin(values, (0.0, 1.0))
        if not odd.any():
            return np.equal(values, 1)
        row = int(odd.argmax()) + 1
        word = f"{values[row - 1]:g}"
    raise DataError(
        f'column "{column.name}" of a condition has "{word}" in row {row}; it must say 1, yes or '
        "true where the condition holds, and 0, no, false or nothing where it does not"
    )


def _written(
    column: Column, rows: NDArray[np.bool_], to: Any, states: Sequence[str] = ()
) -> Column:
    """Return a column with the value that it was set to in some rows.

    Parameters
    ----------
    column, rows, to
        Which column, where, and the value.
    states
        The states that were declared, if any.
    """
    word = str(to)
    if isinstance(column, Levels):
        labels = column.labels
        if isinstance(to, float) and to.is_integer() and word not in labels:
            word = f"{to:.0f}"
        if word not in labels:
            # Whole numbers may be no states in the end, and others may be set than were seen.
            numbers = spell_numbers(labels) and spell_numbers([word]) and not states
            if word not in states and (column.declared or not numbers):
                raise DataError(
                    f'"{column.name}" is set to "{word}", which is none of its states '
                    f"({_few(labels)})"
                    f"{suggest(word, labels) or _all_states(column.name, [*labels, word])}"
                )
            column = column.relabel((*labels, word), declared=False)
        codes = column.codes.astype(code_type(len(column.labels) + 1))
        codes[rows] = column.labels.index(word)
        return replace(column, codes=codes)
    try:
        number = float(to)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise DataError(f'"{column.name}" holds numbers, and is set to {to!r}; give a number')
    values = column.values.copy()
    values[rows] = number
    return replace(column, values=values)


def _all_states(name: str, labels: Sequence[str]) -> str:
    """Say how a state is declared that no row has."""
    shown = [*labels[:3], "...", labels[-1]] if len(labels) > 4 else labels
    listed = ", ".join(f'"{label}"' if label != "..." else label for label in shown)
    said = in_shell("types", {name: "|".join(shown)}) or f'states={{"{name}": [{listed}]}}'
    return f"; if it is one that no row shows, name all states: {said}"


def _refuse_varying(column: Column, rows: NDArray[np.bool_], label: str) -> None:
    """Refuse a column that is said to be set and has no one value in those rows."""
    if isinstance(column, Levels):
        cells = [[*column.labels, "no value"][code] for code in column.codes[rows]]
    else:
        cells = [f"{value:g}" for value in column.values[rows]]
    found = [*dict.fromkeys(cells)]
    if len(found) > 1:
        name = column.name
        value, seen = f'values={{"{name}": ...}}', f'how={{"{name}": "randomized"}}'
        if spoken() is not None:
            value, seen = f'values = {{"{name}" = ...}}', f'how = {{"{name}" = "randomized"}}'
        raise DataError(
            f'"{name}" was set in the rows of "{label}", and its column has {_few(found)} there; '
            f"say what it was set to ({value}), or that the column shows what others saw of it "
            f"({seen})"
        )


def _few(words: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(f'"{word}"' for word in words[:most])
    return shown if len(words) <= most else f"{shown}, ..."
