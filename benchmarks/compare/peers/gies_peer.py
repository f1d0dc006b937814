"""gies: greedy search over the classes that experiments leave, for Gaussian variables."""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.compare.peers import found
from benchmarks.compare.table import TARGET, Table

NAME = "gies"
PACKAGE = "gies"


def prepare(table: Table) -> Any:
    """Make an array for each experiment, and a list of what each set."""
    import gies  # noqa: F401

    at = table.names.index(TARGET)
    names = [name for name in table.names if name != TARGET]
    assert table.numbers is not None, "it takes numbers alone"  # noqa: S101
    values, codes = np.delete(table.numbers, at, axis=1), table.codes[:, at]
    arrays = [np.ascontiguousarray(values[codes == code]) for code in range(len(table.states[at]))]
    targets = [[names.index(name)] if name else [] for name in table.states[at]]
    return names, arrays, targets


def experiments(data: Any) -> dict[str, Any]:
    """Search by the Gaussian BIC, with all phases, as by default."""
    import gies

    names, arrays, targets = data
    graph, _ = gies.fit_bic(arrays, targets)
    ends = [(a, b) for a, b in zip(*graph.nonzero(), strict=True)]
    both = [(names[a], names[b]) for a, b in ends if graph[b, a]]
    directed = [(names[a], names[b]) for a, b in ends if not graph[b, a]]
    return found(directed, [(a, b) for a, b in both if a < b])
