"""What local learning found: the set of one variable, or the sets of many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


class _SetSearch:
    """How sets of variables were found."""

    method: str
    """What ran."""
    stopped: str | None
    """What ended it early: "time", "memory" or "interrupt"; or None."""
    seconds: float
    work: dict[str, int]
    """What was done, counted."""
    asked: dict[str, Any]
    """The settings."""

    def _tell(
        self,
        method: str,
        stopped: str | None,
        seconds: float,
        work: Mapping[str, int],
        asked: Mapping[str, Any],
    ) -> None:
        self.method = method
        self.stopped = stopped
        self.seconds = seconds
        self.work = dict(work)
        self.asked = dict(asked)


class LocalSet(_SetSearch, tuple[str, ...]):
    """The neighbors, or the Markov blanket, of one variable: a tuple of names in column order.

    Where a limit stopped the search it has the members found so far, and `stopped` says so.
    """

    target: str
    """Whose set it is."""

    def __new__(cls, names: Iterable[str], *_target: str, **_how: Any) -> LocalSet:
        """Make a tuple of the names; copies and pickles bring the rest themselves."""
        return super().__new__(cls, names)

    def __init__(self, _names: Iterable[str], target: str, **how: Any) -> None:
        self.target = target
        self._tell(**how)


class LocalSets(_SetSearch, Mapping[str, tuple[str, ...]]):
    """The neighbors, or the Markov blankets, of several variables, by name.

    Where a limit stopped the search it has the members found so far, and `unfinished` says of which
    variables.
    """

    unfinished: tuple[str, ...]
    """Variables whose sets are not final."""

    def __init__(
        self, sets: Mapping[str, tuple[str, ...]], unfinished: Iterable[str], **how: Any
    ) -> None:
        self._sets = dict(sets)
        self.unfinished = tuple(unfinished)
        self._tell(**how)

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._sets[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sets)

    def __len__(self) -> int:
        return len(self._sets)

    def __repr__(self) -> str:
        cut = f", stopped by {self.stopped}" if self.stopped else ""
        return f"LocalSets({len(self)} variables, {self.method}{cut}: {self._sets!r})"
