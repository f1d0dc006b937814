"""pgmpy."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.behavior import answer
from benchmarks.compare.peers import each, found
from benchmarks.compare.resample import resampled, shares
from benchmarks.compare.table import Table

NAME = "pgmpy"
PACKAGE = "pgmpy"


def prepare(table: Table) -> Any:
    """Make a pandas frame of categories."""
    import pgmpy.causal_discovery
    import pgmpy.estimators  # noqa: F401

    return table.frame()


def hill_climbing(frame: Any) -> dict[str, Any]:
    """Climb as by default (a tabu list of 100), by BIC."""
    from pgmpy.causal_discovery import HillClimbSearch

    search = HillClimbSearch(scoring_method="bic-d", return_type="dag", show_progress=False)
    return found(search.fit(frame).causal_graph_.edges())


def hill_climbing_bdeu(frame: Any) -> dict[str, Any]:
    """Climb as by default, by BDeu with its default sample size of 10."""
    return _climbed(frame, "bdeu")


def ges(frame: Any) -> dict[str, Any]:
    """Greedy equivalence search by BIC: insertions, deletions and turns."""
    from pgmpy.causal_discovery import GES

    graph = GES(scoring_method="bic-d", return_type="pdag").fit(frame).causal_graph_
    return found(graph.directed_edges, graph.undirected_edges)


def gaussian_climb(frame: Any) -> dict[str, Any]:
    """Climb as by default by the BIC of Gaussian networks."""
    return _climbed(frame, "bic-g")


def mixed_climb(frame: Any) -> dict[str, Any]:
    """Climb as by default by the conditional Gaussian BIC."""
    return _climbed(frame, "bic-cg")


def _climbed(frame: Any, score: str) -> dict[str, Any]:
    from pgmpy.causal_discovery import HillClimbSearch

    search = HillClimbSearch(scoring_method=score, return_type="dag", show_progress=False)
    return found(search.fit(frame).causal_graph_.edges())


def gaussian_ges(frame: Any) -> dict[str, Any]:
    """Greedy equivalence search by the BIC of Gaussian networks."""
    from pgmpy.causal_discovery import GES

    graph = GES(scoring_method="bic-g", return_type="pdag").fit(frame).causal_graph_
    return found(graph.directed_edges, graph.undirected_edges)


def exact(frame: Any) -> dict[str, Any]:
    """Look at every DAG."""
    from pgmpy.estimators import ExhaustiveSearch

    dag = ExhaustiveSearch(frame, scoring_method="bic-d", use_cache=True).estimate()
    return found(dag.edges(), proven=True)


def load(**_: Any) -> None:
    """Import, outside the clock."""
    import pgmpy.readwrite  # noqa: F401


def open_bif(source: str, **_: Any) -> Any:
    """Read a BIF file, outside the clock."""
    from pgmpy.readwrite import BIFReader

    return BIFReader(source).get_model()


def write_bif(model: Any, target: str, **_: Any) -> None:
    """Write a BIF file."""
    from pgmpy.readwrite import BIFWriter

    BIFWriter(model).write(target)


def read_bif(_: None, source: str) -> None:
    """Read a BIF file."""
    open_bif(source)


def read_all_bif(_: None, sources: dict[str, str]) -> dict[str, Any]:
    """Read many and say what is in them."""
    return each(sources, lambda source: _describe(open_bif(source)))


def _describe(model: Any) -> dict[str, Any]:
    import numpy as np

    content = {}
    for cpd in model.get_cpds():
        name, *parents = cpd.variables
        content[str(name)] = {
            "states": [str(state) for state in cpd.state_names[name]],
            "parents": [str(parent) for parent in parents],
            "table": np.moveaxis(np.asarray(cpd.values), 0, -1).tolist(),
        }
    return content


def neighbors(frame: Any) -> dict[str, Any]:
    """Find neighbors by MMPC, the one local method that it has."""
    from pgmpy.estimators import MmhcEstimator

    skeleton = MmhcEstimator(frame).mmpc()
    return {str(name): [str(near) for near in skeleton.neighbors(name)] for name in skeleton}


def blankets(frame: Any) -> dict[str, Any]:
    """Read blankets off the network that hill climbing learns."""
    from pgmpy.causal_discovery import HillClimbSearch

    search = HillClimbSearch(scoring_method="bic-d", return_type="dag", show_progress=False)
    dag = search.fit(frame).causal_graph_
    return {str(name): [str(near) for near in dag.get_markov_blanket(name)] for name in dag}


def confidence(frame: Any, samples: int = 100) -> list[Any]:
    """Climb on samples of the rows; it has no bootstrap of its own."""
    return shares(resampled(frame, samples), hill_climbing)


def behavior(_: None, what: str) -> dict[str, Any]:
    """Try odd tables, Ctrl-C, or the same again."""
    return answer("pgmpy", what)
