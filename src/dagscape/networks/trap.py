"""The distribution made to trap greedy equivalence search.

Examples 1 and 2 of Nielsen, Kočka and Peña, On Local Optima in Learning Bayesian Networks,
UAI 2003. Four variables in an undirected cycle X - Y - Z - U: no DAG shows both of its
independences, so two models are inclusion optimal, with 19 and 23 parameters. Independent groups
of four multiply these to 2 to the power of their number. With the margins as printed greedy search
escapes; margins that round to them exist with which it does not (docs/reproduce/kes-table-1.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.errors import ParameterError
from dagscape.files.text import MAX_VARIABLES
from dagscape.graphs import Dag
from dagscape.networks.ipf import fit_margins
from dagscape.networks.network import Network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dagscape.networks.nodes.table import Table

_REFERENCE = (
    "J. D. Nielsen, T. Kočka, J. M. Peña. On Local Optima in Learning Bayesian Networks. "
    "In Proceedings of the 19th Conference on Uncertainty in Artificial Intelligence (UAI), 2003."
)
_NAMES = ("X", "Y", "Z", "U")
_SHAPE = (4, 2, 2, 2)
# As printed, one line for each state of Y or U and one column for each state of X.
_YX = ((0.22, 0.03, 0.22, 0.03), (0.03, 0.22, 0.03, 0.22))
_UX = ((0.22, 0.22, 0.03, 0.03), (0.03, 0.03, 0.22, 0.22))
_SAME = ((0.35, 0.15), (0.15, 0.35))  # p(YZ) and p(UZ)

# The smaller of the two inclusion-optimal models; the other has Z -> U and X -> Z instead of
# Y -> U and U -> Z.
_ARCS = (("X", "Y"), ("X", "U"), ("Y", "U"), ("Y", "Z"), ("U", "Z"))


def trap(groups: int = 10) -> Network:
    """Return the network of the Trap data: independent groups of four variables.

    Each group Xi (four states), Yi, Zi, Ui (two states) follows one distribution with two
    inclusion-optimal models, of 19 and 23 parameters; the network shows the smaller one.
    """
    most = MAX_VARIABLES // 4
    if not isinstance(groups, int | np.integer) or not 1 <= groups <= most:
        raise ParameterError(f"groups must be at least 1 and at most {most:,}, got {groups!r}")
    joint = trap_joint()
    names, arcs, tables, states = [], [], {}, {}
    for group in range(1, int(groups) + 1):
        names += [f"{v}{group}" for v in _NAMES]
        arcs += [(f"{a}{group}", f"{b}{group}") for a, b in _ARCS]
        for v, size in zip(_NAMES, _SHAPE, strict=True):
            parents = [p for p in _NAMES if (p, v) in _ARCS]
            tables[f"{v}{group}"] = conditional(joint, _NAMES, parents, v)
            states[f"{v}{group}"] = [str(code) for code in range(size)]
    return Network(Dag(names, arcs), states, tables, name="trap", reference=_REFERENCE)


def trap_joint() -> Table:
    """Return the joint table of one group, axes X, Y, Z, U."""
    margins: list[tuple[Sequence[int], npt.ArrayLike]] = [
        ((0, 1), np.transpose(_YX)),
        ((0, 3), np.transpose(_UX)),
        ((1, 2), _SAME),
        ((2, 3), _SAME),
    ]
    return fit_margins(np.full(_SHAPE, 1 / np.prod(_SHAPE)), margins)


def conditional(joint: Table, names: Sequence[str], parents: Sequence[str], child: str) -> Table:
    """Return P(child | parents) of a joint table with no empty parent configuration."""
    kept = [names.index(x) for x in (*parents, child)]
    rest = tuple(axis for axis in range(joint.ndim) if axis not in kept)
    family = joint.sum(axis=rest).transpose(np.argsort(np.argsort(kept)))
    return np.asarray(family / family.sum(axis=-1, keepdims=True))
