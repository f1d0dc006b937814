"""When two scores are the same: one meaning for searches, claims and pages."""

from __future__ import annotations

import math

from dagscape import _core

SAME_SCORE = _core.SAME_SCORE
"""Scores that differ by no more are the same, as the engine has it."""


def rounding(score: float) -> float:
    """Return how far another score may be from this one and still be the same.

    Doubles lose digits of large numbers; nothing is near an infinite one.
    """
    return SAME_SCORE + 1e-13 * abs(score) if math.isfinite(score) else 0.0


def higher(score: float, other: float) -> bool:
    """Tell whether a score is higher than another by more than rounding."""
    return score > other + rounding(other)
