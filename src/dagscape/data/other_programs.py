"""Tables of Excel, SPSS, Stata and SAS, by the readers of polars and pandas: extras."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dagscape.data.build import usable_names
from dagscape.data.columns import Column
from dagscape.data.formats import OF_OTHERS, SHEETS
from dagscape.data.frames import columns_of
from dagscape.data.text_tables import Choice
from dagscape.errors import DataError

OTHERS = (*SHEETS, *OF_OTHERS)
"""Endings of such files."""


def columns_of_other(file: Path, choice: Choice, *, repair_names: bool) -> list[Column]:
    """Return the chosen columns of a file; of several sheets, the first is read.

    Labels of values are states, in their order; what SPSS and Stata call missing are gaps.
    """
    frame = _sheet(file) if file.suffix.lower() in SHEETS else _by_pandas(file)
    names = list(map(str, frame.columns))
    if repair_names:
        names = usable_names(["" if name.startswith(_NAMELESS) else name for name in names])
    given = list(frame.columns)
    chosen = choice.among(names)
    columns, _ = columns_of({names[number]: frame[given[number]] for number in chosen}, None)
    return columns


_NAMELESS = "__UNNAMED__"


def _sheet(file: Path) -> Any:
    import polars as pl

    try:
        import fastexcel  # noqa: F401 (what polars reads with)
    except ImportError:
        raise _missing("Excel", "excel") from None
    try:
        return pl.read_excel(file, raise_if_empty=False, drop_empty_rows=False)
    except Exception as error:  # of several libraries
        raise _unreadable(file, error) from None


def _by_pandas(file: Path) -> Any:
    whose, extra = OF_OTHERS[file.suffix.lower()]
    try:
        import pandas as pd

        if extra == "spss":
            import pyreadstat  # noqa: F401 (what pandas reads with)
    except ImportError:
        raise _missing(whose, extra) from None
    read = {"stata": pd.read_stata, "spss": pd.read_spss, "sas": pd.read_sas}[extra]
    try:
        return read(file, encoding="utf-8") if extra == "sas" else read(file)
    except Exception as error:  # of several libraries
        raise _unreadable(file, error) from None


def _missing(whose: str, extra: str) -> DataError:
    return DataError(
        f"files of {whose} are read by packages that are not installed: "
        f'pip install "dagscape[{extra}]"'
    )


def _unreadable(file: Path, error: Exception) -> DataError:
    reason = str(error).partition("\n")[0][:200] or type(error).__name__
    return DataError(f'"{file.name}" cannot be read ({reason}); save the table as CSV')
