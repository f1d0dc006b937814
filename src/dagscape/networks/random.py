"""Networks drawn at random: truths to learn from samples of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dagscape.control.limits import use_count, use_seed
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.networks.network import Network
from dagscape.networks.nodes import Column, GaussianNode, Node, SoftmaxNode, TableNode
from dagscape.networks.nodes.gaussian import CURVES, LINE
from dagscape.speech import setting

MOST_CELLS = 10_000_000
"""A table of more cells is refused."""
KINDS = ("discrete", "gaussian", "mixed", "nonlinear")


def random_network(
    variables: int,
    *,
    kind: str = "discrete",
    neighbors: float = 2.0,
    max_parents: int = 5,
    states: int | tuple[int, int] = 2,
    concentration: float = 1.0,
    continuous: float = 0.5,
    noise: float | tuple[float, float] = (0.2, 0.8),
    seed: int = 0,
) -> Network:
    """Draw a network at random: a truth to sample tables from.

    The variables are put into a random order. Any two of them are joined with the same
    probability, independently of the others, and arcs follow the order (the directed version of an
    Erdős–Rényi graph). Then each variable gets a distribution given its parents.

    Parameters
    ----------
    variables
        How many; they are called X1, X2 and so on, in an order that carries no information.
    kind
        ``"discrete"``: tables of states. ``"gaussian"``: numbers, linear in their parents.
        ``"nonlinear"``: numbers that follow their parents by bends, bumps, steps and waves.
        ``"mixed"``: a share of the variables are numbers, linear in their parents with a line for
        each combination of states; the others have states, by tables or a softmax.
    neighbors
        How many neighbors a variable has on average, before `max_parents` takes some away.
    max_parents
        Where the draw gives a variable more parents, a random choice of that many stays.
    states
        How many states each variable has; or the least and the greatest number, between which
        every variable draws its own.
    concentration
        Each distribution of a table is drawn from a Dirichlet distribution of this parameter. At 1
        all distributions are equally likely; below 1 they are often near certain, which makes arcs
        easy to find; far above 1 all are nearly uniform, and arcs are hard to find.
    continuous
        The share of the variables of a mixed network that are numbers.
    noise
        The share of a number's variance that its parents leave unexplained; or the least and the
        greatest share, between which every variable draws its own.
    seed
        The same seed gives the same network.

    Notes
    -----
    Real networks are not like this: they have hubs, chains and tables with a pattern.
    What a method achieves on random networks says little about what it achieves on those; try both.
    Numbers have mean 0 and variance 1, up to two digits, whatever their parents are: where the
    variance grows along the arcs instead, sorting by it finds the order of causes, which no real
    table allows (Reisach, Seiler and Weichwald, Beware of the Simulated DAG, NeurIPS 2021).

    Examples
    --------
    >>> import dagscape as ds
    >>> truth = ds.random_network(30, neighbors=3, states=(2, 4), seed=1)
    >>> data = truth.sample(1000, seed=1)
    >>> ds.random_network(10, kind="mixed", seed=1)
    <Network "random network, seed 1": 10 variables (5 continuous), 7 arcs, 31 parameters>
    """
    count = use_count("variables", variables, least=1)
    most = use_count("max_parents", max_parents)
    low, high = _number_of_states(states)
    _check_range("concentration", concentration, 0.001, 1e6)
    _check_range("neighbors", neighbors, 0, count - 1)
    _check_range("continuous", continuous, 0, 1)
    rng = np.random.default_rng(use_seed(seed))
    names = [f"X{i + 1}" for i in range(count)]
    order = rng.permutation(count)
    joined = rng.random((count, count)) < neighbors / max(1, count - 1)
    arities = rng.integers(low, high + 1, size=count)
    more = np.random.default_rng([use_seed(seed), 1])  # networks of states are as they always were
    arities[more.permutation(count)[: _how_many_numbers(kind, count, continuous)]] = 0
    nodes = RandomNodes(rng, more, concentration, _shares(noise), kind == "nonlinear")
    found: dict[str, Node] = {}
    parents: dict[str, list[str]] = {}
    for place, v in enumerate(order):
        chosen = order[:place][joined[v, order[:place]]]
        if len(chosen) > most:
            chosen = rng.choice(chosen, size=most, replace=False)
        chosen = np.sort(chosen)
        family = Family(names[v], int(arities[v]), {names[p]: int(arities[p]) for p in chosen})
        _refuse_huge(family)
        parents[family.x] = list(family.parents)
        found[family.x] = nodes.draw(family)
    labels = {name: [f"s{k}" for k in range(n)] for name, n in zip(names, arities, strict=True)}
    arcs = [(p, name) for name in names for p in parents[name]]
    return Network(Dag(names, arcs), labels, found, name=f"random network, seed {seed}")


def _how_many_numbers(kind: str, count: int, continuous: float) -> int:
    if not isinstance(kind, str) or kind not in KINDS:
        raise ParameterError(f"{setting('kind')} must be one of {', '.join(KINDS)}, got {kind!r}")
    return round({"discrete": 0.0, "mixed": continuous}.get(kind, 1.0) * count)


def _shares(noise: float | tuple[float, float]) -> tuple[float, float]:
    given = noise if isinstance(noise, tuple) else (noise, noise)
    for share in given:
        _check_range("noise", share, 0.001, 1)
    if len(given) != 2 or given[0] > given[1]:
        raise ParameterError(
            f"{setting('noise')} must be a share or two, the smaller one first, got {noise!r}"
        )
    return given


def _refuse_huge(family: Family) -> None:
    floats = len(family.parents) - len(family.shape)
    cells = math.prod(family.shape) * max(family.states, 1) * max(floats, 1)
    if cells > MOST_CELLS:
        raise ParameterError(
            f"a table of {cells:,} cells was drawn, and {MOST_CELLS:,} are the most; "
            "choose fewer states or a smaller max_parents"
        )


def _number_of_states(states: int | tuple[int, int]) -> tuple[int, int]:
    given = states if isinstance(states, tuple) else (states, states)
    if len(given) != 2:
        raise ParameterError(f"{setting('states')} must be a number or two numbers, got {states!r}")
    low, high = (use_count("states", number, least=2) for number in given)
    if low > high:
        raise ParameterError(
            f"{setting('states')} must have the smaller number first, got {states!r}"
        )
    return low, high


def _check_range(name: str, value: float, low: float, high: float) -> None:
    if not isinstance(value, int | float) or not low <= value <= high:
        raise ParameterError(
            f"{setting(name)} must be a number from {low:g} to {high:g}, got {value!r}"
        )


ROWS = 4000
"""Rows by which shares of variance are scaled: good for about two digits."""
BENT = tuple(curve for curve in CURVES if curve != LINE)
STRENGTH = (0.5, 1.0)
"""How much a parent counts beside the others, at random within these bounds and of any sign."""
ODDS = (1.0, 2.0)
"""Half the difference in log odds between the outermost states, by one more sd of a parent."""
RAREST = 0.02
"""The least probability that a state has where its parents with numbers are at their means."""


class Family(NamedTuple):
    """A variable and its parents, of which each has so many states, or 0 for numbers."""

    x: str
    states: int
    parents: Mapping[str, int]

    @property
    def shape(self) -> tuple[int, ...]:
        """The states of the parents that have any."""
        return tuple(arity for arity in self.parents.values() if arity)


class RandomNodes:
    """Draws one node after another, parents first."""

    def __init__(
        self,
        tables: np.random.Generator,
        rng: np.random.Generator,
        concentration: float,
        noise: tuple[float, float],
        curved: bool,
    ) -> None:
        self._tables = tables
        self._rng = rng
        self._concentration = concentration
        self._noise = noise
        self._curved = curved
        self._columns: dict[str, Column] = {}

    def draw(self, family: Family) -> Node:
        """Return the node of a variable whose parents were drawn before."""
        above = [self._columns[p] for p in family.parents]
        floats = [column for column in above if column.dtype.kind == "f"]
        node: Node
        if not family.states:
            node = self._gaussian(family, above, floats)
        elif floats:
            node = self._softmax(family, len(floats))
        else:
            node = TableNode(self._probabilities(family))
        self._columns[family.x] = node.draw(above, ROWS, self._rng)
        return node

    def _gaussian(
        self, family: Family, above: Sequence[Column], floats: Sequence[Column]
    ) -> GaussianNode:
        count = len(floats)
        curves = (LINE,) * count
        if self._curved:
            curves = tuple(self._rng.choice(BENT) for _ in floats)
        if not above:
            return GaussianNode(0.0, 1.0)
        units = [_sd(CURVES[c](column)) for c, column in zip(curves, floats, strict=True)]
        main = self._signed(STRENGTH, count) / np.array(units)
        slopes = main * self._rng.uniform(0.5, 1.5, size=(*family.shape, count))
        if not family.shape:
            slopes = main
        offsets = np.zeros(family.shape)
        for axis, arity in enumerate(family.shape):  # each state of a parent adds its own
            along = [1] * len(family.shape)
            along[axis] = arity
            offsets = offsets + (self._signed(STRENGTH, 1) * self._levels(arity)).reshape(along)
        signal, _ = GaussianNode(offsets, np.ones_like(offsets), slopes, None, curves).means(above)
        noise = self._rng.uniform(*self._noise)
        scale = np.sqrt(1.0 - noise) / _sd(signal)
        mean = (offsets - signal.mean()) * scale
        sd = np.full(family.shape, np.sqrt(noise))
        return GaussianNode(mean, sd, slopes * scale, None, curves)

    def _softmax(self, family: Family, count: int) -> SoftmaxNode:
        intercepts = np.log(np.maximum(self._probabilities(family), RAREST))
        by_state = np.stack([self._levels(family.states) for _ in range(count)], axis=-1)
        main = self._signed(ODDS, count) * by_state
        each = self._rng.uniform(0.5, 1.5, size=(*family.shape, 1, count))
        return SoftmaxNode(intercepts, main * each if family.shape else main)

    def _probabilities(self, family: Family) -> npt.NDArray[np.float64]:
        weights = np.full(family.states, self._concentration)
        drawn: npt.NDArray[np.float64] = self._tables.dirichlet(weights, size=family.shape)
        return drawn

    def _levels(self, states: int) -> npt.NDArray[np.float64]:
        """Return numbers from -1 to 1 for states, in a random order."""
        return self._rng.permutation(np.linspace(-1.0, 1.0, states))

    def _signed(self, bounds: tuple[float, float], count: int) -> npt.NDArray[np.float64]:
        signs = np.where(self._rng.random(count) < 0.5, -1.0, 1.0)
        return signs * self._rng.uniform(*bounds, size=count)


def _sd(column: npt.NDArray[np.float64]) -> float:
    """Return the standard deviation; 1 for a column that never changes."""
    return float(column.std()) or 1.0
