"""Networks in which somebody sets variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.networks.evidence import Known, use_evidence
from dagscape.networks.network import Network

if TYPE_CHECKING:
    from dagscape.networks.tables import Table


def intervene(network: Network, states: Mapping[str, Known]) -> Network:
    """Return the network without arcs into the variables that are set; see ``Network.do``."""
    set_to = use_evidence(states, network.states)
    if not set_to.text:
        raise ParameterError('do needs a variable and its state, such as {"Smoking": "no"}')
    tables: dict[str, Table] = {x: network.table(x) for x in network.names}
    for x in set_to.text:
        if x in set_to.states:
            tables[x] = np.eye(len(network.states[x]))[set_to.states[x]]
        else:
            weights = np.array(set_to.weights[x])
            tables[x] = weights / weights.sum()
    arcs = [(a, b) for a, b in network.dag.arcs if b not in set_to.text]
    dag = Dag(network.names, arcs)
    for x in network.names:  # the same parents, in the order that the new graph has them
        if x not in set_to.text:
            before = network.dag.parents(x)
            axes = [before.index(p) for p in dag.parents(x)]
            tables[x] = tables[x].transpose(*axes, len(axes))
    done = ", ".join(set_to.text.values())
    title = f"{network.name}, do({done})" if network.name else f"do({done})"
    return Network(dag, network.states, tables, name=title, reference=network.reference)
