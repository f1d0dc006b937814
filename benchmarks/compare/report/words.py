"""Figures as text."""

from __future__ import annotations

import math


def seconds(value: float) -> str:
    """Return seconds with two digits that count, from a tenth of a millisecond."""
    if value <= 0:
        return "0"
    digits = min(4, max(0, 1 - math.floor(math.log10(value))))
    return f"{value:,.{digits}f}"


def times(value: float) -> str:
    """Return a ratio: two digits below ten, whole numbers above."""
    return f"{value:,.0f} ×" if value >= 10 else f"{value:.2g} ×"
