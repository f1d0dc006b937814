"""How a number enters the mean of another: as a line, or as one of a few curves.

None grows faster than its argument, so that samples of long chains stay within bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dagscape.arguments import as_list
from dagscape.errors import ParameterError
from dagscape.networks.nodes.node import Floats

LINE = "line"

CURVES: dict[str, Callable[[Floats], Floats]] = {
    LINE: lambda x: x,
    "bend": np.abs,
    "bump": lambda x: np.exp(-np.square(np.clip(x, -1e100, 1e100))),
    "step": lambda x: np.tanh(2.0 * np.clip(x, -1e100, 1e100)),
    "wave": lambda x: np.sin(2.0 * np.clip(x, -1e100, 1e100)),
}
"""|x|, exp(-x²), tanh(2x) and sin(2x), by the look of them."""


def check_curves(curves: Sequence[str], count: int) -> tuple[str, ...]:
    """Return a curve for each parent with numbers; lines where none are named."""
    named = tuple(as_list("curves", curves, "names of curves")) or (LINE,) * count
    for curve in named:
        if not isinstance(curve, str) or curve not in CURVES:
            raise ParameterError(f"a curve must be one of {', '.join(CURVES)}, got {curve!r}")
    if len(named) != count:
        raise ParameterError(
            f"curves must name one for each of {count} slopes, or none, got {len(named)}"
        )
    return named
