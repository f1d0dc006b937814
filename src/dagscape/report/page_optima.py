"""What the page tells of many models: their scores, how they differ, thresholds to choose."""

from __future__ import annotations

import math
from typing import Any

import dagscape as ds
from dagscape.landscape import Optimum
from dagscape.report.claims import edge_of_scores, score_label
from dagscape.report.page_pairs import Models, changes_between, edges_of

LISTED = 200
"""The most models whose differences to the best are listed."""
DIFFERENCES = 30_000
"""The most differences listed, less than half a megabyte."""
LEVELS = tuple(i / 100 for i in range(1, 101))
"""The thresholds that the slider can take."""
BLANKET_PAIRS = 12_000
"""The most pairs of Markov blankets listed, the most certain first."""


def models_of(
    models: Models, result: ds.Result, truth: ds.Cpdag | None, weights: str | None
) -> dict[str, Any]:
    """Return what many models say, beside a result."""
    among = models.optima if isinstance(models, ds.Landscape) else models.networks
    references = {"found": result.dag.to_cpdag()} | ({} if truth is None else {"truth": truth})
    return {
        "kind": "optima" if isinstance(models, ds.Landscape) else "samples",
        "said": repr(models).strip("<>"),
        "weights": models.WEIGHTS[0] if weights is None else weights,
        "runs": models.runs,
        "seed": models.seed,
        "stopped": models.stopped,
        "score_name": models.score_name,
        "score_label": score_label(models.score_kind, models.score_name),
        "scores": [round(model.score, 4) for model in among],
        "visits": [model.visits for model in among],
        "optimum": best_possible(models, result),
        "differences": _differences(among, result),
        "thresholds": {
            kind: models.threshold(kind, weights=weights, reference=references["found"])
            for kind in ("edges", "paths", "blankets")
        },
        "tradeoff": {
            of: {kind: _tradeoff(models, kind, graph, weights) for kind in ("paths", "blankets")}
            for of, graph in references.items()
        },
        "blankets": _blankets(models, result.dag.names, weights),
    }


def best_possible(models: Models, result: ds.Result | None = None) -> dict[str, Any] | None:
    """Return the best score there is, or a bound on it, as far as a proof is known.

    One about the candidate parent sets of its search says nothing about other networks, and one
    about networks with few parents nothing about the score of a network that has more.
    """
    proofs = [result] if result is not None and result.score_kind == models.score_kind else []
    if isinstance(models, ds.Landscape) and models.proof is not None:
        proofs.append(models.proof)
    known = [
        (not proof.optimal, proof.bound, edge_of_scores(proof.optimal, proof.scope))
        for proof in proofs
        if proof.bound is not None
        and math.isfinite(proof.bound)
        and proof.scope.about_any_search
        and proof.scope.admits(proof.dag)
    ]
    if not known:
        return None
    open_, bound, words = min(known)
    return {"score": bound, "proven": not open_, "words": words}


def _differences(among: tuple[Optimum, ...], result: ds.Result) -> list[list[list[int]]]:
    """Return for each of the best models the edges that it has otherwise than the network found."""
    names = result.dag.names
    own = edges_of(result.cpdag, names)
    listed: list[list[list[int]]] = []
    room = DIFFERENCES
    for model in among[:LISTED]:
        other = changes_between(own, edges_of(model.cpdag, names))
        room -= len(other)
        if room < 0:
            break
        listed.append(other)
    return listed


def _tradeoff(
    models: Models, kind: str, reference: ds.Cpdag, weights: str | None
) -> list[list[int]]:
    rows = models.tradeoff(kind, reference, LEVELS, weights=weights, frame="dict")
    return [list(row) for row in zip(rows["tp"], rows["fp"], rows["fn"], strict=True)]


def _blankets(models: Models, names: tuple[str, ...], weights: str | None) -> list[list[Any]]:
    """Return pairs that are in each other's Markov blanket, with the share of models."""
    number = {name: i for i, name in enumerate(names)}
    rows = models.features("blankets", weights=weights, frame="dict")
    ends = zip(rows["from"], rows["to"], rows["confidence"], strict=True)
    pairs = [[number[a], number[b], round(share, 4)] for a, b, share in ends if share > 0]
    return pairs[:BLANKET_PAIRS]
