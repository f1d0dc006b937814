"""Score-based local learning, step by step as its paper has it.

``Sll`` follows Algorithms 1 to 4, with an optimal network of every set of variables found by a
plain dynamic program. Variables are numbers; a network is its arcs (see ``oracles.graphs``).
There is no fallback for large sets: these oracles are for few variables.

Neighbors and spouses are those of a class, but classes may tie. ``first_network`` then takes the
network with the fewest arcs, and of those the first in the order of their arcs. ``Sll.tied`` tells
that it had to, and the ``possible_`` functions give every result that some choice leads to.

Source
------
Niinimäki and Parviainen, Local Structure Discovery in Bayesian Networks, UAI 2012.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from typing import TypeAlias

from oracles import graphs
from oracles.graphs import Graph

Variables: TypeAlias = frozenset[int]
LocalScore: TypeAlias = Callable[[int, Variables], float]

ROUNDING = 1e-7  # networks whose scores differ by no more than this tie
MOST_TIES = 2000


class TooManyTiesError(Exception):
    """More networks tie than can be listed."""


# --- the optimal networks of a set of variables -------------------------------------------------


def all_optimal_networks(
    local_score: LocalScore, variables: Iterable[int], max_parents: int = 5
) -> frozenset[Graph]:
    """Return every best network by dynamic programming: the last variable is nobody's parent."""

    @cache
    def best(placed: Variables) -> tuple[float, frozenset[Graph]]:
        if not placed:
            return 0.0, frozenset({frozenset()})
        ways = [(best(placed - {v})[0] + best_parents(v, placed - {v})[0], v) for v in placed]
        highest = max(score for score, _ in ways)
        networks = set()
        for score, v in ways:
            if score >= highest - ROUNDING:
                before, parents = best(placed - {v})[1], best_parents(v, placed - {v})[1]
                if len(before) * len(parents) > MOST_TIES:
                    raise TooManyTiesError
                arcs = [frozenset((p, v) for p in chosen) for chosen in parents]
                networks |= {network | new for network in before for new in arcs}
        if len(networks) > MOST_TIES:
            raise TooManyTiesError
        return highest, frozenset(networks)

    @cache
    def best_parents(child: int, others: Variables) -> tuple[float, list[Variables]]:
        sets = list(subsets(others, max_parents))
        highest = max(local_score(child, parents) for parents in sets)
        return highest, [p for p in sets if local_score(child, p) >= highest - ROUNDING]

    return best(frozenset(variables))[1]


def subsets(items: Iterable[int], most: int) -> Iterable[Variables]:
    """Yield the subsets of at most so many items, small ones first."""
    pool = sorted(items)
    for size in range(min(most, len(pool)) + 1):
        yield from map(frozenset, itertools.combinations(pool, size))


def first_network(networks: Iterable[Graph]) -> Graph:
    """Choose among networks that tie."""
    return min(networks, key=lambda network: (len(network), sorted(network)))


def one_class(networks: Iterable[Graph]) -> bool:
    """Tell whether all are equivalent, so that any of them gives the same neighbors."""
    return len({(graphs.skeleton(dag), graphs.v_structures(dag)) for dag in networks}) == 1


def neighbors(network: Graph, node: int) -> Variables:
    """H^A(v): parents and children."""
    return graphs.parents(network, node) | graphs.children(network, node)


def common_children(network: Graph, a: int, b: int) -> Variables:
    """Return the nodes that both have an arc to."""
    return graphs.children(network, a) & graphs.children(network, b)


def spouses(network: Graph, node: int) -> Variables:
    """S^A(v): nodes with a common child and no arc between."""
    others = graphs.nodes(network) - neighbors(network, node) - {node}
    return frozenset(v for v in others if common_children(network, node, v))


# --- the algorithms -----------------------------------------------------------------------------


