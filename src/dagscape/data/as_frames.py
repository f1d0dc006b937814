"""A table as a frame of another library, with its states and their order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape.data.columns import Codes
from dagscape.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

States = Mapping[str, tuple[str, ...]]
Values = Mapping[str, NDArray[np.float64]]


def polars_frame(states: States, codes: Codes, numbers: Values) -> pl.DataFrame:
    """Return a polars frame of floats, and of Enums."""
    columns = {}
    for number, (name, own) in enumerate(states.items()):
        if name in numbers:
            columns[name] = pl.Series(name, numbers[name]).fill_nan(None)
            continue
        levels = pl.Series(name, own, dtype=pl.Enum(own))
        column = pl.Series(codes[:, number])
        columns[name] = levels.gather(column.set(column == len(own), None))
    return pl.DataFrame(columns)


def pandas_frame(states: States, codes: Codes, numbers: Values) -> pd.DataFrame:
    """Return a pandas frame of floats, and of ordered categories."""
    try:
        import pandas as pd
    except ImportError:
        raise ParameterError("to_pandas needs pandas: pip install pandas") from None
    columns: dict[str, Any] = {}
    for number, (name, own) in enumerate(states.items()):
        if name in numbers:
            columns[name] = numbers[name]
            continue
        column = codes[:, number].astype(np.int64)
        column[column == len(own)] = -1  # what pandas has for a missing value
        columns[name] = pd.Categorical.from_codes(column, list(own), ordered=True)
    return pd.DataFrame(columns)
