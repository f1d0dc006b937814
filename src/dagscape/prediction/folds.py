"""Rows in folds: each state of the target is spread evenly over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def stratified_folds(states: NDArray[np.integer], folds: int, seed: int) -> NDArray[np.intp]:
    """Return the fold of each row, from 0.

    The rows of each state are shuffled and dealt to the folds in turn. Each state's first row goes
    to the fold after the one that got the last row of the state before, so that neither the sizes
    of the folds nor the counts of any state in them differ by more than one.
    """
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(len(states))
    by_state = shuffled[np.argsort(states[shuffled], kind="stable")]
    fold = np.empty(len(states), dtype=np.intp)
    fold[by_state] = np.arange(len(states)) % folds
    return fold
