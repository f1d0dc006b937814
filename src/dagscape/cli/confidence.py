"""How far to trust features: what is asked of many networks, and what they say."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import dagscape as ds

Models: TypeAlias = ds.Landscape | ds.Bootstrap
Columns: TypeAlias = dict[str, list[Any]]


@dataclass(frozen=True)
class Answer:
    """What the networks say."""

    features: Columns
    tradeoff: Columns
    best: float
    """The threshold of least cost."""
    level: float
    """The threshold that is spoken of."""
    counts: tuple[int, int, int]
    """Its tp, fp and fn."""
    least: bool
    """Whether the threshold of least cost costs no less."""


@dataclass(frozen=True)
class Question:
    """What is asked of the networks."""

    kind: str
    weights: str | None
    reference: Any
    threshold: float | str | None
    fp_weight: float
    fn_weight: float

    def check(self, models: type[Models], names: Sequence[str]) -> None:
        """Refuse what is wrong with it before networks are looked for."""
        costs = (self.fp_weight, self.fn_weight)
        models._check(names, self.kind, self.reference, self.weights, *costs)

    def ask(self, models: Models) -> Answer:
        """Return what the networks say."""
        common = {"weights": self.weights, "reference": self.reference}
        best = models.threshold(self.kind, self.fp_weight, self.fn_weight, **common)
        level = self.threshold if isinstance(self.threshold, float) else best
        least = 0.0 if self.threshold is None else level
        at = models.tradeoff(self.kind, thresholds=[level, best], frame="dict", **common)
        cost = [self.fp_weight * at["fp"][i] + self.fn_weight * at["fn"][i] for i in (0, 1)]
        return Answer(
            models.confident(self.kind, least, frame="dict", **common),
            models.tradeoff(self.kind, frame="dict", **common),
            best,
            level,
            (at["tp"][0], at["fp"][0], at["fn"][0]),
            cost[0] <= cost[1],
        )


def as_level(text: str | None) -> float | str | None:
    """Return what --threshold says: a number, or auto."""
    if text is None or text == "auto":
        return text
    try:
        level = float(text)
    except ValueError:
        level = -1.0
    if not 0 <= level <= 1:
        raise ds.ParameterError(f'--threshold must be between 0 and 1, or auto, got "{text}"')
    return level


def judged(found: Models, question: Question, answer: Answer, reference: str | None) -> str:
    """Return how many features a threshold keeps and drops wrongly, and which is the best."""
    a, b = question.fp_weight, question.fn_weight
    least = "fp + fn" if a == b == 1 else f"{a:g} fp + {b:g} fn"
    own = "the best optimum" if isinstance(found, ds.Landscape) else "the network of the data"
    tp, fp, fn = answer.counts
    counts = f"{tp:,} tp, {fp:,} fp, {fn:,} fn against {reference or own}"
    if answer.least:
        return f"threshold {answer.level:g} for {question.kind} has the least {least}: {counts}"
    return (
        f"threshold {answer.level:g} for {question.kind}: {counts}; "
        f"{answer.best:g} has the least {least}"
    )
