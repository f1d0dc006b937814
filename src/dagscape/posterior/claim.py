"""What kind of numbers a posterior tells, in one sentence."""

from __future__ import annotations

from dagscape.scopes import Scope
from dagscape.scores import Score
from dagscape.words import counted


def claim(scope: Scope, score: Score, dropped: float, resamples: int) -> str:
    """Say how probabilities came about, over which networks, by what score and prior."""
    over = str(scope)
    if dropped > 0:
        over += f", but for some that weigh at most {dropped:.1g} of the rest"
    if resamples:
        tables = counted(resamples, "table")
        head = f"mean of the posteriors of {tables} drawn from the rows, each by sums over {over}"
    else:
        head = f"{'proven bounds' if dropped > 0 else 'exact'}: sums over {over}"
    stands = "" if score.base.marginal else ", which stands in for a probability"
    return f"{head}; score {score.base}{stands}; prior {score.prior}"
