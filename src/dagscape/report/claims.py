"""What the page says of a claim, and of the steps that led to it."""

from __future__ import annotations

import math

import dagscape as ds
from dagscape.claims import Step
from dagscape.claims.claim import Claim
from dagscape.words import duration, upwards


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
    """Return what a mark at the best possible score, or at a bound, says of what is beyond it."""
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
