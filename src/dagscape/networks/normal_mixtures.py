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
import numpy.typing as npt

from dagscape.errors import ParameterError
from dagscape.networks.nodes import GaussianNode, TableNode
from dagscape.networks.nodes.node import row_of
from dagscape.words import first_of

if TYPE_CHECKING:
    from dagscape.networks.evidence import Evidence
    from dagscape.networks.network import Network
    from dagscape.networks.nodes.node import Floats

SAME = 1e-12
"""A number whose own noise is below this share of its sd follows from what is known."""
ROUNDING = 1e-9
"""By how much, in sds, a number that follows from others may miss what they make of it."""
FARTHEST = 1e150
"""A number so many sds from its mean, or more, is impossible."""
MOST_CASES = 10_000
MOST_CELLS = 1e7
"""Cases times the square of the numbers: weights on noises that are held at once."""


class Noises(NamedTuple):
    """Numbers as sums of independent noises: mean + unit · row @ noises, in each case."""

    names: tuple[str, ...]
    means: Floats
    """A row for each case, a column for each variable."""
    units: Floats
    """One for each variable: a power of two about as large as its spread."""
    rows: Floats
    """For each case and variable its weights on the noises."""

    @property
    def lengths(self) -> Floats:
        """The sds, in units."""
        found: Floats = np.sqrt(np.square(self.rows).sum(axis=2))
        return found


def in_the_way(network: Network) -> str | None:
    """Return the first variable that keeps answers from being normal, if there is one."""
    for x in network.dag.topological_order():
        node = network.node(x)
        if not isinstance(node, TableNode | GaussianNode):
            return x
        if isinstance(node, GaussianNode) and not node.linear:
            return x
    return None


def cells(network: Network, evidence: Evidence) -> tuple[float, float]:
    """Return how many cases there are, and how many weights they have."""
    open_states = [
        len(labels) for x, labels in network.states.items() if labels and x not in evidence.states
    ]
    cases = math.prod(map(float, open_states))
    numbers = sum(not labels for labels in network.states.values())
    return cases, cases * numbers * numbers


class NormalMixture:
    """All cases of a network given evidence, with their weights, and some numbers in them."""

    def __init__(self, network: Network, evidence: Evidence, targets: Sequence[str]) -> None:
        self._codes = _cases(network, evidence)
        logs = _log_weights(network, evidence, self._codes)
        noises, log_density = observed(noises_of(network, self._codes), evidence.numbers)
        logs = logs + log_density
        if not logs.max() > -math.inf:
            raise ParameterError(
                f"{first_of([*evidence.text.values()])}: impossible in this network; nothing "
                "follows from it"
            )
        weights = np.exp(logs - logs.max())
        self._weights: Floats = weights / weights.sum()
        places = [noises.names.index(x) for x in targets]
        self._means = noises.means[:, places]
        self._sds = (noises.units * noises.lengths)[:, places]
        self._targets = tuple(targets)

    def number(self, x: str) -> tuple[Floats, Floats, Floats]:
        """Return weights, means and sds of the parts of a number's distribution."""
        place = self._targets.index(x)
        kept = self._weights > 0
        return self._weights[kept], self._means[kept, place], self._sds[kept, place]

    def states(self, wanted: Sequence[str], shape: Sequence[int]) -> Floats:
        """Return the joint distribution of some variables with states."""
        cell = np.ravel_multi_index(tuple(self._codes[x] for x in wanted), tuple(shape))
        sums = np.bincount(cell, self._weights, minlength=math.prod(shape))
        found: Floats = sums.astype(np.float64).reshape(tuple(shape))
        return found


def _cases(network: Network, evidence: Evidence) -> dict[str, npt.NDArray[np.intp]]:
    """Return a column of codes for each variable with states: all combinations of open ones."""
    discrete = [x for x in network.dag.topological_order() if network.states[x]]
    sizes = [1 if x in evidence.states else len(network.states[x]) for x in discrete]
    rest = np.arange(math.prod(sizes))
    found = {}
    for x, size in zip(discrete, sizes, strict=True):
        found[x] = rest % size + evidence.states.get(x, 0)
        rest //= size
    return found


