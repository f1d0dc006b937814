"""Networks of pgmpy and pyAgrum, both ways. Both libraries are optional and imported when used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape.errors import ParameterError
from dagscape.networks.network import refuse_numbers
from dagscape.networks.network_parts import NetworkParts
from dagscape.other_libraries import load_library

if TYPE_CHECKING:
    from dagscape.networks.network import Network


def to_pgmpy(net: Network) -> Any:
    """Return the network as a pgmpy ``DiscreteBayesianNetwork``."""
    refuse_numbers(net, "models of pgmpy have")
    models = load_library("pgmpy.models", "pgmpy")
    factors = load_library("pgmpy.factors.discrete", "pgmpy")
    model = models.DiscreteBayesianNetwork()
    model.add_nodes_from(net.names)
    model.add_edges_from(net.dag.arcs)
    for x in net.names:
        parents = net.dag.parents(x)
        cpd = factors.TabularCPD(
            x,
            net.arities[x],
            net.table(x).reshape(-1, net.arities[x]).T,
            evidence=list(parents),
            evidence_card=[net.arities[p] for p in parents],
            state_names={v: list(net.states[v]) for v in (x, *parents)},
        )
        model.add_cpds(cpd)
    return model


def from_pgmpy(model: Any) -> Network:
    """Do what :meth:`Network.from_pgmpy` says."""
    parts = NetworkParts(str(getattr(model, "name", None) or ""))
    cpds = {}
    if not hasattr(model, "get_cpds"):
        raise ParameterError(f"a pgmpy model is needed, got {type(model).__name__}")
    for node in model.nodes():
        cpd = model.get_cpds(node)
        if cpd is None:
            raise ParameterError(f'the pgmpy model has no table for "{node}"')
        cpds[str(node)] = cpd
        parts.states[str(node)] = tuple(str(s) for s in cpd.state_names[node])
    for x, cpd in cpds.items():
        child, *parents = cpd.variables
        parts.parents[x] = tuple(str(p) for p in parents)
        table = np.moveaxis(np.asarray(cpd.values, dtype=np.float64), 0, -1)
        for axis, p in enumerate(parents):
            here = [str(s) for s in cpd.state_names[p]]
            if sorted(here) != sorted(parts.states[str(p)]):
                raise ParameterError(f'the pgmpy tables of "{p}" and "{child}" differ in states')
            table = np.take(table, [here.index(s) for s in parts.states[str(p)]], axis=axis)
        parts.tables[x] = table
    return parts.network("the pgmpy model")


def to_pyagrum(net: Network) -> Any:
    """Return the network as a pyAgrum ``BayesNet``."""
    refuse_numbers(net, "networks of pyAgrum have")
    gum = load_library("pyagrum", "pyagrum")
    bn = gum.BayesNet(net.name)
    if net.reference:
        bn.setProperty("reference", net.reference)
    for x in net.names:
        bn.add(gum.LabelizedVariable(x, "", list(net.states[x])))
    for x in net.names:
        # An array's axes are a table's variables in reverse, parents last to first.
        for p in reversed(net.dag.parents(x)):
            bn.addArc(p, x)
        bn.cpt(x)[:] = net.table(x)
    return bn


def from_pyagrum(bn: Any) -> Network:
    """Return the network of a pyAgrum ``BayesNet``."""
    if not hasattr(bn, "propertyWithDefault"):
        raise ParameterError(f"a BayesNet of pyAgrum is needed, got {type(bn).__name__}")
    name = bn.propertyWithDefault("name", "")
    parts = NetworkParts(name, bn.propertyWithDefault("reference", ""))
    for node in sorted(bn.nodes()):
        variable = bn.variable(node)
        parts.states[variable.name()] = tuple(variable.labels())
    for x in parts.states:
        cpt = bn.cpt(x)
        parts.parents[x] = tuple(reversed(cpt.names))[:-1]
        parts.tables[x] = np.array(cpt[:], dtype=np.float64)
    return parts.network("the pyAgrum network")
