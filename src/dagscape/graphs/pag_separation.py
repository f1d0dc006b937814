"""Separation in an ancestral graph: by the network that hides a cause behind each two-headed edge.

Its separations among the variables are those of the ancestral graph (Richardson and Spirtes,
Ancestral graph Markov models, 2002).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dagscape import _core


class Separation:
    """Which variables of a graph of tails and heads are separated, given which others."""

    def __init__(
        self, member: _core.MarkedGraph, without: Collection[tuple[int, int]] = ()
    ) -> None:
        arcs, hidden = [], member.variables
        for a, edge, b in member.edges:
            if edge == "<->":
                arcs += [(hidden, a), (hidden, b)]
                hidden += 1
                continue
            arc = (a, b) if edge == "->" else (b, a)
            if arc not in without:
                arcs.append(arc)
        self.seen = member.variables
        self.network = _core.Dag(hidden, arcs)
        """The variables first, then the hidden ones."""

    def __call__(self, a: int, b: int, given: Sequence[int] = ()) -> bool:
        """Tell whether two are separated, given others."""
        return self.network.d_separated([a], [b], given)
