"""The door for tables: whatever the user holds becomes Data, for every function that takes one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from dagscape.data.data import Data
from dagscape.data.read import read_data

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame
    from numpy.typing import NDArray

TableLike: TypeAlias = (
    "Data | str | os.PathLike[str] | Mapping[str, Any] | NDArray[Any] | IntoDataFrame"
)
"""A table: :class:`Data`, the path of a file, a dict of columns, a frame or an array."""


def as_data(table: TableLike, missing: str = "error", *, strict: bool = True) -> Data:
    """Return the table as Data.

    A path goes to :func:`read_data` and anything else to :class:`Data`, without options but what to
    do with missing cells, and whether a messy table is refused; call these yourself to give some.
    """
    if isinstance(table, Data):
        return table
    if isinstance(table, str | os.PathLike):
        return read_data(table, missing=missing, strict=strict)
    return Data(table, missing=missing, strict=strict)
