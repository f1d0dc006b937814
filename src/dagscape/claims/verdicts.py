"""What an edge is called, and why not more: the one rule, which every place that shows it follows.

A number becomes a word by its level. Some things lower the word, and never below "open": they say
that the number is no evidence for an edge, not that there is none. Each has a code, and words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TRUST_LEVELS = {"near certain": 0.95, "likely": 0.7, "open": 0.3}
"""From these probabilities on, an edge is called so; below the last, unlikely."""

OPEN = TRUST_LEVELS["open"]


@dataclass(frozen=True)
class Lowering:
    """One of the things that lower the word of an edge, in words."""

    why: str
    """Why edges are called less."""
    rule: str
    """When that happens, for a list of words and what they mean."""
    among_pairs: bool = False
    """Whether it matters how many pairs there are."""

    def told(self, pairs: int) -> str:
        """Return why edges get a weaker word, in a table with so many pairs."""
        return f"among {pairs:,} pairs, {self.why}" if self.among_pairs and pairs > 1 else self.why


LOWERINGS: Mapping[str, Lowering] = {
    "rows": Lowering(
        "the rows seem to depend on each other", "the rows seem to depend on each other"
    ),
    "chance": Lowering(
        "a column whose rows are shuffled may look as related",
        "as strong a relation is found by chance, where a column's rows are shuffled",
        among_pairs=True,
    ),
    "given": Lowering(
        "a column whose rows are shuffled where the other parents, or a number that both follow "
        "along a curve, are the same may look as related",
        "so it is where rows are shuffled only among those that agree in the network's other "
        "parents, and in a number that both follow along a curve",
        among_pairs=True,
    ),
    "choices": Lowering(
        "by another sensible sample size, prior or cut, no edge is more probable",
        "by another sensible sample size, prior or cut, no edge is more probable than an edge",
    ),
    "error": Lowering(
        "the error reaches below that",
        "the error of the probability reaches below the level",
    ),
    "tables": Lowering(
        "with two more resampled tables, one of them without the edge, the share would be below "
        "that",
        "where stability stands in for a probability, two more resampled tables, one of them "
        "without the edge, would put it below the level",
    ),
}
"""By code, as :attr:`LearnedEdge.reason` has it; of several that lower a word alike, the first."""


@dataclass(frozen=True)
class Verdict:
    """A word for an edge, and what keeps it from the higher one that its number would have."""

    word: str
    reason: str = ""
    """One of :data:`LOWERINGS`; empty where the word is that of the number."""


def verdict_of(share: float, at_most: Mapping[str, float]) -> Verdict:
    """Return what an edge is called.

    Parameters
    ----------
    share
        How much is said for it: a probability, or a stability.
    at_most
        For each thing that may lower the word, by its code, the share that it leaves.
    """
    word = word_of(share)
    left = {why: min(share, max(at_most[why], OPEN)) for why in LOWERINGS if why in at_most}
    reason = min(left, key=lambda why: left[why], default="")
    lowered = word_of(left[reason]) if reason else word
    if lowered == word:
        return Verdict(word)
    return Verdict(lowered, next(why for why in left if word_of(left[why]) == lowered))


def word_of(probability: float) -> str:
    """Return what an edge of this probability is called, as long as nothing lowers it."""
    for word, least in TRUST_LEVELS.items():
        if probability >= least:
            return word
    return "unlikely"


def words_explained() -> str:
    """Return what the words mean, and what lowers them: sentences for a list of terms."""
    levels = ", ".join(f"{word} from {least:g}" for word, least in TRUST_LEVELS.items())
    rules = "; ".join(each.rule for each in LOWERINGS.values())
    return (
        f"{levels[0].upper()}{levels[1:]}, unlikely below. The word is lowered, at most to open, "
        f"where one of these holds: {rules}"
    )
