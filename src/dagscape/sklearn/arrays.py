"""Columns as scikit-learn has them: numbers, words, gaps; and the codes of their states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dagscape as ds

Column = NDArray[Any]
Rule = str | tuple[str, int] | None
Rules = Rule | list[Rule]
SEVERAL = "several"
CUTS: tuple[Rule, ...] = tuple(("quantile", k) for k in (5, 2, 3, 4, 6, 8))
"""What "several" stands for; the first is that of the network to look at."""


def rules_of(discretize: Rules) -> list[Rule]:
    """Return the rules by which numbers are cut, one for each network."""
    if isinstance(discretize, list):
        if not discretize:
            raise ds.ParameterError("discretize must list one rule at least, got []")
        return discretize
    return list(CUTS) if discretize == SEVERAL else [discretize]


def repeated(weights: Any, rows: int) -> NDArray[np.intp]:
    """Return the numbers of rows, each as often as its weight says.

    Raises
    ------
    ValueError
        If there is not one weight for each row, or some weight is no whole number from 0 up.
    """
    times = np.asarray(weights, dtype=float)
    if times.shape != (rows,):
        raise ValueError(f"sample_weight has shape {times.shape}, expected {(rows,)}")
    if not np.isfinite(times).all() or (times < 0).any() or (times != np.floor(times)).any():
        raise ds.ParameterError(
            "sample_weight must be whole numbers from 0 up: how often each row occurs"
        )
    if not times.any():
        raise ds.DataError("every sample_weight is zero: no row is left to learn from")
    return np.repeat(np.arange(rows), times.astype(int))


GAP = -1
"""The code of a value that is missing, or was not seen in `fit`."""


def without_categories(X: Any) -> Any:
    """Return a pandas frame with categories as objects: beside booleans they are refused."""
    if not hasattr(X, "select_dtypes"):
        return X
    return X.astype(dict.fromkeys(X.select_dtypes("category").columns, object))


def check_count(name: str, value: object, least: int) -> None:
    """Refuse what is no whole number, or less than the least."""
    fits = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not fits or value < least:  # type: ignore[operator]
        raise ds.ParameterError(f"{name} must be a whole number from {least} up, got {value!r}")


def column_names(estimator: Any) -> list[str]:
    """Return the names of the columns, or x0, x1, ... where these will not do."""
    names = list(map(str, getattr(estimator, "feature_names_in_", ())))
    if names and len(set(names)) == len(names) and all(name.strip() for name in names):
        return names
    return [f"x{i}" for i in range(estimator.n_features_in_)]


def target_name(names: Sequence[str]) -> str:
    """Return a name for the target that no column has."""
    target = "y"
    while target in names:
        target += "_"
    return target


def numbers_of(name: str, values: Column) -> NDArray[np.float64] | None:
    """Return a column as numbers, or None for words."""
    if values.dtype.kind in "biuf":
        return values.astype(float)
    if values.dtype.kind != "O":
        return None
    if all(isinstance(value, Real | np.bool_) for value in values):
        return values.astype(float)
    for value in values:
        if not isinstance(value, str | Real | np.bool_):
            raise TypeError(f'"{name}" has {value!r}; the argument must be a string or a number')
    return None


def gaps_of(values: Column) -> NDArray[np.bool_]:
    """Tell which values are missing: NaN, None, and what pandas has for it."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind != "O":
        return np.zeros(len(values), dtype=bool)
    return np.array([_is_gap(value) for value in values], dtype=bool)


def _is_gap(value: object) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


@dataclass(frozen=True)
class ColumnStates:
    """The states of a column, learned in `fit`: how each value becomes one of them."""

    name: str
    labels: tuple[str, ...]
    values: Column | None
    """The value of each state, sorted; None where numbers are cut."""
    cuts: NDArray[np.float64]
    """Where numbers are cut; a state includes its upper end."""
    numeric: bool

    def codes(self, column: Column) -> NDArray[np.intp]:
        """Return the state of each value, GAP where it is missing or was never seen."""
        gaps = gaps_of(column)
        there = column[~gaps]
        numbers = numbers_of(self.name, there)
        if self.numeric and numbers is None and len(there):
            raise ds.DataError(
                f'column "{self.name}" has words; it had numbers when the classifier was fitted'
            )
        found = np.full(len(column), GAP, dtype=np.intp)
        if self.values is None and numbers is not None:
            found[~gaps] = np.searchsorted(self.cuts, numbers, side="left")
        elif self.values is not None and len(self.values) and len(there):
            known = numbers if self.numeric and numbers is not None else there.astype(str)
            place = np.minimum(np.searchsorted(self.values, known), len(self.values) - 1)
            found[~gaps] = np.where(self.values[place] == known, place, GAP)
        return found


def learn_states(name: str, column: Column, rule: Rule, max_states: int) -> ColumnStates:
    """Return the states of a column: its values, or intervals if it has too many numbers."""
    there = column[~gaps_of(column)]
    numbers = numbers_of(name, there)
    none = np.empty(0)
    values = np.unique(there.astype(str) if numbers is None else numbers)
    if numbers is None or rule is None or len(values) <= max_states:
        words = [f"{v:.15g}" if numbers is not None else str(v) for v in values]
        return ColumnStates(name, usable_labels(words), values, none, numbers is not None)
    made = ds.Data({name: numbers}, discretize={name: rule})
    codes = made.codes[:, 0]
    cuts = [
        _between(numbers[codes == code].max(), numbers[codes == code + 1].min())
        for code in range(made.arities[name] - 1)
    ]
    if not cuts:
        return ColumnStates(name, ("all",), None, none, True)
    inner = [f"({low},{high}]" for low, high in pairwise(cuts)]
    labels = (f"<={cuts[0]}", *inner, f">{cuts[-1]}")
    return ColumnStates(name, labels, None, np.array(list(map(float, cuts))), True)


def usable_labels(words: Sequence[str]) -> tuple[str, ...]:
    """Return words as labels of states, or numbers where they would not do."""
    if len(set(words)) == len(words) and all(word.strip() for word in words):
        return tuple(words)
    return tuple(map(str, range(len(words))))


def _between(low: float, high: float) -> str:
    """Return a short text of a number from low up to, but not including, high."""
    for digits in range(4, 17):
        text = f"{low / 2 + high / 2:.{digits}g}"
        if low <= float(text) < high:
            return text
    return repr(float(low))
