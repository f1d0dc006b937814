"""Two claims of the A* paper on why it wins: where edges are saved, and parent graphs made late.

python reproduce/astar_layers.py [--only SET ...] [--markdown FILE]

Deep layers: "most of the edge pruning happens in deep layers of the order graph that are more
expensive to compute". The script counts, by how many variables are placed, the edges that any A*
with the simple heuristic can leave out, and how far down a sorted list of parent sets each looks.

Incremental parent graphs: "that means we only generate the parent scores when they are needed in
the search [...] Experiments indeed show that this method results in larger parent graphs". A set is
needed for a child if A* expands a node that holds it, and not the child. The script counts these,
with dominated sets and without, beside those of lists that are made before the search.

The score is BIC with the uniform prior on networks; sets are the paper's own, to 17 variables.

Source: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010, sections 3.3
and 4.2.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
from _astar_paper import PAPER
from _data import add_data_option, check_folder
from _order_graph import TIE, cheapest, regrets
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

SETS = [name for name, row in PAPER.items() if row.own and name != "heart"]

Record = dict[str, Any]
Flags = npt.NDArray[np.bool_]


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=SETS, default=SETS, metavar="SET")
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    screen = console()
    records = []
    for name in options.only:
        with screen.status(name):
            data = ds.read_data(options.data / PAPER[name].file)
            records.append({"set": name, **counted(data)})
    put_out(screen, options, [_layers(records), _made_late(records)], records)
    return 0


def counted(data: ds.Data) -> Record:
    """Count edges by layer, and the sets that are needed."""
    asked: Record = {"score": "bic", "prior": "uniform", "prune": "published", "threads": 1}
    parents = ds.candidate_parents(data, **asked)
    names = list(parents.names)
    n = len(names)
    cost = cheapest([regrets(parents, child) for child in range(n)])
    sets = np.arange(1 << n)
    size = sum((sets >> i & 1) for i in range(n))
    expanded = cost < cost[-1] - TIE  # those of equal cost may be expanded or not
    visited, looked = np.zeros(n, dtype=np.int64), np.zeros(n)
    full = np.bincount(size, weights=n - size, minlength=n + 1)[:n].astype(np.int64)
    for child in range(n):
        start = sets[(sets >> child & 1) == 0]
        later = cost[start | 1 << child] - cost[start] > TIE
        visited += np.bincount(size[start][expanded[start] & later], minlength=n)[:n]
        places = _places(parents, names, child)
        looked += np.bincount(size[start], weights=places[start] + 1, minlength=n)[:n]
    most = math.floor(math.log2(2 * data.n_rows / math.log(data.n_rows)))  # Theorem 3
    late = [_needed(expanded, n, child) & (size <= most) for child in range(n)]
    kept = [_listed(parents, names, child) for child in range(n)]
    return {
        "variables": n,
        "full": full.tolist(),
        "visited": visited.tolist(),
        "looked": (looked / full).tolist(),
        "scored_before": parents.work["families_scored"],
        "kept_before": len(parents),
        "scored_late": sum(int(some.sum()) for some in late),
        "kept_late": sum(int((a & b).sum()) for a, b in zip(late, kept, strict=True)),
    }


def _listed(parents: ds.CandidateParents, names: list[str], child: int) -> Flags:
    """Return which sets are in a child's list."""
    found = np.zeros(1 << len(names), dtype=bool)
    for _, chosen in parents[names[child]]:
        found[sum(1 << names.index(name) for name in chosen)] = True
    return found


def _places(parents: ds.CandidateParents, names: list[str], child: int) -> npt.NDArray[np.int64]:
    """Return the place in a child's list of the best set within each set of variables."""
    entries = parents[names[child]]
    place = np.full(1 << len(names), len(entries), dtype=np.int64)
    for i, (_, chosen) in enumerate(entries):
        place[sum(1 << names.index(name) for name in chosen)] = i
    for i in range(len(names)):
        halves = place.reshape(-1, 2, 1 << i)
        np.minimum(halves[:, 1], halves[:, 0], out=halves[:, 1])
    return place


def _needed(expanded: Flags, n: int, child: int) -> Flags:
    """Return which sets some expanded node holds that does not hold the child."""
    held = expanded & ((np.arange(1 << n) >> child & 1) == 0)
    for i in range(n):
        halves = held.reshape(-1, 2, 1 << i)
        halves[:, 0] |= halves[:, 1]
    return held


def _layers(records: list[Record]) -> Table:
    """Show what is saved in each third of the layers."""
    rows = []
    for record in records:
        n, full, visited = record["variables"], record["full"], record["visited"]
        saved = [a - b for a, b in zip(full, visited, strict=True)]
        thirds = [range(n * t // 3, n * (t + 1) // 3) for t in range(3)]
        row = [record["set"], str(n), _share(sum(saved) / sum(full))]
        row += [_share(sum(saved[i] for i in some) / sum(full[i] for i in some)) for some in thirds]
        total = max(sum(saved), 1)
        row += [_share(sum(saved[i] for i in some) / total) for some in thirds]
        row += [
            f"{sum(record['looked'][i] * full[i] for i in some) / sum(full[i] for i in some):.1f}"
            for some in thirds
        ]
        rows.append(row)
    header = ["set", "n", "edges saved", "of the first third", "second", "third"]
    header += ["of all saved, in the first third", "second", "third"]
    header += ["sets looked at: first third", "second", "third"]
    return Table("Edges that A* leaves out, by thirds of the layers", header, rows)


def _share(part: float) -> str:
    return f"{100 * part:.0f} %"


def _made_late(records: list[Record]) -> Table:
    rows = [
        [
            record["set"],
            f"{record['scored_before']:,}",
            f"{record['kept_before']:,}",
            f"{record['scored_late']:,}",
            f"{record['kept_late']:,}",
        ]
        for record in records
    ]
    header = ["set", "before: scored", "kept", "late: needed", "of these not dominated"]
    return Table("Parent sets made before the search, and when they are needed", header, rows)


if __name__ == "__main__":
    sys.exit(main())
