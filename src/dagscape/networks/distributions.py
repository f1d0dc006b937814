"""Answers of a network: distributions of some of its variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from dagscape.networks.own_rows import BesideOwnRows, answer_claim
from dagscape.words import first_of

if TYPE_CHECKING:
    import polars as pl

    from dagscape.networks.nodes.table import Table

Key: TypeAlias = "str | tuple[str, ...]"


class Distribution(BesideOwnRows, Mapping[Key, float]):
    """The probabilities of the states of a variable, or of the combinations of several.

    A mapping: ``d["yes"]`` for one variable, ``d["yes", "no"]`` for two, in the order asked for.
    """

    __slots__ = ("_draws", "_errors", "_given", "_states", "_values")

    def __init__(
        self,
        states: dict[str, tuple[str, ...]],
        values: Table,
        given: dict[str, str],
        errors: Table | None = None,
        draws: tuple[int, float] | None = None,
    ) -> None:
        self._states = states
        self._values = values
        self._given = given
        self._errors = errors
        self._draws = draws
        for array in (values, errors):
            if array is not None:
                array.setflags(write=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order asked for."""
        return tuple(self._states)

    @property
    def states(self) -> dict[str, tuple[str, ...]]:
        """The labels of each variable's states."""
        return dict(self._states)

    @property
    def given(self) -> tuple[str, ...]:
        """What was known, piece by piece."""
        return tuple(self._given.values())

    @property
    def array(self) -> Table:
        """The probabilities with an axis for each variable, read-only."""
        return self._values

    @property
    def exact(self) -> bool:
        """Whether the probabilities are computed, and not estimated from samples."""
        return self._errors is None

    @property
    def errors(self) -> Table | None:
        """The standard errors of estimated probabilities, with the same axes; None if exact."""
        return self._errors

    @property
    def claim(self) -> str:
        """How the probabilities were found, in words."""
        return answer_claim(self._draws)

    def to_dict(self) -> dict[str, object]:
        """Return all of it as JSON can have it."""
        rows = self.frame().to_dicts()
        return {
            "targets": list(self.names),
            "given": list(self.given),
            "exact": self.exact,
            "claim": self.claim,
            "probabilities": rows,
            **self._own_values(),
        }

    def frame(self) -> pl.DataFrame:
        """Return a table: a column for each variable, the probability and its error if any."""
        import polars as pl

        keys = list(itertools.product(*self._states.values()))
        columns = {
            x: [key[i] for key in keys] for i, x in enumerate(self._states)
        }  # as the cells lie, last axis fastest
        numbers = {"probability": self._values.ravel()}
        if self._errors is not None:
            numbers["error"] = self._errors.ravel()
        return pl.DataFrame({**columns, **numbers})

    def __getitem__(self, key: Key) -> float:
        labels = (key,) if isinstance(key, str) else key
        try:
            at = tuple(s.index(x) for s, x in zip(self._states.values(), labels, strict=True))
        except (ValueError, TypeError):
            raise KeyError(key) from None
        return float(self._values[at])

    def __iter__(self) -> Iterator[Key]:
        if len(self._states) == 1:
            (labels,) = self._states.values()
            return iter(labels)
        return itertools.product(*self._states.values())

    def __len__(self) -> int:
        return int(self._values.size)

    def __repr__(self) -> str:
        about = ", ".join(self._states)
        given = f" | {first_of([*self._given.values()])}" if self._given else ""
        head = f"P({about}{given})" + ("" if self.exact else f", {self.claim}")
        keys = list(itertools.islice(self, SHOWN))
        words = [key if isinstance(key, str) else ", ".join(key) for key in keys]
        wide = max(map(len, words))
        lines = [
            f"  {word:<{wide}}  {self[key]:.4f}{self._error_of(i)}"
            for i, (word, key) in enumerate(zip(words, keys, strict=True))
        ]
        more = [f"  and {len(self) - SHOWN:,} more"] if len(self) > SHOWN else []
        return "\n".join([head, *lines, *more, *self.own_words])

    def _error_of(self, place: int) -> str:
        return "" if self._errors is None else f" ± {self._errors.flat[place]:.4f}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self._states == other._states and np.array_equal(self._values, other._values)

    __hash__ = None  # type: ignore[assignment]


SHOWN = 40
"""Lines of a distribution that are shown."""
