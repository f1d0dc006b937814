"""Networks in which somebody sets variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.networks.evidence import Known, use_evidence
from dagscape.networks.network import Network
from dagscape.networks.nodes import GaussianNode, Node

if TYPE_CHECKING:
    from dagscape.networks.probability_table import Table


def intervene(network: Network, states: Mapping[str, Known]) -> Network:
    """Return the network without arcs into the variables that are set; see ``Network.do``."""
    set_to = use_evidence(states, network.states)
    if not set_to.text:
        raise ParameterError('do needs a variable and its state, such as {"Smoking": "no"}')
    arcs = [(a, b) for a, b in network.dag.arcs if b not in set_to.text]
    dag = Dag(network.names, arcs)
    nodes: dict[str, Node | Table] = {}
    for x in network.names:
        if x in set_to.states:
            nodes[x] = np.eye(len(network.states[x]))[set_to.states[x]]
        elif x in set_to.weights:
            weights = np.array(set_to.weights[x])
            nodes[x] = weights / weights.sum()
        elif x in set_to.numbers:
            nodes[x] = GaussianNode(set_to.numbers[x], 0.0)
        else:
            nodes[x] = network.node_for(x, dag)
    done = ", ".join(set_to.text.values())
    title = f"{network.name}, do({done})" if network.name else f"do({done})"
    return Network(dag, network.states, nodes, name=title, reference=network.reference)
