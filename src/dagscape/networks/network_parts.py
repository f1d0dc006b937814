"""A network as a file lists it, before it is checked: what every reader fills and writer walks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from dagscape.errors import DagscapeError, FileFormatError
from dagscape.files.text import refuse_half_characters, refuse_too_many
from dagscape.graphs import Dag
from dagscape.networks.network import Network
from dagscape.networks.nodes import Node, TableNode

if TYPE_CHECKING:
    from dagscape.networks.nodes.table import Table


@dataclass
class NetworkParts:
    """States, parents and tables in the file's own order, probabilities as printed.

    A table has one axis per parent, in the order of ``parents``, and the variable's states last.
    Variables without a table have a node.
    """

    name: str = ""
    reference: str = ""
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)

    @classmethod
    def of(cls, net: Network) -> NetworkParts:
        """Take a network apart."""
        nodes = {x: net.node(x) for x in net.names}
        return cls(
            net.name,
            net.reference,
            dict(net.states),
            {x: net.dag.parents(x) for x in net.names},
            {x: node.table for x, node in nodes.items() if isinstance(node, TableNode)},
            {x: node for x, node in nodes.items() if not isinstance(node, TableNode)},
        )

    def shape(self, x: str) -> tuple[int, ...]:
        """Return the shape of the table of a variable whose parents are known."""
        return tuple(len(self.states[v]) for v in (*self.parents[x], x))

    def rows(self, x: str) -> int:
        """Return the number of parent configurations."""
        return math.prod(self.shape(x)[:-1])

    def network(self, source: str) -> Network:
        """Put the parts together; an error names the file they came from."""
        refuse_too_many(len(self.states), source)
        refuse_half_characters(chain(self.states, *self.states.values()), source)
        try:
            dag = Dag(self.states, [(p, x) for x, ps in self.parents.items() for p in ps])
            nodes = self.nodes | {x: TableNode(table) for x, table in self.tables.items()}
            for x, node in nodes.items():
                here = self.parents[x]
                order = [here.index(p) for p in dag.parents(x)]
                nodes[x] = node.reordered(order, [bool(self.states[p]) for p in here])
            return Network(dag, self.states, nodes, name=self.name, reference=self.reference)
        except FileFormatError:
            raise
        except DagscapeError as error:
            raise FileFormatError(f"{source}: {error}") from None
