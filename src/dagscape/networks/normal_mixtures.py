"""Exact answers where numbers are linear in their parents: a normal distribution for each case.

Given the states of all variables with states, the numbers are jointly normal. Each is written as a
mean and a row of weights on independent noises; observing one takes a direction out of the noises.
Rows stay orthogonal to what is known (Gram and Schmidt), so that no variance is the difference of
two, nor negative. Source for the model: Lauritzen, Propagation of Probabilities, Means and
Variances in Mixed Graphical Association Models, JASA 1992.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dagscape.errors import ParameterError
from dagscape.networks.nodes import GaussianNode, TableNode

if TYPE_CHECKING:
    from dagscape.networks.evidence import Evidence
    from dagscape.networks.network import Network
    from dagscape.networks.nodes.node import Floats

SAME = 1e-12
"""A number whose own noise is below this share of its sd follows from what is known."""
ROUNDING = 1e-9
"""By how much, in sds, a number that follows from others may miss what they make of it."""
MOST_CASES = 10_000
MOST_WORK = 2e8
"""Cases times the cube of the numbers."""


class Noises(NamedTuple):
    """Numbers as sums of independent noises: mean + unit · row @ noises, for each variable."""

    names: tuple[str, ...]
    means: Floats
    units: Floats
    rows: Floats


class Case(NamedTuple):
    """One combination of open states, and what the numbers are in it."""

    log_weight: float
    means: Floats
    sds: Floats


def in_the_way(network: Network) -> str | None:
    """Return the first variable that keeps answers from being normal, if there is one."""
    for x in network.dag.topological_order():
        node = network.node(x)
        if not isinstance(node, TableNode | GaussianNode):
            return x
        if isinstance(node, GaussianNode) and not node.linear:
            return x
    return None


def work(network: Network, evidence: Evidence) -> tuple[float, float]:
    """Return how many cases there are, and about what they cost."""
    open_states = [
        len(labels) for x, labels in network.states.items() if labels and x not in evidence.states
    ]
    cases = math.prod(map(float, open_states))
    numbers = sum(not labels for labels in network.states.values())
    return cases, cases * max(numbers, 1) ** 3


class NormalMixture:
    """All cases of a network given evidence, with their weights."""

    def __init__(self, network: Network, evidence: Evidence, targets: Sequence[str]) -> None:
        self._open = [
            x for x, labels in network.states.items() if labels and x not in evidence.states
        ]
        shape = tuple(len(network.states[x]) for x in self._open)
        self._codes = list(np.ndindex(shape))
        cases = []
        for codes in self._codes:
            states = evidence.states | dict(zip(self._open, codes, strict=True))
            cases.append(_case(network, evidence, states, targets))
        logs = np.array([case.log_weight for case in cases])
        if not logs.max() > -math.inf:
            raise ParameterError(
                f"{', '.join(evidence.text.values())}: impossible in this network; nothing "
                "follows from it"
            )
        weights = np.exp(logs - logs.max())
        self.weights = weights / weights.sum()
        self._means = np.array([case.means for case in cases])
        self._sds = np.array([case.sds for case in cases])
        self._targets = tuple(targets)

    def number(self, x: str) -> tuple[Floats, Floats, Floats]:
        """Return weights, means and sds of the parts of a number's distribution."""
        place = self._targets.index(x)
        kept = self.weights > 0
        return self.weights[kept], self._means[kept, place], self._sds[kept, place]

    def states(self, wanted: Sequence[str], shape: Sequence[int]) -> Floats:
        """Return the joint distribution of variables whose states are open."""
        places = [self._open.index(x) for x in wanted]
        table = np.zeros(tuple(shape))
        for codes, weight in zip(self._codes, self.weights, strict=True):
            table[tuple(codes[place] for place in places)] += weight
        return table


def _case(
    network: Network, evidence: Evidence, states: Mapping[str, int], targets: Sequence[str]
) -> Case:
    """Return the weight of one combination of states, and the numbers asked for in it."""
    log_weight = 0.0
    for x, labels in network.states.items():
        if not labels:
            continue
        table = network.table(x)
        cell = (*(states[p] for p in network.dag.parents(x)), states[x])
        weight = float(table[cell]) * (
            evidence.weights[x][states[x]] if x in evidence.weights else 1.0
        )
        log_weight += math.log(weight) if weight > 0 else -math.inf
    none = np.zeros(len(targets))
    if log_weight == -math.inf:
        return Case(log_weight, none, none)
    noises = noises_of(network, states)
    found, log_density = observed(noises, evidence.numbers)
    places = [noises.names.index(x) for x in targets]
    sds = found.units * np.sqrt(np.square(found.rows).sum(axis=1))
    return Case(log_weight + log_density, found.means[places], sds[places])


def noises_of(network: Network, states: Mapping[str, int]) -> Noises:
    """Return the numbers of a network, given the states of all its other variables."""
    names = tuple(x for x in network.dag.topological_order() if not network.states[x])
    place = {x: i for i, x in enumerate(names)}
    means, units = np.zeros(len(names)), np.ones(len(names))
    rows = np.zeros((len(names), len(names)))
    with np.errstate(over="ignore", invalid="ignore"):
        for i, x in enumerate(names):
            node = network.node(x)
            assert isinstance(node, GaussianNode)  # noqa: S101
            cell = tuple(states[p] for p in network.dag.parents(x) if network.states[p])
            above = [place[p] for p in network.dag.parents(x) if not network.states[p]]
            slopes, sd = node.slopes[cell], float(node.sd[cell])
            means[i] = node.mean[cell] + (slopes * (means[above] - node.centers)).sum()
            reach = slopes * units[above]
            largest = max([sd, *np.abs(reach).tolist()])
            if not math.isfinite(means[i]) or not math.isfinite(largest):
                raise ParameterError(
                    f'numbers of "{x}" are beyond the largest there are (1.8e308); change the '
                    "units of the network"
                )
            units[i] = math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest else 1.0
            rows[i] = (reach / units[i]) @ rows[above] if above else 0.0
            rows[i, i] = sd / units[i]
    return Noises(names, means, units, rows)


def observed(noises: Noises, numbers: Mapping[str, float]) -> tuple[Noises, float]:
    """Return the numbers given some of them, and ln of the density of these."""
    means, rows = noises.means.copy(), noises.rows.copy()
    log_density = 0.0
    before = np.sqrt(np.square(rows).sum(axis=1))
    for x in noises.names:
        if x not in numbers:
            continue
        i = noises.names.index(x)
        off = numbers[x] / noises.units[i] - means[i] / noises.units[i]
        left = float(np.sqrt(np.square(rows[i]).sum()))
        if left <= SAME * before[i]:
            scale = max(before[i], abs(numbers[x] / noises.units[i]))
            if abs(off) > ROUNDING * scale:
                return noises, -math.inf
            means[i] = numbers[x]
            rows[i] = 0.0
            continue
        direction = rows[i] / left
        known = off / left
        along = rows @ direction
        means = means + noises.units * along * known
        rows = rows - np.outer(along, direction)
        rows = rows - np.outer(rows @ direction, direction)  # once more, for rounding
        means[i], rows[i] = numbers[x], 0.0
        log_density -= 0.5 * known * known + math.log(left) + math.log(noises.units[i])
        log_density -= 0.5 * math.log(2 * math.pi)
    return Noises(noises.names, means, noises.units, rows), log_density