def _log_weights(
    network: Network, evidence: Evidence, codes: Mapping[str, npt.NDArray[np.intp]]
) -> Floats:
    """Return ln P(states) of each case, with weights on states that are known in part."""
    logs = np.zeros(_count(codes))
    for x, column in codes.items():
        above = [codes[p] for p in network.dag.parents(x)]
        logs = logs + network.node(x).log_density(column, above)
        if x in evidence.weights:
            with np.errstate(divide="ignore"):
                logs = logs + np.log(evidence.weights[x])[column]
    return logs


def _count(codes: Mapping[str, npt.NDArray[np.intp]]) -> int:
    return len(next(iter(codes.values()))) if codes else 1


def noises_of(network: Network, codes: Mapping[str, npt.NDArray[np.intp]]) -> Noises:
    """Return the numbers of a network, given the states of all its other variables in each case."""
    names = tuple(x for x in network.dag.topological_order() if not network.states[x])
    place = {x: i for i, x in enumerate(names)}
    count = _count(codes)
    means, units = np.zeros((count, len(names))), np.ones(len(names))
    rows = np.zeros((count, len(names), len(names)))
    for i, x in enumerate(names):
        node = network.node(x)
        assert isinstance(node, GaussianNode)  # noqa: S101
        parents = network.dag.parents(x)
        cell = row_of([codes[p] for p in parents if p in codes], node.mean.shape)
        above = [place[p] for p in parents if p in place]
        slopes = np.broadcast_to(
            node.slopes.reshape(-1, len(above))[cell] if above else np.zeros(0),
            (count, len(above)),
        )
        sd = np.broadcast_to(node.sd.reshape(-1)[cell], count)
        with np.errstate(over="ignore", invalid="ignore"):
            added = (slopes * (means[:, above] - node.centers)).sum(axis=1)
            means[:, i] = node.mean.reshape(-1)[cell] + added
            reach = slopes * units[above]
        largest = max(float(sd.max()), float(np.abs(reach).max(initial=0.0)))
        if not np.isfinite(means[:, i]).all() or not math.isfinite(largest):
            raise ParameterError(
                f'numbers of "{x}" are beyond the largest there are (1.8e308); change the units '
                "of the network"
            )
        units[i] = math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest else 1.0
        rows[:, i] = np.einsum("ck,ckn->cn", reach / units[i], rows[:, above])
        rows[:, i, i] = sd / units[i]
    return Noises(names, means, units, rows)


def observed(noises: Noises, numbers: Mapping[str, float | Floats]) -> tuple[Noises, Floats]:
    """Return the numbers given some of them, and the log density of these, in each case.

    A number may differ from case to case; NaN where it is not known.
    """
    means, rows, units = noises.means.copy(), noises.rows.copy(), noises.units
    before = noises.lengths
    log_density = np.zeros(len(means))
    for i, x in enumerate(noises.names):
        if x not in numbers:
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            value = np.broadcast_to(np.float64(numbers[x]), len(means)) / units[i]
            off = value - means[:, i] / units[i]
        unknown = np.isnan(value)
        left = np.sqrt(np.square(rows[:, i]).sum(axis=1))
        follows = left <= SAME * before[:, i]
        reach = ROUNDING * np.maximum(before[:, i], abs(value))
        log_density[follows & ~unknown & ~(np.abs(off) <= reach)] = -math.inf
        length = np.where(follows, 1.0, left)
        tells = ~(follows | unknown)
        direction = np.where(tells[:, None], rows[:, i] / length[:, None], 0.0)
        with np.errstate(over="ignore", invalid="ignore"):
            known = np.where(tells, off / length, 0.0)
        far = ~(np.abs(known) < FARTHEST)  # so many sds away that no number tells how improbable
        log_density[far] = -math.inf
        known[far] = 0.0
        along = np.einsum("cin,cn->ci", rows, direction)
        means += units * along * known[:, None]
        for _ in range(2):  # once more, for rounding
            along = np.einsum("cin,cn->ci", rows, direction)
            rows -= along[:, :, None] * direction[:, None, :]
        means[:, i] = np.where(unknown, means[:, i], numbers[x])
        rows[:, i] = np.where(unknown[:, None], rows[:, i], 0.0)
        normal = -0.5 * np.square(known) - np.log(length) - math.log(units[i])
        log_density += np.where(tells, normal - 0.5 * math.log(2 * math.pi), 0.0)
    return Noises(noises.names, means, units, rows), log_density
