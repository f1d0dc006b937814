"""What kind of numbers a posterior tells, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from dagscape.claims.scopes import Scope
from dagscape.notes import Note
from dagscape.posteriors.agreement import Agreement
from dagscape.posteriors.pieces import ChainPool
from dagscape.scores import Score
from dagscape.words import counted

AT_RANDOM = "; cells are taken to be missing at random"
IN_PARTS = {
    "survey_weights": "; approximate, as rows count by survey weights",
    "clusters": "; approximate, as rows of one subject count in part",
}
"""What probabilities are where rows count as parts of cases, by the kind of note that says so."""


def claim(
    scope: Scope,
    score: Score,
    dropped: float,
    resamples: int,
    chains: Agreement | None,
    pooled: Sequence[ChainPool],
    *,
    both: bool = False,
    notes: Sequence[Note] = (),
) -> str:
    """Say how probabilities came about, over which networks, by what score and prior.

    Parameters
    ----------
    both
        Whether the posterior of the table itself counts half.
    notes
        What is to be known of the table.
    """
    over = str(scope)
    if dropped > 0:
        over += f", but for some that weigh at most {dropped:.1g} of the rest"
    if resamples:
        tables = counted(resamples, "table")
        head = (
            f"mean of the posteriors of {tables} drawn from the rows, each by {_way(pooled)} {over}"
        )
        if both:
            own = "" if chains is None else f" ({_chains(chains)}, {_agree(chains)})"
            head = f"half the posterior of the table itself{own}, half the {head}"
        if pooled:
            head += f"; chains on one table differ by {_apart(pooled)} in the mean"
    elif chains is not None:
        head = f"sampled: {_chains(chains)} over {over}, {_agree(chains)}"
    else:
        head = f"{'proven bounds' if dropped > 0 else 'exact'}: sums over {over}"
    stands = "" if score.base.marginal else ", which stands in for a probability"
    assumed = AT_RANDOM if chains is not None and chains.completed else ""
    kinds = {note.kind for note in notes}
    parts = "".join(words for kind, words in IN_PARTS.items() if kind in kinds)
    return f"{head}; score {score.base}{stands}; prior {score.prior}{assumed}{parts}"


def _chains(chains: Agreement) -> str:
    words = counted(chains.chains, "chain")
    if not chains.completed:
        return words
    tables = counted(chains.completed, "table")
    return f"{words}, through {tables} with drawn cells{' each' * (chains.chains > 1)},"


def _way(pooled: Sequence[ChainPool]) -> str:
    return f"{counted(pooled[0].chains, 'chain')} over" if pooled else "sums over"


def _apart(pooled: Sequence[ChainPool]) -> str:
    return f"{sum(each.apart for each in pooled) / len(pooled):.2g} in one arc"


def _agree(chains: Agreement) -> str:
    """Say how far chains agree, and where they do not."""
    if chains.chains < 2:
        return "which has nothing to be compared with: how far it is off is not known"
    starts = f"from {counted(len(set(chains.starts)), 'kind')} of starts"
    if not chains.arcs:
        return f"{starts}, which agree"
    a, b, low, high = chains.arcs[0]
    said = f"{starts}, arcs within {chains.error:.2g} ({a} -> {b} from {low:.2g} to {high:.2g})"
    return said if chains.together else f"{said}, so that they have not come together"
