"""What the page tells of trust: the numbers of every edge, near ties, and what 0.8 has meant."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import numpy as np

import dagscape as ds
from dagscape.claims.verdicts import LOWERINGS, word_of, words_explained
from dagscape.learning import TRUST_LEVELS, LearnedEdge, LearnResult
from dagscape.posteriors import PairChoice
from dagscape.report.page_pairs import NONE, changes_between, edges_of

LEAST = 0.05
"""Pairs outside of all graphs that are less probable are not listed."""
MOST_EDGES = 6_000
"""The most pairs that are listed, beside those of graphs: about a megabyte."""
DRAWN = 500
"""Networks from which it is seen what takes the place of an edge."""
MOST_VARIABLES = 150
"""With more, that is not looked for."""
MUCH = 0.2
"""By so much an edge must be there more often for it to be said to take the place of another."""
PAIR_STATES = ("absent", "forth", "back", "undirected")
"""What a pair can be in an essential graph, as :class:`dagscape.PairChoice` has them."""
TIES = 50
"""Near ties that are listed at most."""


def trust_of(learned: LearnResult) -> dict[str, Any] | None:
    """Return what is known of trust; None where it was not asked for."""
    if learned.posterior is None and learned.stability is None:
        return None
    edges = [
        edge
        for edge in learned.edges
        if edge.in_network or edge.in_consensus or _share(edge) >= LEAST
    ]
    edges, least = _most_probable(edges)
    instead = _instead(learned, edges)
    choices = {frozenset((each.a, each.b)): each for each in learned.consensus_choices}
    number = {name: i for i, name in enumerate(learned.dag.names)}
    rows = []
    for edge in edges:
        row = edge.to_dict() | {"instead": instead.get(frozenset((edge.a, edge.b)), [])}
        row["from"], row["to"] = number[edge.a], number[edge.b]
        row["number_word"] = word_of(_share(edge))
        row["settling"] = _settling(learned, edge)
        choice = choices.get(frozenset((edge.a, edge.b)))
        row["choice"] = None if choice is None else _choice(choice)
        rows.append(row)
    posterior, stability = learned.posterior, learned.stability
    return {
        "edges": rows,
        "least": least,
        "levels": TRUST_LEVELS,
        "lowered": {why: learned.reason_words(why) for why in LOWERINGS},
        "words": words_explained(),
        "claim": None if posterior is None else posterior.claim,
        "choices": None
        if learned.sensitivity is None
        else [str(each) for each in learned.sensitivity.variations],
        "both": posterior is not None and bool(posterior.plain and posterior.resampled),
        "resamples": 0 if posterior is None else posterior.resamples,
        "stability": None
        if stability is None
        else {"samples": stability.runs, "method": stability.method},
        "odds": learned.score_kind is not None and learned.score_kind.base.odds,
        "near": _near(learned),
        "nearest": _nearest(learned),
        "chance": None if learned.chance is None else learned.chance.to_dict(),
        "reliability": None if posterior is None else reliability(learned),
    }


def _most_probable(edges: list[LearnedEdge]) -> tuple[list[LearnedEdge], float]:
    """Return the edges to list, and the number below which some are left out."""
    if len(edges) <= MOST_EDGES:
        return edges, 0.0
    order = sorted(edges, key=lambda edge: -_share(edge))
    first, rest = order[:MOST_EDGES], order[MOST_EDGES:]
    drawn = [edge for edge in rest if edge.in_network or edge.in_consensus]
    return [*first, *drawn], _share(rest[0])


def _choice(choice: PairChoice) -> dict[str, Any]:
    """Return why the graph of least expected error treats an edge differently, as plain values."""
    facts = choice.to_dict()
    shares = {state: round(choice.of(state), 6) for state in PAIR_STATES}
    return shares | {name: facts[name] for name in ("chosen", "likeliest", "reason")}


def _share(edge: LearnedEdge) -> float:
    return (edge.stability if edge.probability is None else edge.probability) or 0.0


def _settling(learned: LearnResult, edge: LearnedEdge) -> str:
    """Return what would settle an edge that is open by its number; "" where nobody can tell."""
    if edge.verdict != "open" or edge.reason or not learned.rows_foretold:
        return ""
    if not learned.rows_independent:  # rows that are no new ones settle nothing
        return ""
    words = str(learned.rows_to_settle(edge.a, edge.b))
    return f"{words[0].upper()}{words[1:]}."


def _instead(
    learned: LearnResult, edges: Iterable[LearnedEdge]
) -> dict[frozenset[str], list[list[Any]]]:
    """Return which edges are there more often in networks that lack an edge."""
    if learned.posterior is None or len(learned.dag.names) > MOST_VARIABLES:
        return {}
    drawn = _drawn(learned.posterior)
    number = {name: i for i, name in enumerate(learned.dag.names)}
    n = len(number)
    joined = np.zeros((len(drawn), n, n), dtype=bool)
    for at, dag in enumerate(drawn):
        for start, end in dag.arcs:
            joined[at, number[start], number[end]] = joined[at, number[end], number[start]] = True
    found = {}
    for edge in edges:
        a, b = number[edge.a], number[edge.b]
        there = joined[:, a, b]
        if not 0.02 < there.mean() < 0.98:
            continue
        rise = joined[~there].mean(axis=0) - joined[there].mean(axis=0)
        rise[a, b] = rise[b, a] = 0
        near = [(rise[v, x], v, x) for v in (a, b) for x in range(n) if rise[v, x] >= MUCH]
        found[frozenset((edge.a, edge.b))] = [
            [v, x, round(float(joined[~there, v, x].mean()), 3), _percent(joined[there, v, x])]
            for _, v, x in sorted(near, reverse=True)[:3]
        ]
    return found


def _percent(some: np.ndarray) -> float:
    return round(float(some.mean()), 3)


def _drawn(posterior: ds.Posterior, count: int = DRAWN) -> list[ds.Dag]:
    """Return networks of the posterior, as many as there are up to a limit."""
    try:
        return posterior.sample(count, seed=0)
    except ds.ParameterError:  # fewer were drawn
        return _drawn(posterior, count // 2) if count > 1 else []


def _near(learned: LearnResult) -> dict[str, Any] | None:
    """Return the networks nearly as good as the best, and what differs in them."""
    if learned.near is None:
        return None
    names = learned.dag.names
    known = learned.scope.knowledge
    over_time = known is not None and known.of_table
    own = edges_of(learned.dag.to_cpdag(), names)
    if over_time:  # which says all directions
        own = edges_of(learned.mpdag, names)
    ties = []
    for each in list(learned.near)[:TIES]:
        edges = edges_of(known.orient(each.cpdag) if over_time and known else each.cpdag, names)
        changes = changes_between(own, edges)
        ties.append({"difference": round(each.difference, 4), "changes": changes})
    return {
        "claim": str(learned.near.claim),
        "more": len(learned.near) - len(ties),
        "classes": known is None,
        "ties": ties,
    }


def _nearest(learned: LearnResult) -> list[list[int]] | None:
    """Return where the graph of least expected error differs: a pair, its edge here and there."""
    if learned.consensus is None:
        return None
    names = learned.dag.names
    number = {name: i for i, name in enumerate(names)}
    own, other = edges_of(learned.mpdag, names), edges_of(learned.consensus, names)
    changes = []
    for edge in learned.differences:
        pair = min(number[edge.a], number[edge.b]), max(number[edge.a], number[edge.b])
        changes.append([*pair, own.get(pair, NONE), other.get(pair, NONE)])
    return changes


def reliability(learned: LearnResult) -> dict[str, Any]:
    """Return what probabilities have meant on tables whose network is known, and on those like it.

    Like it: of the sizes that were measured, the nearest by variables, then by rows.
    """
    text = (files("dagscape.report") / "assets" / "reliability.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    size = {"variables": len(learned.dag.names)}
    if learned.data is not None:
        size["rows"] = learned.data.n_rows
    like = min(found.pop("groups"), key=lambda group: [_off(n, group[k]) for k, n in size.items()])
    beyond = [name for name, many in size.items() if _off(many, found[name])]
    data = learned.data
    kinds = {
        "columns of numbers": data is not None and data.numbers,
        "missing cells": data is not None and data.missing,
        "steps of series for rows": data is not None and data.rows.series is not None,
    }
    unlike = [words for words, there in kinds.items() if there]
    return found | {"like": like, "beyond": beyond, "unlike": unlike}


def _off(many: int, range_: list[int]) -> float:
    """Return how far a number is from a range, as a ratio's logarithm."""
    least, most = range_
    return max(0.0, math.log(least / many), math.log(many / most))
