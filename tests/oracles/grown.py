"""Parents grown and shrunk by definition, and the polish of parent sets: no tree, nothing kept.

A score is a function of a child and a frozen set of parents. Scores that differ by less than
`ROUNDING` are alike, and then the lower variable is taken.

Sources
-------
Andrews, Ramsey, Sanchez Romero, Camchong and Kummerfeld, Fast scalable and accurate discovery of
DAGs using the best order score search and grow-shrink trees, NeurIPS 2023: grow-shrink on a prefix
of an order (section 2), best move of a variable (section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Parents: TypeAlias = frozenset[int]
LocalScore: TypeAlias = Callable[[int, Parents], float]

ROUNDING = 1e-7


@dataclass(frozen=True)
class Rules:
    """What one child's parents must obey."""

    required: Parents
    allowed: Parents
    most: int


def _best(choices: Sequence[tuple[float, Parents]], here: float) -> Parents | None:
    """Return the first of the choices that score most, if that gains."""
    most = max((score for score, _ in choices), default=here)
    if most <= here + ROUNDING:
        return None
    return next(parents for score, parents in choices if score >= most - ROUNDING)


def grow_shrink(score: LocalScore, child: int, before: Iterable[int], rules: Rules) -> Parents:
    """Add the predecessor that gains most until none gains; drop parents likewise."""
    parents = rules.required
    while len(parents) < rules.most:
        others = sorted((set(before) & rules.allowed) - parents)
        grown = [(score(child, parents | {v}), parents | {v}) for v in others]
        if (better := _best(grown, score(child, parents))) is None:
            break
        parents = better
    while True:
        droppable = sorted(parents - rules.required)
        shrunk = [(score(child, parents - {v}), parents - {v}) for v in droppable]
        if (better := _best(shrunk, score(child, parents))) is None:
            return parents
        parents = better


def order_score(score: LocalScore, order: Sequence[int], rules: Sequence[Rules]) -> float:
    """Every variable has what it grows among those before it."""
    return sum(
        score(child, grow_shrink(score, child, order[:at], rules[child]))
        for at, child in enumerate(order)
    )


def changes(parents: Parents, before: Iterable[int], rules: Rules) -> list[Parents]:
    """Return what one addition, removal or exchange makes of a set."""
    others = (set(before) & rules.allowed) - parents
    droppable = parents - rules.required
    added = [parents | {v} for v in others] if len(parents) < rules.most else []
    exchanged = [parents - {u} | {v} for u in droppable for v in others]
    return [*added, *(parents - {u} for u in droppable), *exchanged]
