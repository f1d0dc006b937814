"""Networks near the optimum: how many there are, and how long it takes to list them all."""

from __future__ import annotations

import dagscape as ds
from cases import Facts, Run, case

WITHIN = 3.0
"""Nats: a factor of 20, which eBNSL's paper uses."""


@case("near-hepatitis")
def hepatitis(run: Run) -> Facts:
    """On hepatitis (20 variables, 126 rows)."""
    return _list(run, run.read("ebnsl/hepatitis.csv.gz"))


@case("near-parkinsons")
def parkinsons(run: Run) -> Facts:
    """On parkinsons (23 variables, 195 rows)."""
    return _list(run, run.read("ebnsl/parkinsons.csv.gz"))


@case("near-child-500")
def child(run: Run) -> Facts:
    """On 500 rows drawn from CHILD (20 variables), to 10 nats; no file is needed."""
    return _list(run, ds.load_network("child").sample(500, seed=1), within=10.0)


@case("near-insurance-1000")
def insurance(run: Run) -> Facts:
    """On 1,000 rows drawn from INSURANCE (27 variables); no file is needed."""
    return _list(run, ds.load_network("insurance").sample(1_000, seed=1))


@case("near-alarm-5000-to4")
def alarm(run: Run) -> Facts:
    """On 5,000 rows drawn from ALARM (37 variables), to 4 parents; no file is needed."""
    return _list(run, ds.load_network("alarm").sample(5_000, seed=0), max_parents=4)


def _list(run: Run, data: ds.Data, within: float = WITHIN, max_parents: int | None = None) -> Facts:
    asked = {"score": "bic", "max_parents": max_parents, "threads": run.threads}
    near = run.timed(ds.near_optimal, data, within=within, time_limit=300, **asked)
    best = ds.exact(data, **asked)
    if near.optimum is None or abs(near.optimum - best.score) > 1e-6:
        raise AssertionError(f"the list begins at {near.optimum}, the optimum is {best.score}")
    networks = sum(one.members for one in near)
    return {
        "variables": data.n_variables,
        "optimum": near.optimum,
        "within": within,
        "classes": len(near),
        "networks": networks,
        "complete": near.complete,
        "complete_to": near.complete_to,
        "stopped": near.stopped,
        "work": dict(near.work),
        "remark": f"{near.claim}; {networks:,} networks",
    }
