"""Small tables with all that can go wrong in them."""

import numpy as np

import dagscape as ds


def table(codes, arities):
    states = {f"v{v:02}": [str(s) for s in range(r)] for v, r in enumerate(arities)}
    return ds.Data.from_codes(np.asarray(codes), states)


def mixed(seed, n, rows=None):
    """Columns that follow or repeat others, constant ones, unseen states, up to five states."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, 6, n)
    rows = rows or int(rng.integers(2, 200))
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        first, second = rng.integers(0, child, 2)
        share = rng.choice([0.0, 0.3, 0.6, 0.9, 1.0])
        copied = rng.random(rows) < share
        joined = codes[:, first] + (codes[:, second] if rng.random() < 0.5 else 0)
        codes[copied, child] = joined[copied] % arities[child]
    return table(codes, arities.tolist())
