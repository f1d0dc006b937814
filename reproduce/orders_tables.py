"""Tables I to V of the orders paper: parent set selection, and how to begin a search over orders.

python reproduce/orders_tables.py [--quick] [--only SET ...] [--restarts N] [--store FILE]

The score is BIC with the uniform prior on networks, as in the paper. Selections are given numbers
of sets and not seconds, so that any machine gives the same tables. Tables III to V of the paper
cannot be scores of acyclic graphs: see the column "optimum". So compare how initial orders rank.

Source: Perez and Mauá, Better initialization heuristics for order-based Bayesian network structure
learning, JIDM 2016, Tables I to V.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from math import ceil, comb, log, prod
from pathlib import Path
from statistics import mean, pstdev
from typing import Any, NamedTuple

import numpy as np
from _data import add_data_option, check_folder, each_set
from _kept import Kept
from _orders_paper import INITS, LISTS, MEASURES, METHODS
from _orders_tables import tables
from _tables import add_output_options, console, put_out

import dagscape as ds
from dagscape.control.limits import free_memory

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
    sets_per_variable: int
    """That greedy and independence selection score."""
    families: int
    """Sets with their child that sequential selection scores at most: whole sizes only."""


WHOLE = Size(FULL, 1000, 1000, 5_000_000)
"""The paper had two minutes for each variable, and 1.9M to 99M sets from sequential selection."""
QUICK = Size(("nltcs", "msnbc", "plants", "accidents", "dna"), 50, 1000, 5_000_000)

KEPT = 20_000
"""Sets of a variable with as many parents that memory holds, with the paper's numbers of sets."""

PROVEN = {"nltcs": 60.0, "msnbc": 300.0}
"""Sets whose best network can be proven, and seconds for it: no search can be above."""

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    kept = Kept(options.store)
    records = []
    for name, data in each_set(screen, options, "debd", _file):
        with screen.status(name) as status:
            try:
                records.append(_record(name, data, options, kept, status.update))
            except MissingError:
                screen.print(f"{name}: left out, {options.store} does not have all of it")
    put_out(screen, options, tables(records), records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"{', '.join(QUICK.sets)}; {QUICK.restarts} restarts; "
        f"{QUICK.sets_per_variable:,} sets for each variable, {QUICK.families:,} in all by "
        "sequential selection",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=LISTS,
        metavar="SET",
        help=f"these alone; those in part too: {', '.join(PARTIAL)}",
    )
    parser.add_argument(
        "--methods",
        nargs="+",
        choices=METHODS,
        default=METHODS,
        metavar="NAME",
        help=f"selections, out of {', '.join(METHODS)}",
    )
    parser.add_argument(
        "--restarts", type=int, metavar="N", help=f"of each initial order; {WHOLE.restarts}"
    )
    parser.add_argument(
        "--sets-per-variable",
        type=int,
        metavar="N",
        help=f"of greedy and independence selection; {WHOLE.sets_per_variable:,}",
    )
    parser.add_argument(
        "--families",
        type=int,
        metavar="N",
        help="sets of all variables that sequential selection scores at most, by whole sizes; "
        f"{WHOLE.families:,}",
    )
    parser.add_argument(
        "--paper",
        action="store_true",
        help="as many sets as the paper's lists have: by sequential selection all up to its "
        "largest in-degree, by the others as many scored; takes hours",
    )
    parser.add_argument(
        "--keep-of-size",
        type=int,
        metavar="N",
        help="of each variable's sets with as many parents keep the best N; all, with --paper "
        f"{KEPT:,}",
    )
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep each piece there, and do not run it again"
    )
    parser.add_argument(
        "--kept-only", action="store_true", help="make tables of what the store has, run nothing"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="all, if not given")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the orders; 0")
    add_output_options(parser)
    options = parser.parse_args()
    check_folder(parser, options.data)
    size = QUICK if options.quick else WHOLE
    options.only = options.only or size.sets
    options.restarts = options.restarts or size.restarts
    options.sets_per_variable = options.sets_per_variable or size.sets_per_variable
    options.families = options.families or size.families
    options.keep_of_size = options.keep_of_size or (KEPT if options.paper else None)
    return options


def _file(name: str) -> str:
    return f"{name}_partial" if name in PARTIAL else name


class MissingError(Exception):
    """What was asked for is not in the store, and nothing is to be run."""


def _record(name: str, data: ds.Data, options: argparse.Namespace, kept: Kept, tell: Any) -> Record:
    """Select parent sets in three ways, and search each from three kinds of initial order."""
    empty = ds.score(data, ds.Dag(data.names, []), score="bic", prior="uniform")
    asked = {"data": data.fingerprint, "seed": options.seed}
    methods = {}
    for method in options.methods:
        selection = Selection(name, data, method, empty, options)
        size = {"method": method, **selection.limits}
        tell(f"{name}, {method} selection")
        line = kept.get({**asked, **size}, partial(_checked, options, selection.described))
        for init in INITS:
            tell(f"{name}, {method} selection, {init} orders")
            line = {
                **line,
                init: kept.get(
                    {**asked, **size, "init": init, "restarts": options.restarts},
                    partial(_checked, options, partial(selection.searched, init)),
                ),
            }
        methods[method] = line
    optimum = None
    if name in PROVEN:
        tell(f"{name}, proof")
        prove = partial(_proven, data, empty, PROVEN[name], options)
        optimum = kept.get({**asked, "proof": PROVEN[name]}, partial(_checked, options, prove))
    return {
        "set": name,
        "file": _file(name),
        "variables": data.n_variables,
        "rows": data.n_rows,
        "empty_score": empty,
        "restarts": options.restarts,
        "sets_per_variable": options.sets_per_variable,
        "families": options.families,
        "seed": options.seed,
        "methods": methods,
        "optimum": optimum and optimum["relative"],
    }


