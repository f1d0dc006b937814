"""What knowledge leaves of a class of networks: brute force over its members.

The graph that stands for them is the union of their arcs, as in ``oracles.graphs``: an edge is
directed if it points the same way in all members that obey.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from oracles import graphs
from oracles.graphs import Arc, Graph


@dataclass(frozen=True)
class Known:
    """Arcs that must or must not be there, tiers (causes first), the most parents of a node; nodes
    without parents, and without children."""

    required: Collection[Arc] = ()
    forbidden: Collection[Arc] = ()
    tiers: Sequence[Collection[int]] = ()
    limits: Mapping[int, int] = field(default_factory=dict)
    roots: Collection[int] = ()
    leaves: Collection[int] = ()

    def obeyed_by(self, dag: Graph) -> bool:
        """Each piece, as it is defined."""
        backwards = {
            (late, early)
            for (i, first), (j, second) in itertools.permutations(enumerate(self.tiers), 2)
            if i < j
            for early in first
            for late in second
        }
        return (
            set(self.required) <= dag
            and not dag & set(self.forbidden)
            and not dag & backwards
            and not any(a in self.leaves or b in self.roots for a, b in dag)
            and all(len(graphs.parents(dag, node)) <= most for node, most in self.limits.items())
        )


def left(dag: Graph, known: Known) -> Graph:
    """Return what the members of a network's class that obey agree on."""
    members = [member for member in graphs.equivalence_class(dag) if known.obeyed_by(member)]
    return frozenset(itertools.chain(*members))
