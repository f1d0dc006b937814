"""Weighted sums of columns that never become NaN, and do not depend on the columns' order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dagscape.networks.nodes.node import Floats

LARGEST = float(np.finfo(np.float64).max)


def away_from(column: Floats, center: float) -> Floats:
    """Return how far numbers are from a center, at most the largest number there is."""
    with np.errstate(over="ignore"):
        return np.clip(column - center, -LARGEST, LARGEST)


def total(terms: Sequence[Floats]) -> Floats:
    """Return the sum of products; infinite if it is beyond the largest number there is."""
    # Sorted, so that the last bit does not depend on the order in which the parents are listed.
    ordered = np.sort(np.stack(terms), axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        found: Floats = ordered.sum(axis=0)
    found[np.isnan(found)] = np.inf  # two infinite terms of different signs
    return found


def times(slope: Floats, column: Floats) -> Floats:
    """Return a product that may be infinite, without a warning."""
    with np.errstate(over="ignore", under="ignore"):
        found: Floats = slope * column
    return found
