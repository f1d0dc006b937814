"""The networks whose samples the accuracy of scores and priors is measured on."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from _data import data_folder

import dagscape as ds


class Truth(NamedTuple):
    """A network, or a way to draw one for each seed."""

    make: Callable[[int], ds.Network]
    half: str
    """On "choose" the defaults are chosen, on "show" they are shown."""


def embedded(name: str) -> Callable[[int], ds.Network]:
    """Return the same network for all seeds."""
    return lambda _: ds.load_network(name)


def drawn(
    variables: int, neighbors: float, states: int | tuple[int, int], concentration: float = 1.0
) -> Callable[[int], ds.Network]:
    """Return another network for each seed."""
    return lambda seed: ds.random_network(
        variables,
        neighbors=neighbors,
        states=states,
        concentration=concentration,
        max_parents=4,
        seed=seed,
    )


def stored(name: str) -> Callable[[int], ds.Network]:
    """Return a network of the folder of data sets, the same for all seeds."""
    return lambda _: ds.read_network(data_folder() / "networks" / f"{name}.bif.gz")


def graded(
    variables: int, neighbors: float, states: int | tuple[int, int], strength: float = 2.0
) -> Callable[[int], ds.Network]:
    """Return networks in which each parent moves its child up or down, by more or less.

    Tables drawn at random have no such pattern, and suit scores that expect none.
    """
    return lambda seed: with_grades(
        ds.random_network(variables, neighbors=neighbors, states=states, max_parents=4, seed=seed),
        strength,
        seed,
    )


def with_grades(net: ds.Network, strength: float, seed: int) -> ds.Network:
    """Give a network the tables of a multinomial logit whose slopes are in the order of states.

    States lie evenly from -1 to 1; ln P(x = k | parents) = b_k + k (sum over parents of w times its
    state) less what makes it sum to one; w is U(0.3, 1) times the strength with either sign, b_k is
    N(0, 0.5).
    """
    rng = np.random.default_rng([seed, 1])
    tables = {}
    for x in net.names:
        parents = net.dag.parents(x)
        slopes = rng.uniform(0.3, 1, len(parents)) * rng.choice([-1, 1], len(parents)) * strength
        own = np.linspace(-1, 1, net.arities[x])
        logs = rng.normal(0, 0.5, len(own)) * np.ones((*(net.arities[p] for p in parents), 1))
        for axis, (p, slope) in enumerate(zip(parents, slopes, strict=True)):
            shape = [1] * (len(parents) + 1)
            shape[axis] = net.arities[p]
            logs = logs + slope * np.linspace(-1, 1, net.arities[p]).reshape(shape) * own
        weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
        tables[x] = weights / weights.sum(axis=-1, keepdims=True)
    return ds.Network(net.dag, net.states, tables, name="graded")


def causes(variables: int, neighbors: float = 4.0, most: int = 5) -> Callable[[int], ds.Network]:
    """Return binary networks of causes that add up, drawn as a published benchmark draws them."""
    return lambda seed: with_causes(
        ds.random_network(variables, neighbors=neighbors, max_parents=most, seed=seed).dag, seed
    )


def with_causes(dag: ds.Dag, seed: int) -> ds.Network:
    """Give a graph the tables of causes that add up.

    A root is 1 with probability U(.1, .9), or .03 if it has no children. Another variable is 1
    with probability U(.01, .1) when no parent is 1, else with the sum over the parents that are 1
    of U(.4, .9) each, at most .95.
    """
    rng = np.random.default_rng(seed)
    tables = {}
    for x in dag.names:
        parents = dag.parents(x)
        one = np.zeros((2,) * len(parents))
        weights = rng.uniform(0.4, 0.9, size=len(parents))
        for cell in np.ndindex(one.shape):
            one[cell] = min(0.95, float(weights @ np.array(cell, dtype=float)))
        none = (0,) * len(parents)
        if parents:
            one[none] = rng.uniform(0.01, 0.1)
        else:
            one[none] = rng.uniform(0.1, 0.9) if dag.children(x) else 0.03
        tables[x] = np.stack([1 - one, one], axis=-1)
    return ds.Network(dag, {x: ["0", "1"] for x in dag.names}, tables, name="causes")


PUBLISHED = {
    "80 variables, 320 rows": causes(80),
    "HEPAR2, 320 rows": lambda seed: with_causes(stored("hepar2")(seed).dag, seed),
}
"""The design of a published benchmark, and another graph with such tables."""
PUBLISHED_ROWS = 320

TRUTHS = {
    "asia": Truth(embedded("asia"), "choose"),
    "sachs": Truth(embedded("sachs"), "show"),
    "child": Truth(embedded("child"), "show"),
    "insurance": Truth(embedded("insurance"), "choose"),
    "alarm": Truth(embedded("alarm"), "show"),
    "hailfinder": Truth(embedded("hailfinder"), "choose"),
    "hepar2": Truth(stored("hepar2"), "choose"),
    "win95pts": Truth(stored("win95pts"), "show"),
    "10 sparse": Truth(drawn(10, 2, 2), "show"),
    "10 dense": Truth(drawn(10, 4, (2, 4)), "choose"),
    "20 sparse": Truth(drawn(20, 2, (2, 5)), "choose"),
    "30 mixed": Truth(drawn(30, 3, (2, 4), 0.6), "show"),
    "100 sparse": Truth(drawn(100, 2, 2, 0.6), "choose"),
    "12 graded": Truth(graded(12, 3, 3), "show"),
    "25 graded": Truth(graded(25, 2, (2, 5)), "choose"),
    "40 graded": Truth(graded(40, 3, 2), "show"),
    "60 graded": Truth(graded(60, 2, (2, 4)), "choose"),
    "100 graded": Truth(graded(100, 2, 3), "show"),
    "20 causes": Truth(causes(20, 3), "show"),
    "50 causes": Truth(causes(50), "choose"),
    "80 causes": Truth(causes(80), "show"),
}
