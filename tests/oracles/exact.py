"""The best network of a few variables, from the definition and by a plain dynamic program.

Parent sets are given as ``{child: [(score, parents), ...]}``, variables as 0, 1, ...; a network
takes one set of each child and has no cycle. Knowledge leaves out the sets that break it.

Sources
-------
Dynamic program: Silander and Myllymäki, UAI 2006; here over lists, without any of its economies.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from oracles import graphs, scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Parents = frozenset[int]
Lists = dict[int, list[tuple[float, Parents]]]

NO_NETWORK = -math.inf


@dataclass(frozen=True)
class Known:
    """What every network must obey, in numbers."""

    required: frozenset[graphs.Arc] = frozenset()
    forbidden: frozenset[graphs.Arc] = frozenset()
    tiers: tuple[frozenset[int], ...] = ()
    limits: Mapping[int, int] = field(default_factory=dict)
    max_parents: int | None = None

    def allows(self, child: int, parents: Parents) -> bool:
        """Tell whether the child may have just these parents."""
        wanted = {a for a, b in self.required if b == child}
        return (
            wanted <= parents
            and not any((parent, child) in self.forbidden for parent in parents)
            and not any(self._later(parent, child) for parent in parents)
            and len(parents) <= self.limits.get(child, len(parents))
            and (self.max_parents is None or len(parents) <= self.max_parents)
        )

    def _later(self, parent: int, child: int) -> bool:
        return any(
            child in earlier and parent in later
            for earlier, later in itertools.combinations(self.tiers, 2)
        )


def subsets(items: Iterable[int]) -> Iterator[Parents]:
    """Yield all subsets, small ones first."""
    pool = sorted(items)
    for size in range(len(pool) + 1):
        yield from map(frozenset, itertools.combinations(pool, size))


def all_parents(
    codes: Sequence[Sequence[int]],
    arities: Sequence[int],
    score: str,
    ess: float = 1.0,
    known: Known | None = None,
) -> Lists:
    """Score every parent set of every variable that knowledge allows."""
    rows = [tuple(map(int, row)) for row in codes]
    distinct = sorted(set(rows))
    weights = [rows.count(row) for row in distinct]
    variables = range(len(arities))
    return {
        child: [
            (
                scores.local_score(distinct, arities, child, sorted(parents), score, ess, weights),
                parents,
            )
            for parents in subsets(v for v in variables if v != child)
            if known is None or known.allows(child, parents)
        ]
        for child in variables
    }


def best_networks(lists: Lists, within: float = 1e-6) -> tuple[float, list[graphs.Graph]]:
    """Try every DAG: return the best score, and all DAGs that have it up to rounding."""
    local = {child: {p: s for s, p in entries} for child, entries in lists.items()}
    values = []
    for dag, families in _dags_by_families(len(lists)):
        value = sum(local[child].get(parents, NO_NETWORK) for child, parents in families)
        values.append((value, dag))
    best = max(value for value, _ in values)
    if best == NO_NETWORK:
        return best, []
    return best, [dag for value, dag in values if value >= best - within]


@cache
def _dags_by_families(n: int) -> list[tuple[graphs.Graph, list[tuple[int, Parents]]]]:
    return [
        (dag, [(child, graphs.parents(dag, child)) for child in range(n)])
        for dag in graphs.all_dags(n)
    ]


def best_score(lists: Lists) -> float:
    """Return the best score by dynamic programming; minus infinity if all choices have a cycle.

    The best network of some variables has one that is nobody's parent among them; the others have
    their best network, and it the best set of parents among them.
    """

    @cache
    def of(variables: Parents) -> float:
        if not variables:
            return 0.0
        return max(of(variables - {v}) + among(v, variables - {v}) for v in variables)

    def among(child: int, others: Parents) -> float:
        return max((s for s, p in lists[child] if p <= others), default=NO_NETWORK)

    return of(frozenset(lists))


def one_class(dags: Sequence[graphs.Graph]) -> bool:
    """Tell whether all networks are equivalent."""
    return all(graphs.markov_equivalent(dags[0], dag) for dag in dags[1:])
