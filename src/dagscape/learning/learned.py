"""What learning found, with the data and the landscape it was found in."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from dagscape.data import Data, TableLike
from dagscape.graphs import Dag, Mpdag
from dagscape.landscape import Bootstrap, Landscape
from dagscape.networks import Network
from dagscape.results import Result


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Learned(Result):
    """A result that still knows its data and the local optima around it.

    Saved it is a plain :class:`Result`; the optima are kept by a store. Copies and pickles keep
    everything.
    """

    data: Data | None = field(default=None, compare=False)
    """The table that it was learned from."""
    landscape: Landscape | None = field(default=None, compare=False)
    """The local optima; None where none were looked for, `steps` say why."""
    network: Network | None = field(default=None, compare=False)
    """Of a table with gaps, the network with tables fitted to expected counts; else None, and
    :func:`fit` makes one."""

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        data: TableLike | None = None,
        landscape: Landscape | Bootstrap | None = None,
        truth: Dag | Mpdag | Network | None = None,
        network: Network | None = None,
        weights: str | None = None,
        title: str | None = None,
    ) -> None:
        """Write a page to look at in a browser, as :meth:`Result.report` does.

        Its own data and landscape are shown unless others are given.
        """
        Result.report(  # super() does not find its class in one with slots
            self,
            path,
            data=self.data if data is None else data,
            landscape=self.landscape if landscape is None else landscape,
            truth=truth,
            network=self.network if network is None else network,
            weights=weights,
            title=title,
        )

    def __hash__(self) -> int:
        return Result.__hash__(self)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        own = [f.name for f in fields(self) if f.name not in {each.name for each in fields(Result)}]
        return _learned, (*self.plain().__reduce__(), {name: getattr(self, name) for name in own})

    def plain(self) -> Result:
        """Return the result alone."""
        return Result(**{f.name: getattr(self, f.name) for f in fields(Result)})


def _learned(
    make: Callable[..., Result], values: tuple[dict[str, Any]], own: dict[str, Any]
) -> Learned:
    """Return what was pickled: the plain result, and what it still knew."""
    plain = make(*values)
    return Learned(**{f.name: getattr(plain, f.name) for f in fields(Result)}, **own)
