"""Networks that tables are drawn from, known ones and random ones."""

from __future__ import annotations

import dagscape as ds


def truth_of(name: str, seed: int) -> ds.Network:
    """Return a known network, or a random one of so many variables and two to four states."""
    if not name.startswith("random"):
        return ds.load_network(name)
    n = int(name.split("-")[1])
    return ds.random_network(n, max_parents=3, states=(2, 4), seed=seed)
