"""Tables from which cells are taken away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import dagscape as ds


def holed(whole: ds.Data, share: float, seed: int = 0) -> ds.Data:
    """Return the table with a share of its cells removed at random."""
    gaps = np.random.default_rng(seed).random((whole.n_rows, whole.n_variables)) < share
    return without(whole, gaps)


def without(whole: ds.Data, gaps: NDArray[np.bool_]) -> ds.Data:
    """Return the table without these cells."""
    frame = {}
    for place, x in enumerate(whole.names):
        column, gone = whole.column(x), gaps[:, place]
        if x in whole.numbers:
            frame[x] = [None if gap else float(v) for v, gap in zip(column, gone, strict=True)]
        else:
            labels = whole.states[x]
            frame[x] = [None if gap else labels[v] for v, gap in zip(column, gone, strict=True)]
    states = {x: own for x, own in whole.states.items() if own}
    kinds = dict.fromkeys(whole.numbers, "continuous")
    return ds.Data(frame, missing="keep", states=states, kinds=kinds)
