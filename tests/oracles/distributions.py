"""What holds of a distribution, by definition: independences, composition, models that include it.

A distribution is a dict from the states of all variables, which are 0, 1, ..., to probabilities.

Sources
-------
Composition, inclusion, inclusion-optimal models: Chickering and Meek, UAI 2002; Nielsen, Kočka and
Peña, UAI 2003.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import TypeAlias

from oracles import equivalence, graphs
from oracles.graphs import Graph

Joint: TypeAlias = dict[tuple[int, ...], float]
Independence: TypeAlias = tuple[frozenset[int], frozenset[int], frozenset[int]]

EQUAL = 1e-12


def marginal(joint: Joint, variables: Collection[int]) -> Joint:
    """Return the probabilities of the states of some variables, in the order of their numbers."""
    mass: Joint = {}
    for state, p in joint.items():
        key = tuple(state[v] for v in sorted(variables))
        mass[key] = mass.get(key, 0.0) + p
    return mass


def without(joint: Joint, hidden: int) -> Joint:
    """Return the distribution of the others, whose numbers close ranks."""
    return marginal(joint, [v for v in range(len(next(iter(joint)))) if v != hidden])


def independent(joint: Joint, x: frozenset[int], y: frozenset[int], z: frozenset[int]) -> bool:
    """Return whether p(x, y, z) p(z) = p(x, z) p(y, z) in all states."""
    sets = [x | y | z, z, x | z, y | z]
    mass = [marginal(joint, variables) for variables in sets]

    def probability(place: int, state: dict[int, int]) -> float:
        return mass[place].get(tuple(state[v] for v in sorted(sets[place])), 0.0)

    ranges = [sorted({state[v] for state in joint}) for v in sorted(sets[0])]
    states = (
        dict(zip(sorted(sets[0]), state, strict=True)) for state in itertools.product(*ranges)
    )
    return all(
        abs(
            probability(0, state) * probability(1, state)
            - probability(2, state) * probability(3, state)
        )
        < EQUAL
        for state in states
    )


def triples(n: int) -> Iterator[Independence]:
    """Yield three disjoint sets in every way, of which the third may be empty."""
    for places in itertools.product(range(4), repeat=n):
        x, y, z = (frozenset(v for v in range(n) if places[v] == place) for place in range(3))
        if x and y:
            yield x, y, z


def composes(joint: Joint, n: int) -> bool:
    """Return whether x ⊥ y | z and x ⊥ u | z always imply x ⊥ yu | z."""
    holds = {triple: independent(joint, *triple) for triple in triples(n)}
    return all(
        holds[x, yu, z]
        for x, yu, z in holds
        if any(
            holds[x, frozenset(y), z] and holds[x, yu - set(y), z]
            for size in range(1, len(yu))
            for y in itertools.combinations(yu, size)
        )
    )


def includes(dag: Graph, joint: Joint) -> bool:
    """Return whether the distribution is that of the network with its conditional ones."""
    n = len(next(iter(joint)))
    families = [
        (sorted(graphs.parents(dag, v) | {v}), sorted(graphs.parents(dag, v))) for v in range(n)
    ]
    mass = [(marginal(joint, family), marginal(joint, given)) for family, given in families]

    def product(state: tuple[int, ...]) -> float:
        factors = []
        for (family, given), (above, below) in zip(families, mass, strict=True):
            total = below[tuple(state[v] for v in given)]
            factors.append(above[tuple(state[v] for v in family)] / total if total else 0.0)
        return math.prod(factors)

    return all(abs(p - product(state)) < EQUAL for state, p in joint.items())


@cache
def separations(n: int, here: equivalence.Class) -> frozenset[tuple[int, int, frozenset[int]]]:
    """Return what d-separation says of a class, of all pairs given all sets."""
    dag = equivalence.members(n)[here][0]
    return frozenset(
        (a, b, frozenset(z))
        for a, b in itertools.combinations(range(n), 2)
        for size in range(n - 1)
        for z in itertools.combinations([v for v in range(n) if v not in (a, b)], size)
        if graphs.d_separated_by_moralisation(dag, a, b, z)
    )


def inclusion_optimal(joint: Joint) -> frozenset[equivalence.Class]:
    """Return the classes that include a distribution, and no class strictly within them does."""
    n = len(next(iter(joint)))
    including = [here for here, dags in equivalence.members(n).items() if includes(dags[0], joint)]
    return frozenset(
        here
        for here in including
        if not any(separations(n, here) < separations(n, there) for there in including)
    )


def product(joints: Iterable[Joint]) -> Joint:
    """Return the distribution of groups of variables that are independent of each other."""
    return {
        tuple(itertools.chain(*(state for state, _ in parts))): math.prod(p for _, p in parts)
        for parts in itertools.product(*(joint.items() for joint in joints))
    }
