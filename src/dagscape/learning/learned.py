"""What learning found, with the data and the landscape it was found in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from dagscape.data import Data
from dagscape.landscape import Landscape
from dagscape.results import Result


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Learned(Result):
    """A result that still knows its data and the local optima around it.

    Saved or pickled it is a plain :class:`Result`; the optima are kept by a store.
    """

    data: Data | None = field(default=None, compare=False)
    """The table that it was learned from."""
    landscape: Landscape | None = field(default=None, compare=False)
    """The local optima; None where none were looked for, `work` says why."""

    def __hash__(self) -> int:
        return Result.__hash__(self)

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Result], tuple[dict[str, Any]]]:
        return self.plain().__reduce__()

    def plain(self) -> Result:
        """Return the result alone."""
        return Result(**{f.name: getattr(self, f.name) for f in fields(Result)})
