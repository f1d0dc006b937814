"""A network as the engine has it, to ask for exact answers.

The engine joins variables into cliques, in a tree in which messages are passed (Lauritzen and
Spiegelhalter 1988; Jensen, Lauritzen and Olesen 1990). What is observed, and what has no bearing
on the question, takes no part.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.networks.evidence import UNKNOWN, Evidence
from dagscape.words import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dagscape.networks.network import Network
    from dagscape.networks.nodes.table import Table

CELL = 8
"""Bytes of a probability."""


class AnswerCost(NamedTuple):
    """What an exact answer takes."""

    largest: float
    """Cells of the largest table."""
    cells: float
    """Cells of all tables."""

    @property
    def bytes(self) -> float:
        """Memory that the tables take, about."""
        return CELL * (self.cells + self.largest)


class ExactAnswers:
    """Asks the engine, in names."""

    def __init__(self, network: Network) -> None:
        variables = network.dag.variables
        self._names = variables.in_engine_order()
        self._number = {x: v for v, x in enumerate(self._names)}
        self._arities = [len(network.states[x]) for x in self._names]
        self._engine = _core.TableNetwork(
            self._arities,
            [[self._number[p] for p in network.dag.parents(x)] for x in self._names],
            [np.ascontiguousarray(network.table(x)).reshape(-1) for x in self._names],
        )

    def cost(self, targets: Sequence[str], evidence: Evidence) -> AnswerCost:
        """Return what the joint distribution of some variables takes; of each by itself if none."""
        observed = [x in evidence.states for x in self._names]
        return AnswerCost(*self._engine.cost(observed, [self._number[x] for x in targets]))

    def joint(self, targets: Sequence[str], evidence: Evidence, memory: int) -> Table:
        """Return the joint distribution, an axis for each target."""
        wanted = [self._number[x] for x in targets]
        values, log_evidence = self._engine.joint(
            wanted, *self._engine_evidence(evidence), memory // CELL
        )
        self._refuse_impossible(log_evidence, evidence, memory)
        ascending = sorted(range(len(targets)), key=lambda i: wanted[i])
        table = np.asarray(values).reshape([self._arities[wanted[i]] for i in ascending])
        return np.ascontiguousarray(np.transpose(table, np.argsort(ascending)))

    def all_marginals(self, evidence: Evidence, memory: int) -> dict[str, Table]:
        """Return the distribution of every variable, observed ones included."""
        values, log_evidence = self._engine.marginals(
            *self._engine_evidence(evidence), memory // CELL
        )
        self._refuse_impossible(log_evidence, evidence, memory)
        parts = np.split(np.asarray(values), np.cumsum(self._arities)[:-1])
        return dict(zip(self._names, parts, strict=True))

    def most_probable(self, evidence: Evidence, memory: int) -> tuple[dict[str, int], float]:
        """Return the most probable case and ln P(case | evidence)."""
        given = self._engine_evidence(evidence)
        states, log_case = self._engine.most_probable(*given, memory // CELL)
        self._refuse_impossible(log_case, evidence, memory)
        _, log_evidence = self._engine.marginals(*given, memory // CELL)
        return dict(zip(self._names, states, strict=True)), log_case - log_evidence

    def log_probability(self, evidence: Evidence, memory: int) -> float:
        """Return ln P(evidence); minus infinity if it is impossible."""
        return float(self._engine.marginals(*self._engine_evidence(evidence), memory // CELL)[1])

    def predictions(
        self, rows: np.ndarray, target: str, memory: int, threads: int
    ) -> tuple[Table, str]:
        """Return P(target | row) for rows of codes in the order of :attr:`columns`."""
        values, stopped = self._engine.predict(
            np.ascontiguousarray(rows, dtype=np.int32),
            self._number[target],
            memory // CELL,
            threads,
        )
        return np.asarray(values), stopped

    @property
    def columns(self) -> tuple[str, ...]:
        """The variables in the order in which rows of codes have them."""
        return tuple(self._names)

    def _engine_evidence(self, evidence: Evidence) -> tuple[list[int], list[Sequence[float]]]:
        return (
            [evidence.states.get(x, UNKNOWN) for x in self._names],
            [evidence.weights.get(x, ()) for x in self._names],
        )

    def _refuse_impossible(self, log_evidence: float, evidence: Evidence, memory: int) -> None:
        """Say which of the evidence cannot be together, as little of it as will do."""
        if log_evidence > -math.inf:
            return

        def impossible(names: list[str]) -> bool:
            return self.log_probability(evidence.only({*names}), memory) == -math.inf

        needed: list[str] = []
        rest = list(evidence.text)
        while not impossible(needed):  # the first that those after it cannot do without, by halves
            place = bisect_left(
                range(1, len(rest)), 1, key=lambda i: not impossible(needed + rest[i:])
            )
            needed.append(rest[place])
            rest = rest[place + 1 :]
        named = listed([evidence.text[x] for x in needed])
        many = "are impossible together" if len(needed) > 1 else "is impossible"
        raise ParameterError(f"{named} {many} in this network: nothing follows from it")
