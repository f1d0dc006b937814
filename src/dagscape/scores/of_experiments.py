"""Scores of tables whose rows come from experiments.

A child is scored on the rows in which it was free; what shifts it adds a part of its own. Source:
Cooper and Yoo, Causal discovery from a mixture of experimental and observational data, UAI 1999.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dagscape import _core
from dagscape.targets import OUT

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.data.experiments import Experiments


def by_experiments(
    data: Data, done: Experiments, on: Callable[[Data], _core.SetFunction]
) -> _core.SetFunction:
    """Return what searches see: an ordinary function for each kind of child.

    Variables that were free, and shifted, in the same rows are of one kind. Those that were set in
    every row have no function of their own, and none is asked for.
    """
    kinds: dict[tuple[str, ...], int] = {}
    kind_of = []
    for name in data.variables.in_engine_order():
        states = done.states(name)
        always = all(state == OUT for state in states)
        kind_of.append(-1 if always else kinds.setdefault(states, len(kinds)))
    if not kinds:  # all are set in every row, and nothing is to be learned
        return on(data.part(np.arange(data.n_rows), "interventions"))
    functions = []
    for states in kinds:
        parts = [on(data.part(rows, "interventions")) for rows in done.rows_of(states)]
        functions.append(parts[0] if len(parts) == 1 else _core.SumFunction(parts))
    if len(functions) == 1:
        return functions[0]
    return _core.KindsFunction(functions, [max(0, kind) for kind in kind_of])
