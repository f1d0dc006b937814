"""Answers of networks with numbers: exact where that is possible, else from weighted samples.

Only what lies above the question matters: variables asked about, given, and their ancestors. Where
all of these have tables, the answer is that of a network of tables; where numbers are linear in
their parents and no states depend on numbers, it is a mixture of normal distributions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.networks.distributions import Distribution
from dagscape.networks.normal_mixtures import (
    MOST_CASES,
    MOST_CELLS,
    NormalMixture,
    cells,
    in_the_way,
)
from dagscape.networks.number_distribution import NumberDistribution
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.networks.evidence import Evidence
    from dagscape.networks.network import Network
    from dagscape.networks.sampled_answers import WeightedSamples

Answer = Distribution | NumberDistribution


class NumberAnswers:
    """Asks a network with numbers; samples are drawn once, if they are needed at all.

    Parameters
    ----------
    samples
        Draws weighted samples of a network.
    tables
        Answers a question to a network of tables alone.
    """

    def __init__(
        self,
        network: Network,
        evidence: Evidence,
        samples: Callable[[Network], WeightedSamples] | None,
        tables: Callable[[Network, Sequence[str]], Distribution],
    ) -> None:
        self._network = network
        self._evidence = evidence
        self._samples = samples
        self._tables = tables
        self._drawn: WeightedSamples | None = None

    def ask(self, wanted: Sequence[str]) -> Answer:
        """Return the distribution of a number, or of one or several variables with states."""
        network, evidence = self._network, self._evidence
        numbers = [x for x in wanted if not network.states[x]]
        if numbers and len(wanted) > 1:
            raise ParameterError(
                f'"{numbers[0]}" holds numbers, and is asked about alone; ask about each variable '
                "by itself"
            )
        part = above(network, [*wanted, *evidence.text])
        if all(part.states.values()):
            return self._tables(part, wanted)
        if self._refused(part) is None:
            return self._exact(NormalMixture(part, evidence, numbers), wanted)
        return self._sampled(part, wanted)

    def ask_all(self) -> dict[str, Answer]:
        """Return the distribution of every variable by itself."""
        network, evidence = self._network, self._evidence
        if self._refused(network) is None:
            numbers = [x for x in network.names if not network.states[x]]
            mixture = NormalMixture(network, evidence, numbers)
            return {x: self._known(x) or self._exact(mixture, [x]) for x in network.names}
        found: dict[str, Answer] = {}
        for x in network.names:
            part = above(network, [x, *evidence.text])
            exact = all(part.states.values()) or self._refused(part) is None
            known = self._known(x)
            if known is not None:
                found[x] = known
            else:
                found[x] = self.ask([x]) if exact else self._sampled(network, [x])
        return found

    def _known(self, x: str) -> Answer | None:
        """Return the distribution of what is given."""
        network, evidence = self._network, self._evidence
        if x in evidence.numbers:
            one, zero = np.ones(1), np.zeros(1)
            return NumberDistribution(x, one, zero + evidence.numbers[x], zero, evidence.text)
        if x in evidence.states:
            table = np.zeros(len(network.states[x]))
            table[evidence.states[x]] = 1.0
            return Distribution({x: network.states[x]}, table, evidence.text)
        return None

    def _refused(self, part: Network) -> str | None:
        """Return why there is no exact answer, or None if there is one."""
        if (x := in_the_way(part)) is not None:
            why = "depends on numbers" if part.states[x] else "follows a parent by a curve"
            return f'"{x}" {why}'
        cases, weights = cells(part, self._evidence)
        if cases > MOST_CASES or weights > MOST_CELLS:
            numbers = sum(not labels for labels in part.states.values())
            return (
                f"above what is asked are {counted(numbers, 'number')} and {cases:,.0f} "
                "combinations of states"
            )
        return None

    def _exact(self, mixture: NormalMixture, wanted: Sequence[str]) -> Answer:
        text = self._evidence.text
        states = self._network.states
        if not states[wanted[0]]:
            return NumberDistribution(wanted[0], *mixture.number(wanted[0]), text)
        table = mixture.states(wanted, [len(states[x]) for x in wanted])
        return Distribution({x: states[x] for x in wanted}, table, text)

    def _sampled(self, part: Network, wanted: Sequence[str]) -> Answer:
        if self._samples is None:
            raise ParameterError(
                f"there is no exact answer: {self._refused(part)}; ask for samples, or give more "
                "of the other variables"
            )
        if self._drawn is None:
            self._drawn = self._samples(part)
        drawn, text = self._drawn, self._evidence.text
        draws = (drawn.count, drawn.worth)
        states = self._network.states
        if not states[wanted[0]]:
            weights, values = drawn.numbers(wanted[0])
            return NumberDistribution(
                wanted[0], weights, values, np.zeros(len(values)), text, draws
            )
        table, errors = drawn.joint(wanted)
        return Distribution({x: states[x] for x in wanted}, table, text, errors, draws)


def above(network: Network, names: Iterable[str]) -> Network:
    """Return the network of some variables and their ancestors: all that they depend on."""
    kept = {*names}
    for x in tuple(kept):
        kept |= {*network.dag.ancestors(x)}
    if len(kept) == len(network.names):
        return network
    dag = Dag(
        [x for x in network.names if x in kept], [a for a in network.dag.arcs if a[1] in kept]
    )
    nodes = {x: network.node_for(x, dag) for x in dag.names}
    return type(network)(dag, {x: network.states[x] for x in dag.names}, nodes)
