"""Marginals of a product of tables by variable elimination.

Variables are summed out one by one, each time the one whose summing makes the smallest table
(ties by name); only the tables that mention it are multiplied. Zhang and Poole, 1994.
"""

from __future__ import annotations

import math
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dagscape.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dagscape.networks.tables import Table

MAX_ELIMINATION_CELLS = 1 << 26  # half a gigabyte of probabilities


class Factor(NamedTuple):
    """A table and the variable of each of its axes."""

    names: tuple[str, ...]
    values: Table


def eliminate(factors: Iterable[Factor], wanted: Sequence[str]) -> Table:
    """Return the product of the factors, summed over all variables but the wanted."""
    left = list(factors)
    size = {x: n for f in left for x, n in zip(f.names, f.values.shape, strict=True)}
    around = {x: {x} for x in size}  # the variables of the table that summing x out would touch
    for f in left:
        for x in f.names:
            around[x].update(f.names)
    waiting = set(size) - set(wanted)
    while waiting:
        x = min(waiting, key=lambda v: (math.prod(size[w] for w in around[v]), v))
        touched = [f for f in left if x in f.names]
        rest = tuple(sorted(around[x] - {x}))
        left = [f for f in left if x not in f.names]
        left.append(Factor(rest, _multiply(touched, rest, size)))
        waiting.remove(x)
        for w in rest:  # the variables left over now share a table
            around[w].update(rest)
            around[w].discard(x)
    return _multiply(left, tuple(wanted), size)


def _multiply(factors: Sequence[Factor], keep: tuple[str, ...], size: dict[str, int]) -> Table:
    names = sorted({x for f in factors for x in f.names} | set(keep))
    cells = math.prod(size[x] for x in names)
    if cells > MAX_ELIMINATION_CELLS or len(names) > len(ascii_letters):
        raise ParameterError(
            f"this marginal needs a table of {cells} cells on the way "
            f"(at most {MAX_ELIMINATION_CELLS}); ask for fewer variables, or sample"
        )
    if not factors:
        return np.ones(())
    letter = dict(zip(names, ascii_letters, strict=False))
    axes = ",".join("".join(letter[x] for x in f.names) for f in factors)
    kept = "".join(letter[x] for x in keep)
    # Greedy: in pairs, so that it never loops over the whole product for many small tables.
    product = np.einsum(f"{axes}->{kept}", *(f.values for f in factors), optimize="greedy")
    return np.asarray(product, dtype=np.float64)
