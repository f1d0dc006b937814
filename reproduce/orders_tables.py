"""Tables I to V of the orders paper: parent set selection, and how to begin a search over orders.

python reproduce/orders_tables.py [--quick] [--only SET ...] [--restarts N] [--json FILE]

Tables III to V cannot be scores of acyclic graphs, at least for nltcs: the proven optimum there has
relative score 0.34661, and they have 0.4125. So compare how the initial orders rank.

Source: Perez and Mauá, Better initialization heuristics for order-based Bayesian network structure
learning, JIDM 2016, Tables I to V.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import mean, pstdev
from typing import Any, NamedTuple

from _data import add_data_option, check_folder
from _orders_paper import INITS, LISTS, MEASURES, METHODS
from _orders_tables import tables
from _tables import add_output_options, console, put_out

import dagscape as ds
from dagscape.limits import free_memory

FULL = (
    "nltcs",
    "msnbc",
    "plants",
    "baudio",
    "bnetflix",
    "jester",
    "accidents",
    "tretail",
    "pumsb_star",
    "dna",
    "msweb",
    "cwebkb",
    "cr52",
    "c20ng",
    "bbc",
)
"""Sets of which the file has as many rows as the paper's."""

PARTIAL = ("kdd", "kosarek", "book", "tmovie", "ad")
"""Sets of which only a part is at hand: other data, so left out unless asked for."""

MAX_STEPS = 500


class Size(NamedTuple):
    """What a run is given."""

    sets: tuple[str, ...]
    restarts: int
    seconds_per_variable: float


PAPER = Size(FULL, 1000, 120.0)
QUICK = Size(("nltcs", "msnbc", "plants", "accidents", "dna"), 50, 0.3)

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    records = []
    for name in options.only:
        path = options.data / "debd" / f"{_file(name)}.csv.gz"
        if not path.is_file():
            screen.print(f"{name}: left out, there is no {path}")
            continue
        with screen.status(name) as status:
            records.append(_record(name, ds.read_data(path), options, status.update))
    put_out(screen, options, tables(records), records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"{', '.join(QUICK.sets)}; {QUICK.restarts} restarts; "
        f"{QUICK.seconds_per_variable} s of selection for each variable",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=LISTS,
        metavar="SET",
        help=f"these alone; those in part too: {', '.join(PARTIAL)}",
    )
    parser.add_argument(
        "--restarts", type=int, metavar="N", help=f"of each initial order; {PAPER.restarts}"
    )
    parser.add_argument(
        "--seconds-per-variable",
        type=float,
        metavar="S",
        help=f"that a selection may take; {PAPER.seconds_per_variable:g}, as in the paper",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="all, if not given")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the orders; 0")
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    size = QUICK if options.quick else PAPER
    options.only = options.only or size.sets
    options.restarts = options.restarts or size.restarts
    options.seconds_per_variable = options.seconds_per_variable or size.seconds_per_variable
    return options


def _file(name: str) -> str:
    return f"{name}_partial" if name in PARTIAL else name


def _record(name: str, data: ds.Data, options: argparse.Namespace, tell: Any) -> Record:
    """Select parent sets in three ways, and search each from three kinds of initial order."""
    empty = ds.score(data, ds.Dag(data.names, []))
    methods = {}
    for method in METHODS:
        tell(f"{name}, {method} selection")
        start = time.process_time()
        parents = ds.candidate_parents(
            data,
            method=method,
            time_per_variable=options.seconds_per_variable,
            max_memory=free_memory() / 4,  # the search holds the sets once more
            threads=options.threads,
        )
        line = _selected(parents, empty, time.process_time() - start)
        for init in INITS:
            tell(f"{name}, {method} selection, {init} orders")
            line[init] = _searched(data, parents, init, empty, options)
        methods[method] = line
    return {
        "set": name,
        "file": _file(name),
        "variables": data.n_variables,
        "rows": data.n_rows,
        "empty_score": empty,
        "restarts": options.restarts,
        "seconds_per_variable": options.seconds_per_variable,
        "seed": options.seed,
        "methods": methods,
    }


def _relative(score: float, empty: float) -> float:
    """Return the score as the paper gives it."""
    return (score - empty) / abs(empty)


def _selected(parents: ds.CandidateParents, empty: float, cpu_seconds: float) -> Record:
    """Return Tables I and II of a selection."""
    best = [parents.best(name)[1] for name in parents.names]
    return {
        "scored": parents.work["families_scored"],
        "kept": len(parents),
        "exhaustive": parents.exhaustive,
        "exhaustive_to": parents.exhaustive_to,
        "stopped": parents.stopped,
        "most_parents": max(map(len, best)),
        "mean_parents": mean(map(len, best)),
        "relaxed": _relative(parents.relaxed_score, empty),
        "seconds": parents.seconds,
        "cpu_seconds": cpu_seconds,
    }


def _searched(
    data: ds.Data,
    parents: ds.CandidateParents,
    init: str,
    empty: float,
    options: argparse.Namespace,
) -> Record:
    """Return Tables III to V of a selection and a kind of initial order."""
    start = time.process_time()
    result = ds.order_search(
        parents,
        init=init,
        neighbourhood="swap",
        restarts=options.restarts,
        max_steps=MAX_STEPS,
        threads=options.threads,
        seed=options.seed,
    )
    seconds = time.process_time() - start
    score = ds.score(data, result.dag)
    if abs(score - result.score) > 1e-9 * abs(score):
        raise AssertionError(f"the result says {result.score}, the data say {score}")
    restarts = result.work["restarts"]
    columns = {
        "mean_best": [_relative(restart["score"], empty) for restart in restarts],
        "mean_initial": [_relative(restart["initial_score"], empty) for restart in restarts],
        "iterations": [float(restart["steps"]) for restart in restarts],
    }
    found: Record = {"best": _relative(score, empty), "restarts": len(restarts)}
    for measure in MEASURES[1:]:
        found[measure] = mean(columns[measure])
        found[f"{measure}_deviation"] = pstdev(columns[measure])
    return {**found, "cpu_seconds": seconds}


if __name__ == "__main__":
    sys.exit(main())
