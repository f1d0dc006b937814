"""A bootstrap of ten lines, for tools that have none: networks from samples of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def resampled(frame: Any, samples: int) -> Iterator[Any]:
    """Yield frames with as many rows, drawn with replacement."""
    rng = np.random.default_rng(0)
    for _ in range(samples):
        yield frame.iloc[rng.integers(len(frame), size=len(frame))].reset_index(drop=True)


def shares(frames: Iterator[Any], learn: Callable[[Any], dict[str, Any]]) -> list[Any]:
    """Return pairs of variables with the share of the networks in which they are joined."""
    counts: Counter[tuple[str, str]] = Counter()
    samples = 0
    for frame in frames:
        found = learn(frame)
        counts.update({(min(pair), max(pair)) for pair in (*found["arcs"], *found["undirected"])})
        samples += 1
    return [[a, b, count / samples] for (a, b), count in sorted(counts.items())]
