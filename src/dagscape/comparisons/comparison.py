"""What differs between two results, and whether it matters."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

from dagscape.comparisons import comparison_words, cross_scores, edge_changes
from dagscape.comparisons import drift as drift_
from dagscape.files.plain_values import dump_lines
from dagscape.files.result_frames import frame_of, plain_rows
from dagscape.files.text import write_text
from dagscape.learning.plan import NEAR_WITHIN
from dagscape.shows_itself import ShowsItself
from dagscape.words import titled

if TYPE_CHECKING:
    import polars as pl

    from dagscape.comparisons.cross_scores import FamilyOnTables, OnTable
    from dagscape.comparisons.drift import Drift, Loss
    from dagscape.comparisons.edge_changes import EdgeChange
    from dagscape.data import Data
    from dagscape.metrics import Comparison
    from dagscape.networks import Network
    from dagscape.results import Result

KIND = "comparison"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ResultComparison(ShowsItself):
    """Two results side by side; see :func:`compare`. ``print(c.summary)`` says it."""

    first: Result
    second: Result
    graphs: Comparison
    """The first graph, judged by the second."""
    scores: tuple[OnTable | None, OnTable | None]
    """Both networks on either table; None where a result does not know its table."""
    drift: Drift
    """Which variables follow from their parents otherwise in the second table."""
    loss: Loss | None
    """What rows cost the first network."""
    same_table: bool | None
    """Whether both have the same table; None where a result does not know its own."""
    level: float
    edge_rows: tuple[EdgeChange, ...] = field(repr=False)
    family_rows: tuple[FamilyOnTables, ...] = field(repr=False)

    @property
    def matters(self) -> bool | None:
        """Whether any difference matters; None where nothing is known that could tell.

        Of two tables: if variables follow from their parents otherwise in the second. Else the
        networks differ no more than those of two samples of one distribution may. On one table: if
        one of the networks scores more than 3 nats less than the other, or if one result calls an
        edge likely that the other calls less probable than not.
        """
        if self.same_rows:
            known = [on.loss > NEAR_WITHIN for on in self.scores if on is not None]
            known += [row.matters for row in self.edge_rows if row.matters is not None]
            return any(known) if known else None
        return bool(self.drift.variables) if self.drift.rows else None

    @property
    def same_rows(self) -> bool:
        """Whether both are of the same rows, as far as is known."""
        return self.same_table is True or (self.drift.grew and not self.drift.new_rows)

    @property
    def edges(self) -> pl.DataFrame:
        """A row for each pair that a network joins or a result calls likely.

        ``first`` and ``second`` are the edge in either (``a -> b``, ``a - b``, or empty).
        ``matters``: one result calls it likely, the other less probable than not.
        """
        return frame_of(self.edge_rows, edge_changes.COLUMNS)

    @property
    def families(self) -> pl.DataFrame:
        """The variables whose parents differ.

        ``loss_first``: what the parents in the second network lose on the first table;
        ``loss_second``: those in the first network, on the second. Where networks are equivalent,
        losses of single variables cancel.
        """
        return frame_of(self.family_rows, cross_scores.COLUMNS)

    @property
    def drifted(self) -> pl.DataFrame:
        """Every variable given its parents in either network, the least probable to be alike first.

        ``p``: how probable it is that rows shuffled between the two tables differ as much;
        ``p_adjusted`` is corrected for the number of rows of this table (Holm).
        """
        return frame_of(self.drift.rows, drift_.COLUMNS)

    @property
    def summary(self) -> str:
        """What a person wants to know first, in one screen."""
        return "\n".join(titled(self.blocks))

    @property
    def blocks(self) -> dict[str, list[str]]:
        """The sentences of the summary, by title."""
        return comparison_words.blocks_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "dagscape": installed_version("dagscape"),
            "kind": KIND,
            "matters": self.matters,
            "same_table": self.same_table,
            "shd": self.graphs.shd,
            "graphs": asdict(self.graphs),
            "claims": [self.first.claim, self.second.claim],
            "scores": [
                None if on is None else {**on._asdict(), "loss": on.loss} for on in self.scores
            ],
            "edges": plain_rows(self.edge_rows, edge_changes.COLUMNS),
            "families": plain_rows(self.family_rows, cross_scores.COLUMNS),
            "drift": {
                "new_rows": self.drift.new_rows,
                "grew": self.drift.grew,
                "why_not": self.drift.why_not,
                "variables": plain_rows(self.drift.rows, drift_.COLUMNS),
            },
            "loss_of_a_row": None if self.loss is None else self.loss._asdict(),
            "level": self.level,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, gzip where the name ends in ``.gz``; all of it or nothing."""
        write_text(path, dump_lines(self.to_dict()))

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        data: Data | None = None,
        network: Network | None = None,
        title: str | None = None,
        origin: Mapping[str, str] | None = None,
    ) -> None:
        """Write a page to look at in a browser: what differs, then the second result.

        The first network is drawn beside the second.

        Parameters
        ----------
        data, network
            The second's table and fitted network, where it does not know them.
        origin
            As in :meth:`Result.report`.
        """
        from dagscape.report import comparison_page  # it sees the whole package

        write_text(path, comparison_page(self, data, network, title, origin))

    def __repr__(self) -> str:
        return f"<ResultComparison: {comparison_words.answer(self)}>"
