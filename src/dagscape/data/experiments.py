"""Which experiment each row comes from, and what it did to which variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.targets import OUT, Targets, always_set, states_in

if TYPE_CHECKING:
    from dagscape.data.rows import Places

NONE, UNNAMED = "none", "without a name"
"""What an experiment without a name is called where it is shown: nothing was set. The second, where
an experiment is called as the first."""


@dataclass(frozen=True, slots=True, eq=False)
class Experiments:
    """Which experiment each row comes from; by those that occur."""

    columns: tuple[str, ...]
    """The columns that said it."""
    labels: tuple[str, ...]
    """The experiments, in the order of their names; "" where a row has none."""
    codes: NDArray[np.intp]
    """Of each row, its place among the labels."""
    targets: tuple[Targets, ...]
    """What each made of which variables."""

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        labels: Sequence[str],
        codes: NDArray[np.intp],
        targets: Sequence[Targets],
    ) -> Experiments:
        """Keep those that occur, by their names."""
        order = sorted(np.unique(codes), key=lambda number: labels[number])
        place = np.zeros(len(labels), dtype=np.intp)
        place[order] = np.arange(len(order))
        return cls(
            tuple(columns),
            tuple(labels[number] for number in order),
            place[codes],
            tuple(MappingProxyType(dict(targets[number])) for number in order),
        )

    def __reduce__(self) -> tuple[Callable[..., Experiments], tuple[Any, ...]]:
        # A read-only mapping cannot be pickled; it is made again from a plain one.
        plain = [dict(each) for each in self.targets]
        return Experiments.of, (self.columns, self.labels, self.codes, plain)

    @property
    def names(self) -> tuple[str, ...]:
        """What each is called where it is shown."""
        other = UNNAMED if NONE in self.labels else NONE
        return tuple(label or other for label in self.labels)

    @property
    def by_name(self) -> Mapping[str, Targets]:
        """What each made of its targets, by what it is called."""
        return dict(zip(self.names, self.targets, strict=True))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """How many rows each has."""
        return np.bincount(self.codes, minlength=len(self.labels))

    @property
    def words(self) -> dict[str, Any]:
        """The same as plain values."""
        each = zip(self.names, self.sizes, self.targets, strict=True)
        return {
            "column": ", ".join(self.columns),
            "experiments": [
                {"name": name, "rows": int(rows), "targets": dict(targets)}
                for name, rows, targets in each
            ],
        }

    def take(self, rows: Places) -> Experiments:
        """Return where these rows come from."""
        return Experiments.of(self.columns, self.labels, self.codes[rows], self.targets)

    def of_variables(self, names: Iterable[str]) -> Experiments:
        """Return the same where there are only these variables."""
        kept = {*names}
        return replace(
            self,
            targets=tuple(
                MappingProxyType({x: how for x, how in each.items() if x in kept})
                for each in self.targets
            ),
        )

    def digest(self) -> bytes:
        """Return bytes that differ where anything does."""
        said = [f"{label}\0{sorted(each.items())}" for label, each in self._said]
        return "\0".join(said).encode() + self.codes.astype("<i8").tobytes()

    @property
    def _said(self) -> list[tuple[str, Targets]]:
        return list(zip(self.labels, self.targets, strict=True))

    def states(self, name: str) -> tuple[str, ...]:
        """Return what each experiment makes of a variable, see :func:`states_in`."""
        return states_in(self.targets, name)

    def rows_of(self, states: Sequence[str]) -> list[NDArray[np.intp]]:
        """Return the rows that a variable of these states is learned from.

        All in which it is free together, then those of each experiment that shifts it; by parts
        that have rows.
        """
        wanted = np.array(states)[self.codes]
        parts = dict.fromkeys(["", *states])
        found = [np.flatnonzero(wanted == part) for part in parts if part != OUT]
        return [rows for rows in found if len(rows)]

    def free_rows(self, name: str) -> NDArray[np.intp]:
        """Return the rows that tell how a variable behaves by itself.

        Where it was free; else where it was shifted; else all, which show how it was set.
        """
        states = np.array(self.states(name))[self.codes]
        for rows in (np.flatnonzero(states == ""), np.flatnonzero(states != OUT)):
            if len(rows):
                return rows
        return np.arange(len(states))

    @property
    def always_set(self) -> tuple[str, ...]:
        """Variables that no row says anything about the causes of, by name."""
        return always_set(self.targets)
