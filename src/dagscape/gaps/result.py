"""What structural EM found: a network with its tables, and how it came to it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from dagscape.data import Data, TableLike
from dagscape.graphs import Dag, Mpdag
from dagscape.landscape import Bootstrap, Landscape
from dagscape.networks import Network
from dagscape.results import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class ResultWithData(Result):
    """A result that still knows its data. Saved it is a plain :class:`Result`."""

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

        Its own data, landscape and network are shown unless others are given.
        """
        super().report(
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

    def plain(self) -> Result:
        """Return the result alone."""
        return Result(**{f.name: getattr(self, f.name) for f in fields(Result)})


@dataclass(frozen=True, kw_only=True, repr=False)
class Completed(ResultWithData):
    """A network learned from a table with gaps.

    `score` is that of what is observed: see :func:`structural_em`. Saved or pickled it is a plain
    :class:`Result`.
    """

    @property
    def starts(self) -> tuple[Mapping[str, Any], ...]:
        """How each start converged.

        Its name, the objective and the number of arcs after each look for a network, and whether it
        ended because nothing changed any more.
        """
        return tuple(self.work.get("starts", ()))

    def __hash__(self) -> int:
        return Result.__hash__(self)

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Result], tuple[dict[str, Any]]]:
        return self.plain().__reduce__()
