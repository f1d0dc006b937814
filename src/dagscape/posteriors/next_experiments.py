"""Which experiment would settle most directions, by the networks of a posterior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape import _core
from dagscape.graphs import Dag, Mpdag
from dagscape.posteriors.pieces import Networks
from dagscape.targets import Targets, kinds_in
from dagscape.variables import Variables

if TYPE_CHECKING:
    from dagscape.knowledge import Knowledge

MOST_NETWORKS = 2000
"""Networks that are looked at: of more, so many by their probability."""
MOST_WITH_KNOWLEDGE = 200
"""The same where knowledge directs edges too, which takes longer."""
NEW = "the next experiment"


class Settling:
    """How many edges have no direction now, and after an experiment on each variable.

    The experiment is ideal: it takes the variable from its causes, and has rows enough to tell all
    that such rows can tell.
    """

    def __init__(
        self,
        variables: Variables,
        experiments: Mapping[str, Targets],
        knowledge: Knowledge | None,
    ) -> None:
        self._variables = variables
        self._names = variables.in_engine_order()
        self._knowledge = knowledge
        before = dict(experiments) or {"": {}}
        self._families = [
            before,
            *({**before, NEW: {name: "randomized"}} for name in self._names),
        ]

    def open_edges(self, networks: Networks) -> NDArray[np.float64]:
        """Return the expected number of open edges: now, then after each experiment."""
        most = MOST_NETWORKS if self._knowledge is None else MOST_WITH_KNOWLEDGE
        listed = not networks.drawn and self._knowledge is None  # all of a few variables
        if len(networks.codes) > most and not listed:
            codes = networks.draw(most, np.random.default_rng(0))
            networks = Networks.from_draws(networks.variables, codes)
        shares = networks.weights / networks.weights.sum()
        if self._knowledge is None:
            counts = [self._counted(networks, family) for family in self._families]
        else:
            counts = [self._obeying(networks, family) for family in self._families]
        return np.array([float(np.dot(own, shares)) for own in counts])

    def _counted(self, networks: Networks, family: Mapping[str, Targets]) -> NDArray[np.float64]:
        kinds = kinds_in(list(family.values()), self._names)
        codes = _core.class_codes(networks.variables, networks.codes, kinds)
        known: dict[bytes, int] = {}
        for code in codes:
            if code not in known:
                known[code] = len(_core.decode_graph(networks.variables, code).undirected)
        return np.array([known[code] for code in codes], dtype=float)

    def _obeying(self, networks: Networks, family: Mapping[str, Targets]) -> NDArray[np.float64]:
        known: dict[Mpdag, int] = {}
        counts = []
        for code in networks.codes:
            arcs = _core.decode_graph(networks.variables, code).directed
            dag = Dag(self._names, [(self._names[a], self._names[b]) for a, b in arcs])
            graph = dag.to_mpdag(family)
            if graph not in known:
                assert self._knowledge is not None, "asked for where there is some"  # noqa: S101
                known[graph] = len(self._knowledge.orient(graph).undirected)
            counts.append(known[graph])
        return np.array(counts, dtype=float)


def ranking(
    names: Sequence[str], found: NDArray[np.float64], errors: NDArray[np.float64]
) -> dict[str, pl.Series]:
    """Return a column for each thing known of an experiment, that which settles most first."""
    settled = found[0] - found[1:]
    order = sorted(range(len(names)), key=lambda v: (-round(float(settled[v]), 12), names[v]))
    made: dict[str, list[Any]] = {
        "variable": [names[v] for v in order],
        "expected_settled": [max(0.0, float(settled[v])) for v in order],
        "error": [float(errors[v]) for v in order],
        "open": [float(found[0]) for _ in order],
    }
    return {name: pl.Series(values) for name, values in made.items()}
