"""PyBNesian."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.behavior import answer
from benchmarks.compare.graphs import around
from benchmarks.compare.peers import found
from benchmarks.compare.resample import resampled, shares
from benchmarks.compare.table import Table

NAME = "PyBNesian"
PACKAGE = "pybnesian"


def prepare(table: Table) -> Any:
    """Make a pandas frame of categories and numbers."""
    import pybnesian  # noqa: F401

    return table.frame()


def hill_climbing(frame: Any) -> dict[str, Any]:
    """Climb greedily by BIC."""
    import pybnesian as pb

    model = pb.hc(frame, bn_type=pb.DiscreteBNType(), score="bic", operators=["arcs"])
    return found(model.arcs())


def hill_climbing_bde(frame: Any) -> dict[str, Any]:
    """Climb greedily by BDe."""
    import pybnesian as pb

    start = pb.DiscreteBN(list(frame.columns))
    search = pb.GreedyHillClimbing()
    return found(search.estimate(pb.ArcOperatorSet(), pb.BDe(frame), start).arcs())


def gaussian_climb(frame: Any) -> dict[str, Any]:
    """Climb greedily by the BIC of Gaussian networks."""
    import pybnesian as pb

    model = pb.hc(frame, bn_type=pb.GaussianNetworkType(), score="bic", operators=["arcs"])
    return found(model.arcs())


def mixed_climb(frame: Any) -> dict[str, Any]:
    """Climb by BIC; no arc goes from numbers to states in its networks."""
    import pybnesian as pb

    model = pb.hc(frame, bn_type=pb.CLGNetworkType(), score="bic", operators=["arcs"])
    return found(model.arcs())


def neighbors(frame: Any) -> dict[str, Any]:
    """Find neighbors by MMPC with its chi-square test."""
    import pybnesian as pb

    graph = pb.MMPC().estimate(pb.ChiSquare(frame))
    pairs = {frozenset(pair) for pair in (*graph.arcs(), *graph.edges())}
    return {
        name: [other for other in graph.nodes() if frozenset((name, other)) in pairs]
        for name in graph.nodes()
    }


def blankets(frame: Any) -> dict[str, Any]:
    """Read blankets off the network that hill climbing learns."""
    import pybnesian as pb

    model = pb.hc(frame, bn_type=pb.DiscreteBNType(), score="bic", operators=["arcs"])
    found_around = around(model.nodes(), model.arcs(), blankets=True)
    return {name: sorted(near) for name, near in found_around.items()}


def confidence(frame: Any, samples: int = 100) -> list[Any]:
    """Climb on samples of the rows; it has no bootstrap of its own."""
    return shares(resampled(frame, samples), hill_climbing)


def behavior(_: None, what: str) -> dict[str, Any]:
    """Try odd tables, Ctrl-C, or the same again."""
    return answer("pybnesian", what)
