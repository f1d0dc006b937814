"""How the columns of a file are read: what separates cells, what they spell, which dates split."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dagscape.arguments import as_switch
from dagscape.data.cells import Spelling
from dagscape.data.columns import Column
from dagscape.data.date_parts import Dates, check_dates, spread_dates
from dagscape.data.formats import MISSING_VALUES
from dagscape.errors import ParameterError
from dagscape.speech import setting


@dataclass(frozen=True, slots=True)
class CellRules:
    """Settings of :func:`read_data` that say how its cells are written, checked."""

    spelling: Spelling
    separator: str | None = None
    header: bool = True
    repair_names: bool = False
    dates: Mapping[str, tuple[str, ...]] | tuple[str, ...] = ()

    NAMES: ClassVar[tuple[str, ...]] = (
        *("separator", "missing_values", "trim", "decimal", "bounds"),
        *("header", "repair_names", "dates"),
    )

    @classmethod
    def check(
        cls,
        separator: str | None = None,
        missing_values: Collection[str] = MISSING_VALUES,
        trim: bool = False,
        decimal: str = ".",
        bounds: str = "text",
        header: bool = True,
        repair_names: bool = False,
        dates: Dates = None,
    ) -> CellRules:
        """Return the rules, or raise a ParameterError that names the wrong one."""
        as_switch("header", header)
        as_switch("repair_names", repair_names)
        return cls(
            Spelling.check(missing_values, trim, decimal, bounds),
            check_separator(separator),
            header,
            repair_names,
            check_dates(dates),
        )

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> CellRules:
        """Return the rules among settings."""
        return cls.check(**{name: settings[name] for name in cls.NAMES if name in settings})

    @property
    def given(self) -> dict[str, Any]:
        """The rules as settings; None for what is found by itself where nobody says it."""
        spelling = self.spelling
        return {
            "separator": self.separator,
            "missing_values": list(spelling.missing_values),
            "trim": spelling.trim,
            "decimal": spelling.decimal,
            "bounds": spelling.bounds,
            "header": self.header,
            "repair_names": self.repair_names,
            "dates": self.dates or None,
        }

    @property
    def plain(self) -> bool:
        """Whether cells are taken as they are written."""
        return self.spelling.plain and not self.dates

    def read(self, columns: Sequence[Column]) -> list[Column]:
        """Return columns of a frame with their cells read by these rules."""
        return self.spread([self.spelling.read(column) for column in columns])

    def spread(self, columns: Sequence[Column]) -> list[Column]:
        """Return columns with dates as the parts that were asked for."""
        return spread_dates(columns, self.dates)


def check_separator(separator: str | None) -> str | None:
    """Return what separates cells, or say what it must be."""
    if separator is None:
        return None
    if (
        not isinstance(separator, str)
        or not separator.isascii()
        or len(separator) != 1
        or separator in '"\r\n'
    ):
        raise ParameterError(
            f"{setting('separator')} must be one ASCII character, got {separator!r}"
        )
    return separator
