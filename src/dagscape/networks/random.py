"""Networks drawn at random: truths to learn from samples of."""

from __future__ import annotations

import math

import numpy as np

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.limits import use_count, use_seed
from dagscape.networks.network import Network
from dagscape.networks.tables import Table
from dagscape.speech import setting

MOST_CELLS = 10_000_000
"""A table of more cells is refused."""


def random_network(
    variables: int,
    *,
    neighbors: float = 2.0,
    max_parents: int = 5,
    states: int | tuple[int, int] = 2,
    concentration: float = 1.0,
    seed: int = 0,
) -> Network:
    """Draw a network at random: a truth to sample tables from.

    The variables are put into a random order. Any two of them are joined with the same
    probability, independently of the others, and arcs follow the order (the directed version of an
    Erdős–Rényi graph). Each distribution of a table is drawn from a Dirichlet distribution.

    Parameters
    ----------
    variables
        How many; they are called X1, X2 and so on, in an order that tells nothing.
    neighbors
        How many neighbours a variable has on average, before `max_parents` takes some away.
    max_parents
        Where the draw gives a variable more parents, a random choice of so many of them stays.
    states
        How many states each variable has; or the least and the greatest number, between which
        every variable draws its own.
    concentration
        The parameter of the Dirichlet distribution. At 1 all distributions are equally likely;
        below 1 they are often near certain, which makes arcs easy to find; far above 1 all are
        nearly uniform, and arcs are hard to find.
    seed
        The same seed gives the same network.

    Notes
    -----
    Real networks are not like this: they have hubs, chains and tables with a pattern. What a
    method reaches on random networks tells little of what it reaches on those; try both.

    Examples
    --------
    >>> import dagscape as ds
    >>> truth = ds.random_network(30, neighbors=3, states=(2, 4), seed=1)
    >>> data = truth.sample(1000, seed=1)
    """
    count = use_count("variables", variables, least=1)
    most = use_count("max_parents", max_parents)
    low, high = _number_of_states(states)
    _check_range("concentration", concentration, 0.001, 1e6)
    _check_range("neighbors", neighbors, 0, count - 1)
    rng = np.random.default_rng(use_seed(seed))
    names = [f"X{i + 1}" for i in range(count)]
    order = rng.permutation(count)
    joined = rng.random((count, count)) < neighbors / max(1, count - 1)
    arities = rng.integers(low, high + 1, size=count)
    parents: dict[str, list[str]] = {}
    tables: dict[str, Table] = {}
    for place, v in enumerate(order):
        chosen = order[:place][joined[v, order[:place]]]
        if len(chosen) > most:
            chosen = rng.choice(chosen, size=most, replace=False)
        chosen = np.sort(chosen)
        shape = tuple(int(arities[p]) for p in chosen)
        cells = math.prod(shape) * int(arities[v])
        if cells > MOST_CELLS:
            raise ParameterError(
                f"a table of {cells:,} cells was drawn, and {MOST_CELLS:,} are the most; "
                "choose fewer states or a smaller max_parents"
            )
        parents[names[v]] = [names[p] for p in chosen]
        tables[names[v]] = rng.dirichlet(np.full(arities[v], concentration), size=shape)
    labels = {name: [f"s{k}" for k in range(n)] for name, n in zip(names, arities, strict=True)}
    arcs = [(p, name) for name in names for p in parents[name]]
    return Network(Dag(names, arcs), labels, tables, name=f"random network, seed {seed}")


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
