"""causal-learn: it has no hill climbing and no discrete BIC."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.behavior import answer
from benchmarks.compare.peers import found
from benchmarks.compare.table import Table

NAME = "causal-learn"
PACKAGE = "causal-learn"


def prepare(table: Table) -> Any:
    """Give names and codes; the tool takes an array of numbers."""
    import causallearn.search.ScoreBased.GES  # noqa: F401

    return table.names, table.codes.astype(float) if table.numbers is None else table.numbers


def ges_bdeu(data: Any) -> dict[str, Any]:
    """Greedy equivalence search by BDeu, the one score that it has for discrete data."""
    from causallearn.search.ScoreBased.GES import ges as search

    names, codes = data
    return _read(search(codes, score_func="local_score_BDeu", node_names=list(names))["G"], names)


def gaussian_ges(data: Any) -> dict[str, Any]:
    """Greedy equivalence search by the BIC of Gaussian variables."""
    from causallearn.search.ScoreBased.GES import ges as search

    names, values = data
    return _read(search(values, score_func="local_score_BIC", node_names=list(names))["G"], names)


def gaussian_boss(data: Any) -> dict[str, Any]:
    """Search permutations (BOSS) by the same score."""
    from causallearn.search.PermutationBased.BOSS import boss

    names, values = data
    graph = boss(
        values, score_func="local_score_BIC_from_cov", verbose=False, node_names=list(names)
    )
    return _read(graph, names)


def best_effort(data: Any, seconds: float) -> dict[str, Any]:  # noqa: ARG001
    """Search permutations (BOSS) by BDeu; it takes no limit of time."""
    from causallearn.search.PermutationBased.BOSS import boss

    names, codes = data
    graph = boss(codes, score_func="local_score_BDeu", verbose=False, node_names=list(names))
    return _read(graph, names)


def grasp_bdeu(data: Any) -> dict[str, Any]:
    """Search permutations (GRaSP) by BDeu."""
    from causallearn.search.PermutationBased.GRaSP import grasp

    names, codes = data
    graph = grasp(codes, score_func="local_score_BDeu", verbose=False, node_names=list(names))
    return _read(graph, names)


def exact(data: Any) -> dict[str, Any]:
    """Find the best network by the BIC of Gaussian variables: there is none for discrete ones."""
    from causallearn.search.ScoreBased.ExactSearch import bic_exact_search

    names, codes = data
    graph, _ = bic_exact_search(codes)
    return found((names[a], names[b]) for a, b in zip(*graph.nonzero(), strict=True))


def _read(graph: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Read a graph: row i, column j is -1 for a tail at i, 1 for a head at i."""
    ends = graph.graph
    number = {node.get_name(): i for i, node in enumerate(graph.get_nodes())}
    order = [number[name] for name in names]
    directed, undirected = [], []
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            here, there = ends[order[i], order[j]], ends[order[j], order[i]]
            if here == -1 and there == 1:
                directed.append((a, b))
            elif here == -1 and there == -1 and i < j:
                undirected.append((a, b))
    return found(directed, undirected)


def neighbors(data: Any) -> dict[str, Any]:
    """Read neighbors off the skeleton of PC with G² tests, its method for discrete data."""
    from causallearn.search.ConstraintBased.PC import pc

    names, codes = data
    ends = pc(codes, 0.05, "gsq", show_progress=False).G.graph
    return {a: [b for j, b in enumerate(names) if ends[i, j]] for i, a in enumerate(names)}


def behavior(_: None, what: str) -> dict[str, Any]:
    """Try odd tables, Ctrl-C, or the same again."""
    return answer("causal_learn", what)