def _checked(options: argparse.Namespace, make: Any) -> Record:
    if options.kept_only:
        raise MissingError
    found: Record = make()
    return found


def _proven(data: ds.Data, empty: float, seconds: float, options: argparse.Namespace) -> Record:
    """Return the relative score of the best network there is; None if time was too short."""
    start = time.process_time()
    best = ds.exact(data, score="bic", prior="uniform", time_limit=seconds, threads=options.threads)
    relative = _relative(best.score, empty) if best.optimal and best.scope == ds.Scope() else None
    counted = _counted(data, best.dag)
    if abs(counted - best.score) > 1e-9 * abs(counted):
        raise AssertionError(f"the proof says {best.score}, counting by NumPy says {counted}")
    spent = time.process_time() - start
    return {"relative": relative, "score": best.score, "cpu_seconds": spent}


def _counted(data: ds.Data, dag: ds.Dag) -> float:
    """Return the BIC of a network by counting rows with NumPy alone."""
    place = {name: i for i, name in enumerate(data.names)}
    total = 0.0
    for child in data.names:
        parents = [place[p] for p in dag.parents(child)]
        family = np.unique(data.codes[:, [*parents, place[child]]], axis=0, return_counts=True)
        given = np.unique(data.codes[:, parents], axis=0, return_counts=True)
        both = family[1]
        alone = given[1] if parents else np.array([data.n_rows])
        total += float(np.sum(both * np.log(both)) - np.sum(alone * np.log(alone)))
        combinations = prod(data.arities[data.names[p]] for p in parents)
        total -= 0.5 * log(data.n_rows) * combinations * (data.arities[child] - 1)
    return total


class Selection:
    """Parent sets selected in one way: made when they are first needed."""

    def __init__(
        self, name: str, data: ds.Data, method: str, empty: float, options: argparse.Namespace
    ) -> None:
        self._data, self._method, self._empty, self._options = data, method, empty, options
        self._parents: ds.CandidateParents | None = None
        self._seconds = 0.0
        paper = LISTS[name][method] if options.paper else None
        self.limits: Record = {}
        if method == "sequential":
            most = _most_parents(data.n_variables, options.families)
            self.limits["max_parents"] = most if paper is None else paper.most_parents
        else:
            sets = options.sets_per_variable
            whole = sets if paper is None else ceil(_counted_sets(paper.sets) / data.n_variables)
            self.limits["sets_per_variable"] = whole
        if options.keep_of_size is not None:
            self.limits["keep_of_size"] = options.keep_of_size

    @property
    def parents(self) -> ds.CandidateParents:
        """The sets."""
        if self._parents is None:
            start = time.process_time()
            self._parents = ds.candidate_parents(
                self._data,
                score="bic",
                prior="uniform",
                method=self._method,
                max_memory=free_memory() / 4,  # the search holds the sets once more
                threads=self._options.threads,
                **self.limits,
            )
            if self._parents.stopped:
                raise RuntimeError(
                    f"{self._method} selection was stopped by {self._parents.stopped}: "
                    "ask for fewer sets"
                )
            self._seconds = time.process_time() - start
        return self._parents

    def described(self) -> Record:
        """Return Tables I and II of it."""
        return _selected(self.parents, self._empty, self._seconds)

    def searched(self, init: str) -> Record:
        """Return Tables III to V of it and a kind of initial order."""
        return _searched(self._data, self.parents, init, self._empty, self._options)


def _counted_sets(short: str) -> float:
    """Return a number of sets as the paper writes it: 365.1K, 47.2M."""
    return float(short[:-1]) * {"K": 1e3, "M": 1e6}[short[-1]]


def _most_parents(variables: int, families: int) -> int:
    """Return the largest size up to which all sets of all variables are few enough."""
    size, total = 0, variables
    while size + 1 < variables:
        total += variables * comb(variables - 1, size + 1)
        if total > families:
            break
        size += 1
    return size


def _relative(score: float, empty: float) -> float:
    """Return the score as the paper gives it."""
    return (score - empty) / abs(empty)


def _selected(parents: ds.CandidateParents, empty: float, cpu_seconds: float) -> Record:
    """Return what Tables I and II say of a selection."""
    best = [parents.best(name)[1] for name in parents.names]
    return {
        "scored": parents.work["families_scored"],
        "kept": len(parents),
        "exhaustive": parents.exhaustive,
        "exhaustive_to": parents.work.get("scored_to", parents.exhaustive_to),
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
    """Return what Tables III to V say of a selection and a kind of initial order."""
    start = time.process_time()
    result = ds.order_search(
        parents,
        init=init,
        neighborhood="swap",
        restarts=options.restarts,
        max_steps=MAX_STEPS,
        threads=options.threads,
        seed=options.seed,
    )
    seconds = time.process_time() - start
    score = ds.score(data, result.dag, score="bic", prior="uniform")
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