class Sll:
    """Algorithms 1 to 4 on the given variables.

    The paper leaves open in which order nodes are chosen: here it is ``order(target)``, or else
    the order in which the variables are given.
    """

    def __init__(
        self,
        local_score: LocalScore,
        variables: Sequence[int],
        order: Callable[[int], Sequence[int]] | None = None,
        max_parents: int = 5,
    ) -> None:
        self.variables = tuple(variables)
        self._local_score = cache(local_score)
        self._order = order or (lambda _: self.variables)
        self._max_parents = max_parents
        self.asked: dict[Variables, frozenset[Graph]] = {}  # the optimal networks looked at
        self._kept: dict[tuple[str, int], Variables] = {}

    @property
    def tied(self) -> bool:
        """Whether any optimal network so far was one of several classes."""
        return not all(map(one_class, self.asked.values()))

    def all_optimal(self, variables: Iterable[int]) -> frozenset[Graph]:
        """Return every optimal network of a set."""
        key = frozenset(variables)
        if key not in self.asked:
            self.asked[key] = all_optimal_networks(self._local_score, key, self._max_parents)
        return self.asked[key]

    def optimal_network(self, variables: Iterable[int]) -> Graph:
        """OPTIMALNETWORK."""
        return first_network(self.all_optimal(variables))

    def find_potential_neighbors(self, t: int) -> Variables:
        """Algorithm 1."""
        return self._once("H", t, self._potential_neighbors)

    def _potential_neighbors(self, t: int) -> Variables:
        H: Variables = frozenset()  # line 1
        for v in self._order(t):  # lines 2 to 4
            if v != t:
                A = self.optimal_network({t, v} | H)  # lines 5 and 6
                H = neighbors(A, t)  # line 7
        return H

    def find_neighbors(self, t: int) -> Variables:
        """Algorithm 2."""
        return self._once("H*", t, self._neighbors)

    def _neighbors(self, t: int) -> Variables:
        potential = self.find_potential_neighbors(t)  # line 1
        return frozenset(v for v in potential if t in self.find_potential_neighbors(v))

    def find_potential_spouses(self, t: int) -> Variables:
        """Algorithm 3, with H*(t) by Algorithm 2."""
        return self._once("S", t, lambda t: spouses(self.network_of_spouses(t), t))

    def network_of_spouses(self, t: int) -> Graph:
        """Return the last network of Algorithm 3, which has the spouses and the common children."""
        H = self.find_neighbors(t)
        around = frozenset().union(*(self.find_neighbors(v) for v in H))  # line 1
        O = around - H - {t}  # line 2 # noqa: E741
        S: Variables = frozenset()
        A: Graph = frozenset()
        for v in self._order(t):  # lines 3 to 5
            if v in O:
                A = self.optimal_network({t, v} | H | S)  # lines 6 and 7
                S = spouses(A, t)  # line 8
        return A

    def find_spouses(self, t: int) -> Variables:
        """Algorithm 4."""
        own = self.find_potential_spouses(t)  # line 1
        others = frozenset(self.variables) - self.find_neighbors(t) - {t}  # line 2
        return own | {v for v in others if t in self.find_potential_spouses(v)}  # lines 3 to 5

    def find_checked_spouses(self, t: int, either: bool = False) -> Variables:
        """Not in the paper: Algorithm 4, with a common child in H*(t) and in H*(v) for each v.

        With ``either``, the child is in H(v), or v is in H(child); likewise with t.
        """

        def near(v: int) -> Variables:
            if not either:
                return self.find_neighbors(v)
            found_by = {w for w in self.variables if v in self.find_potential_neighbors(w)}
            return self.find_potential_neighbors(v) | found_by

        def potential(t: int) -> Variables:
            A = self.network_of_spouses(t)
            return frozenset(
                v for v in spouses(A, t) if common_children(A, t, v) & near(t) & near(v)
            )

        others = frozenset(self.variables) - self.find_neighbors(t) - {t}
        return potential(t) | {v for v in others if t in potential(v)}

    def markov_blanket(self, t: int, spouses: str = "published") -> Variables:
        """H*(t) ∪ S*(t)."""
        if spouses == "published":
            return self.find_neighbors(t) | self.find_spouses(t)
        return self.find_neighbors(t) | self.find_checked_spouses(t, spouses == "either")

    def _once(self, what: str, t: int, find: Callable[[int], Variables]) -> Variables:
        if (what, t) not in self._kept:
            self._kept[what, t] = find(t)
        return self._kept[what, t]

    # --- whatever is chosen among ties and orders -----------------------------------------------

    @cached_property
    def every_order(self) -> list[tuple[int, ...]]:
        """Return all orders of the variables."""
        return list(itertools.permutations(self.variables))

    def possible_potential_neighbors(self, t: int, any_order: bool = False) -> set[Variables]:
        """Return what Algorithm 1 may give, whichever optimal network is taken at each step."""
        orders = self.every_order if any_order else [tuple(self._order(t))]
        ends = set()
        for order in {tuple(v for v in order if v != t) for order in orders}:
            states: set[Variables] = {frozenset()}
            for v in order:
                states = {
                    neighbors(A, t) for H in states for A in self.all_optimal({t, v} | H)
                }  # fmt: skip
            ends |= states
        return ends

    def possible_neighbors(self, t: int, any_order: bool = False) -> set[Variables]:
        """Return what Algorithm 2 may give, choosing anew for each target."""
        found = set()
        for H in self.possible_potential_neighbors(t, any_order):
            answers = [
                {t in back for back in self.possible_potential_neighbors(v, any_order)}
                for v in sorted(H)
            ]
            for kept in itertools.product(*answers):
                found.add(frozenset(v for v, yes in zip(sorted(H), kept, strict=True) if yes))
        return found
