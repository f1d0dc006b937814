"""Ways from a table to a graph, and how far the graph is from the truth."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx

import dagscape as ds

Pair = tuple[str, str]

FRESH_ROWS = 10_000
"""Rows that a network has not seen, for its likelihood."""


@dataclass(frozen=True)
class Answer:
    """A graph of directed and undirected edges; its network where it stands for one."""

    directed: frozenset[Pair]
    undirected: frozenset[frozenset[str]]
    dag: ds.Dag | None = None
    proven: bool = False

    @classmethod
    def of(cls, graph: ds.Mpdag, dag: ds.Dag | None = None, *, proven: bool = False) -> Answer:
        """Return the edges of a graph."""
        return cls(
            frozenset(graph.directed), frozenset(map(frozenset, graph.undirected)), dag, proven
        )

    def edges(self) -> dict[frozenset[str], Pair | None]:
        """Return the edges by their ends, with their direction if they have one."""
        return {frozenset(arc): arc for arc in self.directed} | dict.fromkeys(self.undirected)


Way = Callable[[ds.Data, float, int], Answer]
"""From a table, the seconds at most and a seed."""

SCORES: dict[str, ds.Score] = {
    "bic": ds.BIC(),
    "bdeu 0.1": ds.BDeu(0.1),
    "bdeu 1": ds.BDeu(1),
    "bdeu 10": ds.BDeu(10),
    "qnml": ds.QNML(),
    "fnml": ds.FNML(),
    "aic": ds.AIC(),
}
PRIORS: dict[str, ds.Prior] = {
    "uniform": ds.UniformPrior(),
    "edge": ds.EdgePrior(),
    "fair": ds.FairPrior(),
}


def optimum(score: ds.Score, prior: ds.Prior) -> Way:
    """Return the way to the network with the best score, proven if time is enough."""

    def way(data: ds.Data, seconds: float, seed: int) -> Answer:
        found = ds.learn(
            data,
            score=score,
            prior=prior,
            runs=0,
            resamples=0,
            time_limit=seconds,
            threads=1,
            seed=seed,
        )
        proven = found.optimal and not found.scope.candidates_only
        return Answer.of(found.cpdag, found.dag, proven=proven)

    return way


def bootstrapped(method: str, score: str, level: float, **options: Any) -> Way:
    """Return the way to edges that a share of the resampled tables has, each in its usual form."""

    def way(data: ds.Data, seconds: float, seed: int) -> Answer:
        found = ds.bootstrap(
            data,
            method=method,
            score=score,
            runs=100,
            time_limit=10 * seconds,
            threads=1,
            seed=seed,
            **options,
        )
        shares: dict[frozenset[str], dict[Pair | None, float]] = {}
        rows = found.features("edges", frame="dict")
        for a, b, kind, share in zip(
            rows["from"], rows["to"], rows["kind"], rows["confidence"], strict=True
        ):
            form = (a, b) if kind == "directed" else None
            shares.setdefault(frozenset((a, b)), {})[form] = share
        usual = {
            ends: max(forms, key=lambda form: forms[form])
            for ends, forms in shares.items()
            if sum(forms.values()) >= level - 1e-9
        }
        return Answer(
            frozenset(form for form in usual.values() if form),
            frozenset(ends for ends, form in usual.items() if form is None),
        )

    return way


def consensus(resamples: int, **question: Any) -> Way:
    """Return the way to the class of least expected distance, by the posterior."""

    def way(data: ds.Data, seconds: float, seed: int) -> Answer:
        found = ds.posterior(
            data, resamples=resamples, time_limit=10 * seconds, threads=1, seed=seed, **question
        ).consensus()
        return Answer.of(found, found.to_dag())

    return way


OPTIMA = {
    f"{score}, {prior}": optimum(SCORES[score], PRIORS[prior])
    for score in SCORES
    for prior in PRIORS
}
AVERAGES = {
    "bootstrap of ges, bic, 0.3": bootstrapped("ges", "bic", 0.3),
    "bootstrap of ges, bic, 0.5": bootstrapped("ges", "bic", 0.5),
    "bootstrap of kes, bdeu 1, 0.4": bootstrapped("kes", "bdeu", 0.4, k=0.5),
    "consensus, fair": consensus(0),
    "consensus, uniform": consensus(0, score="bdeu", prior="uniform"),
    "bagged consensus, fair": consensus(20),
}
WAYS: dict[str, Way] = OPTIMA | AVERAGES


def measure(truth: ds.Network, rows: int, seed: int, way: str, seconds: float) -> dict[str, Any]:
    """Sample a table, learn from it, and tell what is wrong with what was learned."""
    data = truth.sample(rows, seed=seed)
    begun = time.process_time()
    try:
        answer = WAYS[way](data, seconds, seed)
    except ds.DagscapeError as error:
        return {"refused": str(error)}
    spent = time.process_time() - begun
    told = errors(answer, Answer.of(truth.dag.to_cpdag(), truth.dag))
    if answer.dag is not None:
        told["heldout"] = _heldout(
            answer.dag, data, truth.sample(FRESH_ROWS, seed=seed + 1_000_000)
        )
        told["blankets"] = ds.slhd(answer.dag, truth.dag, of="blankets")
    return {**told, "proven": answer.proven, "seconds": round(spent, 2)}


def _heldout(dag: ds.Dag, data: ds.Data, fresh: ds.Data) -> float | None:
    """Return the log-likelihood per fresh row; None if a table is too large to be fitted."""
    try:
        return ds.fit(dag, data).log_likelihood(fresh) / fresh.n_rows
    except ds.ParameterError:
        return None


def errors(found: Answer, truth: Answer) -> dict[str, Any]:
    """Count the edges that are right, false, missed and turned, and wrong directed paths."""
    mine, true = found.edges(), truth.edges()
    common = mine.keys() & true.keys()
    turned = sum(mine[ends] != true[ends] for ends in common)
    return {
        "edges": len(true),
        "right": len(common),
        "false": len(mine) - len(common),
        "missed": len(true) - len(common),
        "turned": turned,
        "shd": len(mine) + len(true) - 2 * len(common) + turned,
        "arrows": len(found.directed),
        "true_arrows": len(truth.directed),
        "right_arrows": len(found.directed & truth.directed),
        "paths": len(_paths(found) ^ _paths(truth)),
    }


def _paths(answer: Answer) -> set[Pair]:
    """Return the pairs of variables with a directed path from the first to the second."""
    graph = nx.DiGraph(list(answer.directed))
    return {(a, b) for a in graph for b in nx.descendants(graph, a)}
