"""What the page says of a claim."""

from __future__ import annotations

import math

import dagscape as ds
from dagscape.words import duration, upwards


def claim_words(result: ds.Result) -> dict[str, str]:
    """Return what a result claims: a sentence for the head, and a few words for its bound."""
    return {
        "claim": result.claim,
        "scope": "" if result.scope.everything else str(result.scope),
        "proof": _proof(result),
        "score_words": f"{result.score_name} score{_optimal(result)}",
        "bound_words": f"bound: {_none_of(result.scope)} scores higher",
    }


def step_words(step: ds.Step) -> str:
    """Return what became of one step of learning."""
    if step.skipped:
        return f"left out: {step.reason}"
    ended = f", stopped by {step.outcome['stopped']}" if "stopped" in step.outcome else ""
    return f"{step.reason} ({duration(step.seconds)}{ended})"


def edge_of_scores(proven: bool, scope: ds.Scope) -> str:
    """Return what a mark at the best possible score, or at a bound, says of what is beyond it."""
    networks = "networks" if scope.everything else str(scope)
    return f"There are no {networks} to the right of the {'optimum' if proven else 'bound'}."


def _optimal(result: ds.Result) -> str:
    if not result.optimal:
        return ""
    return ", optimal" if result.scope.everything else f": none of the {result.scope} has a higher"


def _proof(result: ds.Result) -> str:
    scope = result.scope
    if result.gap is None or result.gap == math.inf:
        return "A better network may exist; nothing is proven about it."
    if result.optimal:
        words = f"{_none_of(scope).capitalize()} scores higher: this is proven."
    else:
        best = "possible score" if scope.everything else f"score of {scope}"
        words = (
            "It is not proven to be the best: it is at most "
            f"{upwards(result.gap)} below the best {best}."
        )
    if scope.candidates_only:
        others = "larger" if scope.complete_to else "other"
        words += f" Networks with {others} parent sets may score higher."
    return words


def _none_of(scope: ds.Scope) -> str:
    return "no network" if scope.everything else f"none of the {scope}"
