"""A table of codes and numbers with names: what every tool is given, in one form of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.float64]
Arc = tuple[str, str]

TARGET = "target"
"""The column that names what an experiment set, where rows come from such; "" for none."""


@dataclass(frozen=True)
class Table:
    """Data without gaps; a state that is listed occurs at least once.

    So tools that count declared states and tools that count observed ones score alike. A column
    without states holds numbers: what its codes are means nothing, and elsewhere the numbers do.
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: Codes  # rows x columns
    numbers: Numbers | None = None  # likewise; None where all columns have states

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.codes)

    def shuffled(self, seed: int | None) -> Table:
        """Return the table with its columns in another order; None leaves them as they are."""
        if seed is None:
            return self
        order = np.random.default_rng(seed).permutation(len(self.names))
        return Table(
            tuple(self.names[i] for i in order),
            tuple(self.states[i] for i in order),
            np.ascontiguousarray(self.codes[:, order]),
            None if self.numbers is None else np.ascontiguousarray(self.numbers[:, order]),
        )

    def head(self, columns: int) -> Table:
        """Return the first columns alone."""
        return Table(
            self.names[:columns],
            self.states[:columns],
            np.ascontiguousarray(self.codes[:, :columns]),
            None if self.numbers is None else np.ascontiguousarray(self.numbers[:, :columns]),
        )

    def frame(self) -> Any:
        """Return a pandas frame of categories and numbers, as pandas' users would have it."""
        import pandas as pd

        return pd.DataFrame({name: self._column(i) for i, name in enumerate(self.names)})

    def _column(self, number: int) -> Any:
        import pandas as pd

        if self.states[number] or self.numbers is None:
            return pd.Categorical.from_codes(self.codes[:, number], list(self.states[number]))
        return self.numbers[:, number]

    def write(self, path: Path) -> None:
        """Write to a file for another process."""
        np.savez(
            path,
            codes=self.codes,
            names=np.array(self.names),
            states=np.array(["\n".join(some) for some in self.states]),
            **({} if self.numbers is None else {"numbers": self.numbers}),
        )

    @staticmethod
    def read(path: Path) -> Table:
        """Read what was written."""
        with np.load(path) as file:
            return Table(
                tuple(str(name) for name in file["names"]),
                tuple(tuple(str(some).split("\n")) if some else () for some in file["states"]),
                file["codes"],
                file.get("numbers"),
            )


def observed(
    names: tuple[str, ...], states: tuple[tuple[str, ...], ...], codes: npt.ArrayLike
) -> Table:
    """Return a table without the states that never occur."""
    given = np.asarray(codes)
    columns, kept = [], []
    for i, some in enumerate(states):
        occur, column = np.unique(given[:, i], return_inverse=True)
        columns.append(column.reshape(-1))
        kept.append(tuple(some[code] for code in occur))
    return Table(
        names, tuple(kept), np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int32)
    )
