"""pyAgrum."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.peers import found
from benchmarks.compare.table import Table

NAME = "pyAgrum"
PACKAGE = "pyagrum"


def prepare(table: Table) -> Any:
    """Make a pandas frame and a learner that holds the table, its prior switched off."""
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    return gum.BNLearner(table.frame())


def hill_climbing(learner: Any) -> dict[str, Any]:
    """Climb greedily by BIC."""
    return _learn(learner, "useGreedyHillClimbing")


def _learn(learner: Any, algorithm: str, *options: Any) -> dict[str, Any]:
    learner.useNoPrior()
    learner.useScoreBIC()
    getattr(learner, algorithm)(*options)
    names = learner.names()
    return found((names[a], names[b]) for a, b in learner.learnDAG().arcs())
