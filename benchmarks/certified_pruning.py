"""Show how many parent sets a proven bound on their weight can take out of a posterior.

python benchmarks/certified_pruning.py TABLE [--rows N] [--max-parents K] [--seconds S] [--lose E]

Every valid cut Σ a x ≥ b of the integer program bounds the sum over all networks: with a multiplier
λ ≥ 0 for each,

    Σ over networks of Π w(v, P)  ≤  e^(−Σ λ b) Π over v of Σ over P of w(v, P) e^(Σ λ a(v, P)),

and with v's parents held at P, the weight of all networks that have them. Sets may be left out
while the bounds of all that are left out come to at most E times the weight of the best network.
The multipliers are those of the linear program, cuts added until time is over or they stop to pay.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import networkx as nx
import numpy as np
from rich.console import Console
from scipy import sparse

import dagscape as ds
from dagscape import _core
from dagscape.search.exact.integer_program import BranchAndCut

FAR = 1e5
"""Nats by which a set may be too bad to be in the linear program at all."""


class Root(BranchAndCut):
    """The linear program of the first node, with every set that is not hopeless."""

    def __init__(self, component: _core.Component, best: float, seconds: float) -> None:
        end = time.monotonic() + seconds
        super().__init__(component, _core.Gap(), lambda: False, lambda: None)
        self._best, self._end = best, end
        self._program.add_columns(self._families.best(20))

    def multipliers(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the cuts and their multipliers."""
        self._bound(())
        used = np.asarray(self._program.duals) > 0
        return np.asarray(self._program.cuts)[used], np.asarray(self._program.duals)[used]

    def _limit(self) -> float:
        return self._best + FAR

    def _stuck(self, values: list[float], *, root: bool) -> bool:  # noqa: ARG002
        slow = len(values) > 20 and values[-1] - values[-20] < 1
        return slow or time.monotonic() > self._end


def main() -> None:
    """Do what the command line says."""
    options = _options()
    data = ds.read_data(options.table)
    if options.rows:
        data = data.head(options.rows)
    asked = {"score": ds.BDeu(1), "prior": "fair", "max_parents": options.max_parents}
    best = ds.exact(data, **asked)
    if not best.optimal:
        raise RuntimeError("the best network is not proven: there is nothing to compare with")
    lists = ds.candidate_parents(data, prune=False, **asked)._lists
    (component,) = _core.components(lists, False)
    sets = component.parents
    n = len(component.variables)
    regret = sum(sets.score(v, 0) for v in range(n)) - best.score
    root = Root(component, regret, options.seconds)
    cuts, multipliers = root.multipliers()
    families = root._families
    columns = [families.column(v, at) for v in range(n) for at in range(sets.size(v))]
    parents = [sets.parents(v, at) for v in range(n) for at in range(sets.size(v))]
    numbers = np.array(columns, dtype=np.uint32)
    children = np.asarray(families.children(numbers))
    starts, places, values = families.entries(cuts, numbers)
    ends = np.append(starts, len(places))
    entries = sparse.csr_matrix((values, places, ends), shape=(len(cuts), len(numbers)))
    reduced = np.asarray(families.regrets(numbers)) - entries.T @ multipliers
    paid = float(multipliers @ np.asarray(families.right(cuts)))
    whole = np.array([_log_sum(-reduced[children == v]) for v in range(n)])
    least = np.array([reduced[children == v].min() for v in range(n)])
    show = Console(highlight=False, markup=False, soft_wrap=True).print
    show(f"{data.n_variables} variables × {data.n_rows:,} rows, {len(numbers):,} parent sets")
    above = max(0.0, regret - paid - least.sum())
    show(f"linear program: {above:,.1f} nats above the best network")
    show(f"sum over networks: bound {regret - paid + whole.sum():,.1f} nats above its weight")
    # The weight of all networks with a set is at most this, in nats above the best network's.
    weight = regret - paid + (whole.sum() - whole[children]) - reduced
    order = np.argsort(weight, kind="stable")
    lost = np.logaddexp.accumulate(weight[order])
    kept = order[np.searchsorted(lost, math.log(options.lose)) :]
    show(f"kept: {len(kept):,} sets, components of {_components(n, kept, children, parents)}")
    near = np.flatnonzero(reduced - least[children] <= -math.log(options.lose))
    show(
        "were the bound the best network's own weight: "
        f"{len(near):,} sets, components of {_components(n, near, children, parents)}"
    )


def _log_sum(values: np.ndarray) -> float:
    return float(values.max() + np.log(np.exp(values - values.max()).sum()))


def _components(n: int, kept: np.ndarray, children: np.ndarray, parents: list[list[int]]) -> str:
    """Return how many variables each component has, the largest first."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    for at in kept:
        graph.add_edges_from((parent, int(children[at])) for parent in parents[at])
    sizes = sorted(map(len, nx.strongly_connected_components(graph)), reverse=True)
    return ", ".join(map(str, sizes[:6])) + (", ..." if len(sizes) > 6 else "")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("table", type=Path)
    parser.add_argument("--rows", type=int, default=0, help="the first rows only")
    parser.add_argument("--max-parents", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60, help="for the linear program")
    parser.add_argument("--lose", type=float, default=0.01, help="share that may be lost")
    return parser.parse_args()


if __name__ == "__main__":
    main()
