"""What the page says of a claim, of the steps that led to it, and of what was known before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import dagscape as ds
from dagscape.claims import Step
from dagscape.claims.claim import Claim
from dagscape.words import duration, first_of, upwards


def claim_words(result: ds.Result) -> dict[str, str]:
    """Return what a result claims: sentences for the head, and a few words for its figures."""
    claim = Claim(result.dag, result.score, result.bound, result.scope, result.without_knowledge)
    about_it = result.scope.admits(result.dag) and not claim.far
    return {
        "claim": result.claim,
        "scope": "" if result.scope.everything or not about_it else str(result.scope),
        "proof": _proof(result, claim),
        "score_words": f"{score_label(result.score_kind, result.score_name)}{_optimal(result)}",
        "bound_words": f"bound: {_none_of(result.scope)} scores higher" if about_it else "",
    }


def score_label(kind: ds.Score | None, name: str) -> str:
    """Return what a number is: a score, or one to which the logarithm of a prior was added."""
    prior = "" if kind is None else prior_words(kind)
    return f"{kind.base} score + ln prior ({prior})" if kind and prior else f"{name} score"


def prior_words(kind: ds.Score) -> str:
    """Return the prior of a score; "" for the uniform one, which adds nothing."""
    return "" if kind.prior == ds.UniformPrior() else str(kind.prior)


def step_words(step: Step) -> str:
    """Return what became of one step of learning."""
    if step.skipped:
        return f"left out: {step.reason}"
    outcome = [duration(step.seconds)]
    if "score" in step.outcome:
        outcome.insert(0, f"score {step.outcome['score']:,.2f}")
    if "stopped" in step.outcome:
        outcome.append(f"stopped by {step.outcome['stopped']}")
    return f"{step.reason} ({', '.join(outcome)})"


def edge_of_scores(proven: bool, scope: ds.Scope) -> str:
    """Return what a mark at the best possible score, or at a bound, says of scores beyond."""
    networks = "networks" if scope.everything else str(scope)
    return f"There are no {networks} to the right of the {'optimum' if proven else 'bound'}."


def _optimal(result: ds.Result) -> str:
    if not result.optimal:
        return ""
    return ", optimal" if result.scope.everything else f", optimal among {result.scope}"


def _proof(result: ds.Result, claim: Claim) -> str:
    scope = result.scope
    if claim.gap is None or claim.gap == math.inf:
        first = "a better network may exist; nothing is proven about it"
    elif not scope.admits(result.dag):
        first = claim.proven
    elif claim.far:
        first = "it is not proven to be the best, and the bound is too far off to say more"
    elif result.optimal:
        first = f"{_none_of(scope)} scores higher: this is proven"
    else:
        best = "possible score" if scope.everything else f"score of {scope}"
        below = f"{upwards(claim.gap)} below the best {best}"
        first = f"it is not proven to be the best: it is at most {below}"
    parts = filter(None, (first, claim.not_proven, claim.cost))
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts)


def _none_of(scope: ds.Scope) -> str:
    return "no network" if scope.everything else f"none of the {scope}"


# What the page tells of knowledge: in words, and as arcs to mark in the drawing.

NAMED = 40
"""The most arcs or variables of a part that are named."""
OVER_TIME = (
    "Columns of the past, and those known ahead, have no parents. The nearest past of a variable "
    "is its parent where the table says so. Arcs within a step are there only if asked for."
)
ALWAYS_SET = (
    "Set in every row: no row tells anything about causes, and no arc leads there, whatever the "
    "truth."
)
OWN_GAPS = (
    "No arc joins a variable and the column that says where it is missing: in those rows there is "
    "no value to compare."
)
DRAWN = 2000
"""The most forbidden arcs that can be drawn."""


def knowledge_of(result: ds.Result) -> dict[str, Any] | None:
    """Return what was known before the search, None where nothing was."""
    known = result.scope.knowledge
    if known is None:
        return None
    number = {name: i for i, name in enumerate(result.dag.names)}
    return {
        "parts": list(_parts(known)),
        "given": _given(result),
        "by": _source(known),
        "required": [[number[a], number[b]] for a, b in known.required],
        "forbidden": [[number[a], number[b]] for a, b in known.forbidden[:DRAWN]],
        "tiers": [[number[name] for name in tier] for tier in known.tiers],
        "roots": [number[name] for name in known.roots],
        "leaves": [number[name] for name in known.leaves],
        "limits": {number[name]: most for name, most in known.max_parents.items()},
    }


def _source(known: ds.Knowledge) -> str:
    """Return what knowledge comes from, to be told of arcs."""
    if not known.of_rows:
        return "time" if known.of_table else "your knowledge"
    parts = {"gaps": known.forbidden, "experiments": known.roots}
    return " and ".join(name for name, part in parts.items() if part)


def _parts(known: ds.Knowledge) -> Iterable[list[str]]:
    """Yield the parts of knowledge: a title, and what it says."""
    if known.of_rows:
        if known.forbidden:
            yield ["Gaps", OWN_GAPS]
        if known.roots:
            yield ["Experiments", f"{_listed(known.roots)}. {ALWAYS_SET}"]
        return
    if known.of_table:
        yield ["Time", OVER_TIME]
        return
    if known.required:
        yield ["Required", _listed([f"{a} → {b}" for a, b in known.required])]
    if known.forbidden:
        yield ["Forbidden", _listed(_forbidden(known.forbidden))]
    if known.tiers:
        tiers = [_listed(tier) for tier in known.tiers]
        order = "; ".join(f"{i}. {names}" for i, names in enumerate(tiers, 1))
        yield ["Tiers", f"{order}. No arc goes from a later tier to an earlier one."]
    if known.roots:
        yield ["Roots", f"{_listed(known.roots)}. They have no parents."]
    if known.leaves:
        yield ["Leaves", f"{_listed(known.leaves)}. They have no children."]
    if known.max_parents:
        limits = [f"{name}: {most}" for name, most in known.max_parents.items()]
        yield ["Most parents", _listed(limits)]


def _forbidden(arcs: Sequence[tuple[str, str]]) -> list[str]:
    """Name forbidden arcs, two opposite ones together."""
    all_of_them = set(arcs)
    words: dict[object, str] = {}
    for a, b in arcs:
        both = (b, a) in all_of_them
        words.setdefault(frozenset((a, b)) if both else (a, b), f"{a} {'–' if both else '→'} {b}")
    return list(words.values())


def _given(result: ds.Result) -> str:
    """Say which directions are due to knowledge alone."""
    implied = [pair for pair in result.mpdag.directed if pair not in set(result.cpdag.directed)]
    if not implied:
        return "All its arrows are where data alone would put them."
    arrows = _listed([f"{a} → {b}" for a, b in implied])
    are = "edge has its direction" if len(implied) == 1 else "edges have their direction"
    return f"{len(implied):,} {are} from it and not from the data: {arrows}."


def _listed(words: Sequence[str]) -> str:
    return first_of(words, NAMED)
