"""What was found of causes where some may be hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from dagscape.hidden_causes.hidden_words import because, summary
from dagscape.landscape import as_frame
from dagscape.shows_itself import ShowsItself

if TYPE_CHECKING:
    from dagscape.graphs import Dag, Pag

Pair = tuple[str, str]


@dataclass(frozen=True)
class Test:
    """Two variables that are related given some others, and apart given more, or the reverse."""

    a: str
    b: str
    given: tuple[str, ...]
    by: str
    """The variable that makes the difference: it parts the two, or it relates them."""
    log_p: float
    """ln of the probability of so clear a relation by chance, where they are related."""


@dataclass(frozen=True)
class SupportedArrow:
    """An arrow with tests of its own: its cause is one, perhaps through others."""

    cause: str
    effect: str
    parted: Test
    """The cause parts its effect from another variable; so it is a cause of one of the two."""
    related: Test | None
    """Of the other it is none: it relates that with a third. None where this was known."""


@dataclass(frozen=True)
class RemovedEdge:
    """An edge of the best network that tests took away."""

    a: str
    b: str
    given: tuple[str, ...]
    """What parts the two."""
    by: tuple[str, ...]
    """Each of these relates them again."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Hidden(ShowsItself):
    """What the table says of causes if some may be hidden; ``print(h.summary)`` tells it."""

    pag: Pag
    """The graph. Its separations are those of the best network, less what tests took away."""
    dag: Dag
    """The best network, which has no hidden causes."""
    supported: tuple[SupportedArrow, ...]
    """The arrows of the graph with tests of their own."""
    removed: tuple[RemovedEdge, ...]
    """The edges of the network that are not in the graph."""
    rows_independent: bool = True
    """Whether tests mean what they say; where rows depend on each other, none were done."""
    resamples: int = 0
    """Tables drawn from the rows on which all of this was done again."""
    edge_shares: Mapping[Pair, Mapping[str, float]] = field(default_factory=dict, repr=False)
    """By two names in the order of their letters: in which shares of these tables they are joined
    by which edge, as written from the first to the second."""
    support_shares: Mapping[Pair, float] = field(default_factory=dict, repr=False)
    """By cause and effect: in which share of these tables tests supported the arrow."""
    tests: int = 0
    """How many tests were done on the table itself."""
    seconds: float = 0.0
    """How long it took."""
    stopped: str | None = None
    """What ended it early: "time", "interrupt"."""

    @property
    def arrows(self) -> tuple[Pair, ...]:
        """The arrows that tests support, as pairs (cause, effect)."""
        return tuple((each.cause, each.effect) for each in self.supported)

    @property
    def summary(self) -> str:
        """What was found and what it assumes, in words."""
        return summary(self)

    def share(self, a: str, b: str) -> float | None:
        """Return the share of drawn tables in which two variables are joined as they are here."""
        edge = self.pag.edge(a, b)  # refuses names that are not there
        if not self.resamples:
            return None
        pair = min(a, b), max(a, b)
        edge = self.pag.edge(*pair)
        shares = self.edge_shares.get(pair, {})
        return shares.get(edge, 0.0) if edge else 1.0 - sum(shares.values())

    def features(self, *, frame: str = "polars") -> Any:
        """Return a row for each edge of the graph.

        Parameters
        ----------
        frame
            "polars", "pandas", "pyarrow", or "dict" for lists.

        Returns
        -------
        table
            Columns ``from``, ``edge`` (``->``, ``<->``, ``o->``, ``o-o``) and ``to``. ``visible``:
            whether it is an arrow whose ends no hidden cause drives both. ``supported``: whether it
            is an arrow with tests of its own. ``share`` and ``supported_share``: of the tables
            drawn from the rows, those that have the same edge, and those whose tests support the
            arrow. ``because``: the tests behind an arrow, in words.
        """
        arrows = {(each.cause, each.effect): each for each in self.supported}
        visible = {*self.pag.visible}
        edges = self.pag.edges
        drawn = self.resamples > 0
        columns = {
            "from": pl.Series([a for a, _, _ in edges], dtype=pl.String),
            "edge": pl.Series([edge for _, edge, _ in edges], dtype=pl.String),
            "to": pl.Series([b for _, _, b in edges], dtype=pl.String),
            "visible": pl.Series([(a, b) in visible for a, _, b in edges], dtype=pl.Boolean),
            "supported": pl.Series([(a, b) in arrows for a, _, b in edges], dtype=pl.Boolean),
            "share": pl.Series([self.share(a, b) for a, _, b in edges], dtype=pl.Float64),
            "supported_share": pl.Series(
                [self.support_shares.get((a, b), 0.0) if drawn else None for a, _, b in edges],
                dtype=pl.Float64,
            ),
            "because": pl.Series(
                [because(arrows[a, b]) if (a, b) in arrows else "" for a, _, b in edges],
                dtype=pl.String,
            ),
        }
        return as_frame(columns, frame)

    def __repr__(self) -> str:
        drawn = f", {self.resamples} tables drawn" if self.resamples else ""
        return (
            f"<Hidden: {len(self.pag.names)} variables, {len(self.pag.edges)} edges, "
            f"{len(self.pag.directed)} arrows, {len(self.supported)} supported by tests{drawn}>"
        )
