"""pyAgrum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from benchmarks.compare.behavior import answer
from benchmarks.compare.graphs import around
from benchmarks.compare.peers import each, found
from benchmarks.compare.resample import shares
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


def best_effort(learner: Any, seconds: float) -> dict[str, Any]:
    """Search with a tabu list of 100, 15 steps downhill allowed, and the limit of time."""
    learner.setMaxTime(seconds)
    return _learn(learner, "useLocalSearchWithTabuList", 100, 15)


def tabu_bdeu(learner: Any) -> dict[str, Any]:
    """Search with a tabu list of 100, 15 steps downhill allowed, by BDeu."""
    return _learn(learner, "useLocalSearchWithTabuList", 100, 15, score="BDeu")


def _learn(learner: Any, algorithm: str, *options: Any, score: str = "BIC") -> dict[str, Any]:
    learner.useNoPrior()
    getattr(learner, f"useScore{score}")()
    getattr(learner, algorithm)(*options)
    names = learner.names()
    return found((names[a], names[b]) for a, b in learner.learnDAG().arcs())


def load(**_: Any) -> None:
    """Import, outside the clock."""
    import pyagrum  # noqa: F401


def open_bif(source: str, **_: Any) -> Any:
    """Read a BIF file, outside the clock."""
    import pyagrum as gum

    return gum.loadBN(source)


def write_bif(net: Any, target: str, **_: Any) -> None:
    """Write a BIF file."""
    import pyagrum as gum

    gum.saveBN(net, target)


def read_bif(_: None, source: str) -> None:
    """Read a BIF file."""
    open_bif(source)


def read_all_bif(_: None, sources: dict[str, str]) -> dict[str, Any]:
    """Read many and say what is in them."""
    return each(sources, lambda source: _describe(open_bif(source)))


def _describe(net: Any) -> dict[str, Any]:
    content = {}
    for node in net.nodes():
        cpt, variable = net.cpt(node), net.variable(node)
        *parents, _ = reversed(cpt.names)  # as the array's axes: its own comes last
        content[variable.name()] = {
            "states": list(variable.labels()),
            "parents": list(parents),
            "table": cpt.toarray().tolist(),
        }
    return content


def neighbors(learner: Any) -> dict[str, Any]:
    """Read neighbors off what MIIC learns, its default method by information."""
    learner.useMIIC()
    return _around(learner, blankets=False)


def blankets(learner: Any) -> dict[str, Any]:
    """Read blankets off the network that hill climbing learns."""
    learner.useNoPrior()
    learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    return _around(learner, blankets=True)


def _around(learner: Any, *, blankets: bool) -> dict[str, Any]:
    names = learner.names()
    arcs = [(names[a], names[b]) for a, b in learner.learnDAG().arcs()]
    return {name: sorted(near) for name, near in around(names, arcs, blankets=blankets).items()}


def confidence(learner: Any, samples: int = 100) -> list[Any]:
    """Climb with rows weighted by how often a sample draws them."""
    rng = np.random.default_rng(0)
    rows = learner.nbRows()

    def drawn() -> Iterator[Any]:
        for _ in range(samples):
            weights = np.bincount(rng.integers(rows, size=rows), minlength=rows)
            for row, weight in enumerate(weights.tolist()):
                learner.setRecordWeight(row, float(weight))
            yield learner

    return shares(drawn(), hill_climbing)


def behavior(_: None, what: str) -> dict[str, Any]:
    """Try odd tables, Ctrl-C, or the same again."""
    return answer("pyagrum", what)
