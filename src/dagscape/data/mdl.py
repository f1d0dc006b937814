"""Cut points that tell most about another column: Fayyad and Irani's, by description length.

Source: Fayyad and Irani, Multi-Interval Discretization of Continuous-Valued Attributes for
Classification Learning, IJCAI 1993.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def mdl_points(values: NDArray[np.float64], classes: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return where to cut numbers so that the intervals tell of their classes what they can.

    A cut goes where it leaves the least entropy of the classes, and is kept if it shortens the
    description of them by more than it takes to tell where it is; then each side is cut likewise.
    There may be no such cut.
    """
    distinct, place = np.unique(values, return_inverse=True)
    kinds, kind = np.unique(classes, return_inverse=True)
    counts = np.zeros((len(distinct) + 1, len(kinds)))
    np.add.at(counts, (place + 1, kind), 1)
    counts = counts.cumsum(axis=0)  # of the rows before each distinct value
    cuts: list[int] = []
    waiting = [(0, len(distinct))]
    while waiting:
        first, last = waiting.pop()
        cut = _best_cut(counts[first : last + 1] - counts[first])
        if cut is not None:
            cuts.append(first + cut)
            waiting += [(first, first + cut), (first + cut, last)]
    at = np.array(sorted(cuts), dtype=np.int64)
    return np.asarray(distinct[at - 1] + (distinct[at] - distinct[at - 1]) / 2)


def _best_cut(counts: NDArray[np.float64]) -> int | None:
    """Return after how many distinct values to cut, if a cut pays; counts are cumulative."""
    if len(counts) < 3:
        return None
    whole, left = counts[-1], counts[1:-1]
    right = whole - left
    rows = whole.sum()
    on_left, on_right = left.sum(axis=1), right.sum(axis=1)
    entropies = _entropy(left), _entropy(right)
    rest = (on_left * entropies[0] + on_right * entropies[1]) / rows
    best = int(rest.argmin())
    here = float(_entropy(whole[None])[0])
    many = [int((side > 0).sum()) for side in (whole, left[best], right[best])]
    k = many[0]
    told = k * math.log2(3) + math.log2(1 - 2 * 3.0**-k)  # log2(3^k - 2), for any k
    saved = k * here - many[1] * float(entropies[0][best]) - many[2] * float(entropies[1][best])
    if here - float(rest[best]) <= (math.log2(rows - 1) + told - saved) / rows:
        return None
    return best + 1


def _entropy(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy of each row of counts, in bits."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * np.log2(shares), 0.0)
    return np.asarray(-terms.sum(axis=1))
