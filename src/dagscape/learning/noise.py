"""How much of what looks likely may be chance: evidence, set against the pairs there are.

Among 1,770 pairs of coins some look tied to each other, on 100 flips, by any score. So the evidence
for each pair is counted as odds, and all pairs are set against it. Odds of a score that is a
probability of the rows have a mean of at most 1 where there is nothing (they are e-values): by
chance, a pair reaches odds of K at most once in K times. If so many edges of all pairs have odds of
at least K, at most pairs / (K x edges) of them are due to chance. And unless the mean of the odds
over all pairs is 20, which chance gives to one table in 20 at most, the table shows nothing at all.

Source: Wang and Ramdas, False discovery rate control with e-values, JRSS B 2022: it holds however
the pairs depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from dagscape.scores import BIC, local_score

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.scores import Score

Pair = tuple[str, str]

STRUCTURED = 20.0
"""The mean of the odds over all pairs from which on a table shows something."""


def chance_shares(evidence: Mapping[Pair, float], pairs: int) -> dict[Pair, float]:
    """Return what share of the edges with as much evidence chance may give, at most.

    Parameters
    ----------
    evidence
        Of each edge that looks likely, in nats.
    pairs
        All pairs that could have looked likely.
    """
    if not evidence:  # of a table of one column there are no pairs either
        return {}
    most = max(evidence.values())
    total = most + math.log(math.fsum(math.exp(each - most) for each in evidence.values()) or 1.0)
    if total < math.log(STRUCTURED * pairs):
        return dict.fromkeys(evidence, 1.0)
    ordered = sorted(evidence, key=lambda pair: (evidence[pair], pair))
    shares: dict[Pair, float] = {}
    least = 1.0
    for at, pair in enumerate(ordered):
        # Those with at least as much evidence: itself and all that follow.
        log_share = math.log(pairs) - evidence[pair] - math.log(len(ordered) - at)
        least = min(least, math.exp(min(0.0, log_share)))
        shares[pair] = least
    return shares


def evidence_for(data: Data, dag: Dag, pairs: Iterable[Pair], score: Score) -> dict[Pair, float]:
    """Return the log odds that two variables have to do with each other, for each of the pairs.

    Either by themselves, or given the other parents that one of them has in the network. There
    are many such sets to choose from, and the odds are divided among them.
    """
    # A prior on structures is not evidence; and not every score is about odds.
    scored: Score = score.base if score.base.odds else BIC()
    others = len(dag.names) - 2

    def gain(child: str, parent: str, given: list[str]) -> float:
        whole = local_score(data, child, [*given, parent], score=scored)
        return whole - local_score(data, child, given, score=scored)

    found = {}
    for a, b in pairs:
        best = gain(b, a, []) - math.log(2)
        for parent, child in ((a, b), (b, a)):
            given = [name for name in dag.parents(child) if name != parent]
            if given:
                k = len(given)
                sets = 4 * k * (k + 1) * math.comb(others, k)
                best = max(best, gain(child, parent, given) - math.log(sets))
        found[a, b] = best
    return found
