"""What numbers can say of the rows: smooth surfaces, as fine as the rows allow.

What depends on two numbers need not be a sum of curves of each: of three numbers by a line, the
ranks are not. Nor need the curve be the same for all states. So products are taken as well, of as
many powers of ranks as there are rows for, within each cell of states if that is possible; and the
numbers as they are, since most relations are lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

import numpy as np

from dagscape.chance.moments import Values

ROWS_PER_COLUMN = 6
"""With fewer rows for each column of a surface, a rougher one is taken."""
DEGREES = (4, 3, 2)
MOST_PIECES, ROWS_PER_PIECE = 24, 20
"""Of lines that bend, and the rows for each."""
CURVE = 3
"""The powers of a single number that are taken whatever the rows."""


def surfaces(cells: Values, lines: Sequence[Values], measured: Sequence[Values]) -> Values:
    """Return the columns of a smooth surface in some numbers, as fine as the rows allow.

    Parameters
    ----------
    cells
        Indicators of what states meet, all but the first.
    lines, measured
        Of each number its ranks, from 0 to 1, and its values.
    """
    if not lines:
        return np.zeros((len(cells), 0))
    within = np.column_stack([np.ones(len(cells)), cells])
    plain = _columns(lines, measured, 1)
    for columns, fine in _choices(lines, measured):
        width = columns.shape[1] * (within.shape[1] if fine else 1)
        if width <= len(cells) / ROWS_PER_COLUMN:
            if not fine:
                return columns
            return (columns[:, :, None] * within[:, None, :]).reshape(len(cells), -1)
    return plain


def bends(line: Values) -> Values:
    """Return the columns of lines that bend at many places, as fine as the rows allow.

    A wave has more turns than a polynomial of a few powers.

    Parameters
    ----------
    line
        The ranks of a number, from 0 to 1.
    """
    pieces = min(MOST_PIECES, len(line) // ROWS_PER_PIECE)
    knots = np.arange(1, pieces) / max(1, pieces)
    return np.asarray(np.maximum(0.0, line[:, None] - knots))


def _choices(lines: Sequence[Values], measured: Sequence[Values]) -> Iterator[tuple[Values, bool]]:
    """Yield sets of columns, the finest first, and whether to have them within each cell."""
    for degree in (*DEGREES, 1):
        yield _columns(lines, measured, degree), True
    for degree in DEGREES:
        yield _columns(lines, measured, degree), False


def _columns(lines: Sequence[Values], measured: Sequence[Values], degree: int) -> Values:
    """Return all products of up to so many ranks, powers of single ones, and the numbers."""
    ranks = np.column_stack(lines) - 0.5
    some = range(len(lines))
    powers = [
        ranks[:, list(chosen)].prod(axis=1)
        for size in range(1, degree + 1)
        for chosen in combinations_with_replacement(some, size)
    ]
    single = [ranks**power for power in range(degree + 1, CURVE + 1)]
    return np.column_stack([*powers, *single, *measured])
