"""How cells are spelled: blanks, marks of a missing value, the decimal comma, detection limits.

One function reads the labels of a column by these rules, wherever the column came from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np

from dagscape.arguments import as_list, as_switch
from dagscape.data.blocks import recoded
from dagscape.data.columns import Column, Levels, Numbers, code_type
from dagscape.data.labels import (
    spells_bound,
    spells_decimal_commas,
    spells_number,
    without_zeros,
)
from dagscape.errors import ParameterError
from dagscape.speech import setting, values

DECIMALS = (".", ",")
BOUNDS = ("text", "half", "limit")
"""What "<0.3" among numbers is: text, half the limit, or the limit itself."""
FEWEST_NUMBERS = 3
"""Different numbers that a column has at least before its bounds are read as numbers."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """Which cells mean that a value is missing, and how the others are to be read."""

    missing_values: frozenset[str] = frozenset()
    trim: bool = False
    decimal: str = "."
    bounds: str = "text"

    @classmethod
    def check(
        cls, missing_values: Collection[str], trim: bool, decimal: str, bounds: str = "text"
    ) -> Spelling:
        """Return the rules, or raise a ParameterError that names the wrong one."""
        words = as_list("missing_values", missing_values, "strings")
        if not all(isinstance(word, str) for word in words):
            raise ParameterError(
                f"{setting('missing_values')} must be a list of strings, got {missing_values!r}"
            )
        as_switch("trim", trim)
        if not isinstance(decimal, str) or decimal not in DECIMALS:
            raise ParameterError(
                f"{setting('decimal')} must be one of {values('decimal', *DECIMALS)}, "
                f"got {decimal!r}"
            )
        if not isinstance(bounds, str) or bounds not in BOUNDS:
            raise ParameterError(
                f"{setting('bounds')} must be one of {values('bounds', *BOUNDS)}, got {bounds!r}"
            )
        return cls(frozenset(words), trim, decimal, bounds)

    @property
    def plain(self) -> bool:
        """Whether cells are taken as they are written."""
        usual = self.decimal == "." and self.bounds == "text"
        return usual and not self.missing_values and not self.trim

    @property
    def missing_numbers(self) -> list[float]:
        """The numbers among the words that mean a missing value."""
        return [float(word) for word in self.missing_values if spells_number(word)]

    def means_missing(self, text: str) -> bool:
        """Tell whether a cell means a missing value: "-999.0" too, where "-999" does."""
        return text in self.missing_values or (
            "." in text and without_zeros(text) in map(without_zeros, self.missing_values)
        )

    def read(self, column: Column) -> Column:
        """Return a column with its cells read by these rules."""
        if self.plain:
            return column
        if not isinstance(column, Levels):
            return self._without_codes(column)
        texts = [label.strip() if self.trim else label for label in column.labels]
        gone = [self.means_missing(text) for text in texts]
        kept = [text for text, missing in zip(texts, gone, strict=True) if not missing]
        limits = self._limits(kept, column)
        commas = self.decimal == "," and spells_decimal_commas({*kept} - limits)
        numbers = commas or bool(limits)
        if numbers:
            texts = [self._number(text, limits) for text in texts]
            kept = [self._number(text, limits) for text in kept]
        labels = tuple(dict.fromkeys(kept))
        if labels == column.labels:
            return column
        place = {label: code for code, label in enumerate(labels)}
        codes = [
            len(labels) if missing else place[text]
            for text, missing in zip(texts, gone, strict=True)
        ]
        table = np.array([*codes, len(labels)], dtype=code_type(len(labels) + 1))
        kind = "cell" if numbers else column.kind
        return replace(column, codes=recoded(column.codes, table), labels=labels, kind=kind)

    def _limits(self, texts: Iterable[str], column: Levels) -> set[str]:
        if self.bounds == "text" or column.declared:
            return set()
        return bounds_among(texts, commas=self.decimal == ",")

    def _number(self, text: str, limits: Collection[str]) -> str:
        """Return a number as others write it, and a bound as the number that stands for it."""
        pointed = text.replace(",", ".")
        if text not in limits:
            return pointed
        limit = float(pointed.strip().lstrip("<>≤≥=").strip())
        below = pointed.lstrip().startswith("<") and not pointed.lstrip().startswith("<=")
        halved = self.bounds == "half" and below and limit > 0  # half of others is not below them
        return f"{limit / 2 if halved else limit:.15g}"

    def _without_codes(self, column: Numbers) -> Numbers:
        """Return numbers without those that mean a missing value: -9, where "-9" does."""
        gone = np.isin(column.values, self.missing_numbers)
        if not gone.any():
            return column
        return replace(column, values=np.where(gone, np.nan, column.values))


def bounds_among(texts: Iterable[str], *, commas: bool = False) -> set[str]:
    """Return the bounds of a column that holds them and numbers, and nothing else.

    ``commas`` says that numbers may have a decimal comma.
    """
    found = set(texts)
    limits = {text for text in found if spells_bound(text)}
    numbers = found - limits
    spelled = all(map(spells_number, numbers)) or (commas and spells_decimal_commas(numbers))
    return limits if spelled and len(numbers) >= FEWEST_NUMBERS else set()
