"""Which series drive which: a network from one step to the next, with time folded away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

Arc = tuple[str, str]


class SummaryGraph:
    """Series, and arcs between them with their lags; immutable. It may have cycles.

    Parameters
    ----------
    names
        The series.
    lags
        For each arc (from, to) after how many steps it acts, 0 for the same step.

    Examples
    --------
    >>> import dagscape as ds
    >>> s = ds.series({"x": [0, 1, 1, 0, 1, 0, 0, 1], "y": [1, 0, 1, 1, 0, 1, 0, 0]}, lags=1)
    >>> ds.exact(s).summary.arcs
    (('x', 'x'), ('y', 'y'))
    """

    __slots__ = ("_lags", "_names")

    def __init__(self, names: Iterable[str], lags: Mapping[Arc, Iterable[int]]) -> None:
        self._names = tuple(names)
        place = {name: number for number, name in enumerate(self._names)}
        ordered = sorted(lags, key=lambda arc: (place[arc[0]], place[arc[1]]))
        self._lags = MappingProxyType({arc: tuple(sorted(set(lags[arc]))) for arc in ordered})

    @property
    def names(self) -> tuple[str, ...]:
        """The series, and what is known ahead, in the order of the table."""
        return self._names

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """Pairs (from, to); a series that its own past drives has an arc to itself."""
        return tuple(self._lags)

    @property
    def lags(self) -> Mapping[Arc, tuple[int, ...]]:
        """After how many steps each arc acts."""
        return self._lags

    @property
    def between(self) -> tuple[Arc, ...]:
        """The arcs without those from a series to itself."""
        return tuple((a, b) for a, b in self._lags if a != b)

    def to_networkx(self) -> nx.DiGraph[str]:
        """Return it as a networkx DiGraph, with the lags of each arc as its attribute ``lags``."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self._names)
        graph.add_edges_from((a, b, {"lags": list(lags)}) for (a, b), lags in self._lags.items())
        return graph

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SummaryGraph):
            return NotImplemented
        return set(self._names) == set(other._names) and dict(self._lags) == dict(other._lags)

    def __hash__(self) -> int:
        return hash((frozenset(self._names), frozenset(self._lags.items())))

    def __repr__(self) -> str:
        own = len(self._lags) - len(self.between)
        arcs = f"{len(self.between)} arcs, {own} to themselves"
        return f"<SummaryGraph: {len(self._names)} series, {arcs}>"
