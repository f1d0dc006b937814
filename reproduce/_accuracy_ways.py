"""Ways from a table to a graph, and how far the graph is from the truth."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx
from _sizes import likely_size

import dagscape as ds
from dagscape.scores import as_score

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

Chosen = Callable[[ds.Data], ds.Score]
"""A score for each table."""

FIXED: dict[str, ds.Score] = {
    "bic": ds.BIC(),
    "bdeu 0.1": ds.BDeu(0.1),
    "bdeu 1": ds.BDeu(1),
    "bdeu 10": ds.BDeu(10),
    "qnml": ds.QNML(),
    "fnml": ds.FNML(),
    "fitted": ds.FittedDirichlet(),
    "aic": ds.AIC(),
}
RULE = "bdeu by rule"
"""With one equivalent sample size for all columns, which a rule finds in the table."""
SCORES: dict[str, Chosen] = {
    **{name: lambda _, score=score: score for name, score in FIXED.items()},  # type: ignore[misc]
    RULE: lambda data: ds.BDeu(likely_size(data)),
}
PRIORS: dict[str, ds.Prior] = {
    "uniform": ds.UniformPrior(),
    "edge": ds.EdgePrior(2),
    "fair": ds.FairPrior(),
}


SUMMED = 12
"""Variables at most for which a posterior is summed: sums of more would not end in time."""
AVERAGE_TIME = 3
"""How many times as long as an optimum an average may take."""


def optimum(score: Chosen, prior: ds.Prior) -> Way:
    """Return the way to the network with the best score, proven if time is enough."""

    def way(data: ds.Data, seconds: float, seed: int) -> Answer:
        found = ds.learn(
            data,
            score=score(data),
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


def climbed(score: Chosen, prior: ds.Prior) -> Way:
    """Return the way to the network that hill climbing ends at: the same on any machine."""

    def way(data: ds.Data, _seconds: float, seed: int) -> Answer:
        found = ds.hill_climb(data, score=score(data), prior=prior, threads=1, seed=seed)
        return Answer.of(found.cpdag, found.dag)

    return way


def size_of_network(data: ds.Data) -> ds.Score:
    """Return BDeu with the size under which a climbed network is most probable, not the pairs."""
    climbed = ds.hill_climb(
        data, score=as_score(ds.BDeu(likely_size(data)), ds.EdgePrior(2)), restarts=3, threads=1
    ).dag
    sizes = [ds.BDeu(2.0**power) for power in range(-2, 8)]
    return max(sizes, key=lambda kind: ds.score(data, climbed, score=kind))


def bootstrapped(
    method: str, score: str, level: float, prior: str = "uniform", **options: Any
) -> Way:
    """Return the way to edges that a share of the resampled tables has, each in its usual form."""

    def way(data: ds.Data, seconds: float, seed: int) -> Answer:
        found = ds.bootstrap(
            data,
            method=method,
            score=SCORES[score](data),
            prior=PRIORS[prior],
            runs=100,
            time_limit=AVERAGE_TIME * seconds,
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


def consensus(resamples: int, score: str, prior: str) -> Way:
    """Return the way to the class of least expected distance, by the posterior."""

    def way(data: ds.Data, seconds: float, seed: int) -> Answer:
        found = ds.posterior(
            data,
            score=SCORES[score](data),
            prior=PRIORS[prior],
            method="mcmc" if data.n_variables > SUMMED else "auto",
            max_parents=min(4 if data.n_variables <= 40 else 3, data.n_variables - 1),
            resamples=resamples,
            time_limit=AVERAGE_TIME * seconds,
            threads=1,
            seed=seed,
        ).consensus()
        return Answer.of(found, found.to_dag())

    return way


OPTIMA = {
    f"{score}, {prior}": optimum(SCORES[score], PRIORS[prior])
    for score in SCORES
    for prior in PRIORS
}
CLIMBS = {
    f"climb: {score}, {prior}": climbed(SCORES[score], PRIORS[prior])
    for score in SCORES
    for prior in PRIORS
} | {
    f"climb: {name}, edge": climbed(chosen, ds.EdgePrior(2))
    for name, chosen in {
        "bdeu 4": lambda _: ds.BDeu(4),
        f"{RULE}, twice": lambda data: ds.BDeu(2 * likely_size(data)),
        f"{RULE}, four times": lambda data: ds.BDeu(4 * likely_size(data)),
        "bdeu by network": size_of_network,
    }.items()
}
"""As the optima, and other rules for the size, cheap enough for many seeds."""
AVERAGES = {
    "bootstrap of ges, bic, 0.3": bootstrapped("ges", "bic", 0.3),
    "bootstrap of ges, bic, 0.5": bootstrapped("ges", "bic", 0.5),
    "bootstrap of kes, bdeu 1, 0.4": bootstrapped("kes", "bdeu 1", 0.4, k=0.5),
    f"bootstrap of ges, {RULE}, edge, 0.5": bootstrapped("ges", RULE, 0.5, "edge"),
    f"consensus, {RULE}, edge": consensus(0, RULE, "edge"),
    f"consensus, {RULE}, fair": consensus(0, RULE, "fair"),
    "consensus, bdeu 1, fair": consensus(0, "bdeu 1", "fair"),
    "consensus, bdeu 1, uniform": consensus(0, "bdeu 1", "uniform"),
    f"bagged consensus, {RULE}, edge": consensus(20, RULE, "edge"),
}
STRENGTHS = {
    f"climb: {score}, {neighbors:g} neighbors": climbed(SCORES[score], ds.EdgePrior(neighbors))
    for score in (RULE, "fitted")
    for neighbors in (0.5, 1, 2)
}
"""How many neighbors the edge prior had best expect."""
WAYS: dict[str, Way] = OPTIMA | CLIMBS | AVERAGES | STRENGTHS
PUBLISHED_WAYS = (
    *("bic, uniform", "bic, edge", "bdeu 1, edge", "bdeu 10, edge"),
    *(f"{RULE}, edge", f"{RULE}, fair", f"consensus, {RULE}, edge", f"consensus, {RULE}, fair"),
    *(way for way in AVERAGES if way.startswith("bootstrap")),
)
"""What is asked of the design of a published benchmark."""


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
