"""The distribution made to trap greedy equivalence search.

Examples 1 and 2 of Nielsen, Kočka and Peña, On Local Optima in Learning Bayesian Networks,
UAI 2003. Four variables in an undirected cycle X - Y - Z - U: no DAG shows both of its
independences, so two models are inclusion optimal, with 19 and 23 parameters. Independent groups
of four multiply these to 2 to the power of their number. With the margins as printed greedy search
escapes; margins that round to them exist with which it does not (docs/reproduce/kes-table-1.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.errors import ParameterError
from dagscape.files.text import MAX_VARIABLES
from dagscape.graphs import Dag
from dagscape.networks.ipf import fit_margins
from dagscape.networks.network import Network

if TYPE_CHECKING:
    from dagscape.networks.nodes.table import Table

_REFERENCE = (
    "J. D. Nielsen, T. Kočka, J. M. Peña. On Local Optima in Learning Bayesian Networks. "
    "In Proceedings of the 19th Conference on Uncertainty in Artificial Intelligence (UAI), 2003."
)
_NAMES = ("X", "Y", "Z", "U")
_SHAPE = (4, 2, 2, 2)

Margins = tuple[Sequence[float], float]
"""p(X, first state of Y), by state of X, and p(Y, Z) where both are in the first state."""

PRINTED: Margins = ((0.22, 0.03, 0.22, 0.03), 0.35)
"""The digits of the paper."""

# The smaller of the two inclusion-optimal models; the other has Z -> U and X -> Z instead of
# Y -> U and U -> Z.
_ARCS = (("X", "Y"), ("X", "U"), ("Y", "U"), ("Y", "Z"), ("U", "Z"))


def trap(groups: int = 10, margins: Margins = PRINTED) -> Network:
    """Return the network of the Trap data: independent groups of four variables.

    Each group Xi (four states), Yi, Zi, Ui (two states) follows one distribution with two
    inclusion-optimal models, of 19 and 23 parameters; the network shows the smaller one.

    Parameters
    ----------
    groups
        How many there are.
    margins
        p(X, first state of Y), for each state of X, which add up to a half, and p(Y, Z) where both
        are in the first state. The other margins follow by the symmetries of the printed ones,
        which these are if not given.
    """
    most = MAX_VARIABLES // 4
    if not isinstance(groups, int | np.integer) or not 1 <= groups <= most:
        raise ParameterError(f"groups must be at least 1 and at most {most:,}, got {groups!r}")
    joint = trap_joint(_checked(margins))
    names, arcs, tables, states = [], [], {}, {}
    for group in range(1, int(groups) + 1):
        names += [f"{v}{group}" for v in _NAMES]
        arcs += [(f"{a}{group}", f"{b}{group}") for a, b in _ARCS]
        for v, size in zip(_NAMES, _SHAPE, strict=True):
            parents = [p for p in _NAMES if (p, v) in _ARCS]
            tables[f"{v}{group}"] = conditional(joint, _NAMES, parents, v)
            states[f"{v}{group}"] = [str(code) for code in range(size)]
    return Network(Dag(names, arcs), states, tables, name="trap", reference=_REFERENCE)


def _checked(margins: Margins) -> Margins:
    """Refuse anything but margins of four states and of two."""
    try:
        own, same = [float(p) for p in margins[0]], float(margins[1])
        fits = len(margins) == 2 and len(own) == 4 and 0 < same < 0.5
        fits = fits and all(p > 0 for p in own) and abs(sum(own) - 0.5) < 1e-9
    except (TypeError, ValueError, IndexError, KeyError):
        fits = False
    if not fits:
        raise ParameterError(
            "margins must be four numbers above 0 that add up to 0.5, and one between 0 and 0.5, "
            f"got {margins!r}"
        )
    return own, same


def trap_joint(margins: Margins = PRINTED) -> Table:
    """Return the joint table of one group, axes X, Y, Z, U."""
    own, same = margins
    yx = np.array([own, own[::-1]])  # a line for each state of Y
    ux = yx[:, [0, 2, 1, 3]]
    equal = [[same, 0.5 - same], [0.5 - same, same]]
    tables: list[tuple[Sequence[int], npt.ArrayLike]] = [
        ((0, 1), yx.T),
        ((0, 3), ux.T),
        ((1, 2), equal),
        ((2, 3), equal),
    ]
    return fit_margins(np.full(_SHAPE, 1 / np.prod(_SHAPE)), tables)


def conditional(joint: Table, names: Sequence[str], parents: Sequence[str], child: str) -> Table:
    """Return P(child | parents) of a joint table with no empty parent configuration."""
    kept = [names.index(x) for x in (*parents, child)]
    rest = tuple(axis for axis in range(joint.ndim) if axis not in kept)
    family = joint.sum(axis=rest).transpose(np.argsort(np.argsort(kept)))
    return np.asarray(family / family.sum(axis=-1, keepdims=True))
