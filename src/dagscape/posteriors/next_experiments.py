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

OpenEdges = tuple[tuple[int, int], ...]
"""Edges without a direction, by the numbers of their ends."""


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
        codes = list(networks.codes)
        before, *after = self._families
        now = self._looked_at(networks.variables, codes, before)
        counts = np.array([len(edges) for edges in now], dtype=float)
        found = [counts]
        # An experiment on a variable without an open edge tells nothing new.
        ends = [{v for edge in edges for v in edge} for edges in now]
        for v, family in enumerate(after):
            own = counts.copy()
            if some := [at for at, open_ends in enumerate(ends) if v in open_ends]:
                left = self._looked_at(networks.variables, [codes[at] for at in some], family)
                own[some] = [len(edges) for edges in left]
            found.append(own)
        return np.array([float(np.dot(own, shares)) for own in found])

    def _looked_at(
        self, variables: int, codes: Sequence[bytes], family: Mapping[str, Targets]
    ) -> list[OpenEdges]:
        """Return the open edges of each network, by numbers of their ends."""
        if self._knowledge is None:
            kinds = kinds_in(list(family.values()), self._names)
            classes = _core.class_codes(variables, codes, kinds)
            known = {
                code: tuple(_core.decode_graph(variables, code).undirected)
                for code in dict.fromkeys(classes)
            }
            return [known[code] for code in classes]
        return self._obeying(variables, codes, family, self._knowledge)

    def _obeying(
        self,
        variables: int,
        codes: Sequence[bytes],
        family: Mapping[str, Targets],
        knowledge: Knowledge,
    ) -> list[OpenEdges]:
        number = {name: v for v, name in enumerate(self._names)}
        known: dict[Mpdag, OpenEdges] = {}
        found = []
        for code in codes:
            arcs = _core.decode_graph(variables, code).directed
            dag = Dag(self._names, [(self._names[a], self._names[b]) for a, b in arcs])
            graph = dag.to_mpdag(family)
            if graph not in known:
                edges = knowledge.orient(graph).undirected
                known[graph] = tuple((number[a], number[b]) for a, b in edges)
            found.append(known[graph])
        return found


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
