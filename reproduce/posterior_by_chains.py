"""How far the sampled posterior can be believed, and what it costs.

python reproduce/posterior_by_chains.py [--data DIR] [--only CASE ...] [--times T] [--rounds R]
    [--store DIR]

BDeu with an equivalent sample size of 1 and the fair prior. For each table and seed: CPU seconds of
the call; the error that it states (the widest half-interval of an arc) and in how many arcs it is
0.1 or more; the most by which an arc is off from a reference, which is T times as long, from other
seeds; average precision and Brier score over pairs of variables, beside the network that the rows
were drawn from. Cases of a minute have no reference; with --rounds they have so many rounds
instead, whatever time that takes. With --store, references are kept in files and go on where they
were stopped.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from _data import add_data_option, check_folder

import dagscape as ds

ROUNDS = 4000
RESAMPLED_ROUNDS = 1000
"""What a call takes where nothing is said."""

REFERENCE_SEED = 1000

MINUTE: dict[str, Any] = {"time_limit": 60, "rounds": 10**6}

UNSETTLED = 0.1
"""An arc whose interval reaches so far is one that chains have not settled."""


@dataclass(frozen=True)
class Case:
    """A table, what is asked of it, and the network it was drawn from."""

    data: ds.Data
    truth: ds.Network
    asked: dict[str, Any]
    seeds: tuple[int, ...] = (0,)
    reference: dict[str, Any] | None = None
    """What is asked of the reference, beside more rounds."""


def rows_of(folder: Path, name: str, rows: int) -> ds.Data:
    """Return the first rows of one of bnlearn's tables."""
    table = ds.read_data(folder / "bnlearn" / f"{name}.csv.gz")
    return ds.Data.from_codes(table.codes[:rows], dict(table.states))


def alarm(folder: Path, rows: int, **asked: Any) -> Case:
    """Return a case of bnlearn's ALARM table."""
    return Case(
        rows_of(folder, "alarm", rows),
        ds.load_network("alarm"),
        {"max_parents": 4} | asked,
        seeds=(0,) if "resamples" in asked else (0, 1, 2),
        reference={},
    )


def win95pts(folder: Path) -> Case:
    """Return rows of a network of 76 variables, with a minute for them."""
    truth = ds.read_bif(folder / "networks" / "win95pts.bif.gz")
    return Case(truth.sample(1000, seed=0), truth, {"max_parents": 3} | MINUTE)


def wide(_folder: Path) -> Case:
    """Return rows of a random network of 200 variables, with a minute for them."""
    truth = ds.random_network(200, max_parents=3, seed=0)
    return Case(truth.sample(1000, seed=0), truth, MINUTE)


CASES: dict[str, Callable[[Path], Case]] = {
    "alarm-1000": lambda folder: alarm(folder, 1000),
    "alarm-20000": lambda folder: alarm(folder, 20_000),
    "hailfinder-1000": lambda folder: Case(
        rows_of(folder, "hailfinder", 1000),
        ds.load_network("hailfinder"),
        {"max_parents": 3},
        reference={},
    ),
    "win95pts-1000": win95pts,
    "random-200": wide,
    "alarm-5000-bagged": lambda folder: alarm(folder, 5000, resamples=50),
}


def main() -> None:
    """Print a line for each case and seed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=CASES, default=CASES)
    parser.add_argument("--times", type=int, default=20, metavar="T")
    parser.add_argument("--rounds", type=int, metavar="R")
    parser.add_argument("--store", type=Path, metavar="DIR")
    options = parser.parse_args()
    check_folder(parser, options.data)
    heads = ("table", "seed", "CPU s", "wall s", "stated error", "unsettled arcs", "off by")
    heads += ("AP", "Brier", "claim")
    sys.stdout.write("\t".join(heads) + "\n")
    for name in options.only:
        case = CASES[name](options.data)
        if options.rounds and "time_limit" in case.asked:
            case = replace(case, asked=case.asked | {"rounds": options.rounds, "time_limit": None})
        reference = None
        if case.reference is not None:
            rounds = RESAMPLED_ROUNDS if "resamples" in case.asked else ROUNDS
            # Of resamples the same are taken: their choice is no error of the chains.
            seed = case.seeds[0] if "resamples" in case.asked else REFERENCE_SEED
            times = min(10, options.times) if "resamples" in case.asked else options.times
            more: dict[str, Any] = {"rounds": times * rounds}
            if options.store is not None:
                options.store.mkdir(parents=True, exist_ok=True)
                more["store"] = options.store / f"{name}-{times}-times.sqlite"
            reference = arcs_of(ask(case, seed, **more)[0])
        for seed in case.seeds:
            found, cpu, wall = ask(case, seed)
            off = "" if reference is None else f"{np.abs(arcs_of(found) - reference).max():.4f}"
            stated = "" if found.agreement is None else f"{found.agreement.error:.4f}"
            open_arcs = "" if found.agreement is None else unsettled(found)
            precision, brier = judged(found, case.truth)
            cells = (name, seed, f"{cpu:.1f}", f"{wall:.1f}", stated, open_arcs, off)
            cells += (f"{precision:.4f}", f"{brier:.4f}", found.claim)
            sys.stdout.write("\t".join(map(str, cells)) + "\n")
            sys.stdout.flush()


def ask(case: Case, seed: int, **more: Any) -> tuple[ds.Posterior, float, float]:
    """Return a posterior, and the seconds it took of all processors and by the clock."""
    cpu, wall = time.process_time(), time.monotonic()
    asked = {"method": "mcmc", "score": "bdeu", "prior": "fair"} | case.asked | more
    found = ds.posterior(case.data, seed=seed, **asked)
    return found, time.process_time() - cpu, time.monotonic() - wall


def arcs_of(posterior: ds.Posterior) -> np.ndarray:
    """Return the probabilities of all arcs, in the order of names."""
    rows = posterior.features("arcs", frame="dict")
    ends = zip(rows["from"], rows["to"], rows["probability"], strict=True)
    return np.array([p for _, _, p in sorted(ends)])


def unsettled(posterior: ds.Posterior) -> int:
    """Return in how many arcs chains are too far apart."""
    rows = posterior.features("arcs", frame="dict")
    ends = zip(rows["lower"], rows["probability"], rows["upper"], strict=True)
    return sum(max(p - low, high - p) >= UNSETTLED for low, p, high in ends)


def judged(posterior: ds.Posterior, truth: ds.Network) -> tuple[float, float]:
    """Return average precision and the Brier score over pairs of variables."""
    adjacent = {frozenset(arc) for arc in truth.dag.arcs}
    rows = posterior.features("adjacencies", frame="dict")
    ends = zip(rows["from"], rows["to"], rows["probability"], strict=True)
    pairs = sorted(((p, frozenset((a, b)) in adjacent) for a, b, p in ends), key=lambda x: -x[0])
    said, true = np.array([p for p, _ in pairs]), np.array([t for _, t in pairs])
    precision = np.cumsum(true) / np.arange(1, len(true) + 1)
    return float(precision[true].mean()), float(np.mean((said - true) ** 2))


if __name__ == "__main__":
    main()
