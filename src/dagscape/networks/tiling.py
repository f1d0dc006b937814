"""Large networks from joined copies of a small one.

After Tsamardinos, Statnikov, Brown and Aliferis, Generating Realistic Large Bayesian Networks by
Tiling, FLAIRS 2006. Each later copy (tile) hangs on an earlier one: some of its parentless nodes
get one or two parents there, with random tables that leave the node's marginal as it was.

Here every tile keeps the joint distribution of the original exactly. The parentless nodes of a
tile must then stay independent of each other, so the new parents of two of them never share an
ancestor. That bounds the number of joining arcs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.errors import ParameterError
from dagscape.files.text import MAX_VARIABLES
from dagscape.graphs import Dag
from dagscape.networks.ipf import fit_margins
from dagscape.networks.network import Network, refuse_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dagscape.networks.nodes.table import Table

_MAX_NEW_PARENTS = 2
# A share of the uniform table in each random one: tables near 0 and 1 take the fitting long.
_UNIFORM_SHARE = 0.1


def tile_network(net: Network, copies: int, seed: int = 0) -> Network:
    """Do what :meth:`Network.tile` says."""
    most = MAX_VARIABLES // max(1, len(net.names))
    if not isinstance(copies, int | np.integer) or not 1 <= copies <= most:
        raise ParameterError(f"copies must be at least 1 and at most {most:,}, got {copies!r}")
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(f"seed must be a whole number from 0 up, got {seed!r}")
    refuse_numbers(net, "networks that are tiled have")
    rng = np.random.default_rng(int(seed))
    arcs: list[tuple[str, str]] = []
    tables: dict[str, Table] = {}
    ancestors: dict[str, frozenset[str]] = {}  # each with itself
    for tile in range(1, int(copies) + 1):
        joins = _choose_joins(net, int(rng.integers(1, tile)), ancestors, rng) if tile > 1 else {}
        for x in net.dag.topological_order():
            parents = [_copy(p, tile) for p in net.dag.parents(x)]
            tables[_copy(x, tile)] = net.table(x)
            if x in joins:
                earlier, chosen = joins[x]
                parents = [_copy(p, earlier) for p in net.names if p in chosen]
                tables[_copy(x, tile)] = _random_table(net, x, chosen, rng)
            me = _copy(x, tile)
            arcs += [(p, me) for p in parents]
            ancestors[me] = frozenset({me}).union(*(ancestors[p] for p in parents))
    tiles = range(1, int(copies) + 1)
    states = {_copy(x, tile): net.states[x] for tile in tiles for x in net.names}
    title = f"{net.name or 'network'}, {copies} tiles"
    return Network(Dag(states, arcs), states, tables, name=title, reference=net.reference)


def _copy(x: str, tile: int) -> str:
    return f"{x}_{tile}"


def _choose_joins(
    net: Network, earlier: int, ancestors: dict[str, frozenset[str]], rng: np.random.Generator
) -> dict[str, tuple[int, list[str]]]:
    """Return parents in an earlier tile for the parentless nodes of a new one."""
    roots = sorted(x for x in net.names if not net.dag.parents(x))
    used: frozenset[str] = frozenset()
    joins = {}
    for x in _shuffled(roots, rng):
        free = [p for p in sorted(net.names) if not ancestors[_copy(p, earlier)] & used]
        count = int(rng.integers(1, _MAX_NEW_PARENTS + 1))
        chosen = sorted(_shuffled(free, rng)[:count])
        if chosen:
            joins[x] = (earlier, chosen)
            used = used.union(*(ancestors[_copy(p, earlier)] for p in chosen))
    return joins


def _random_table(net: Network, x: str, parents: list[str], rng: np.random.Generator) -> Table:
    """Return a random P(x | parents) that leaves P(x) as it is; axes in display order."""
    above = net.marginal(parents)
    above = above / above.sum()  # both to the last digit, or the fitting would never settle
    alone = net.table(x) / net.table(x).sum()
    rows = rng.dirichlet(np.ones(alone.size), size=above.shape)
    rows = (1 - _UNIFORM_SHARE) * rows + _UNIFORM_SHARE / alone.size
    last = above.ndim
    margins: list[tuple[Sequence[int], npt.ArrayLike]] = [(range(last), above), ([last], alone)]
    joint = fit_margins(above[..., None] * rows, margins)
    seen = joint.sum(axis=-1, keepdims=True)
    table = np.divide(joint, seen, out=np.broadcast_to(alone, joint.shape).copy(), where=seen > 0)
    display = [parents.index(p) for p in net.names if p in parents]
    return np.transpose(table, (*display, last))


def _shuffled(items: list[str], rng: np.random.Generator) -> list[str]:
    return [items[i] for i in rng.permutation(len(items))]
