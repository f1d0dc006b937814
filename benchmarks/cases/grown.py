"""Search over orders with grown parents: the relative score reached after given times."""

from __future__ import annotations

import dagscape as ds
from cases import Facts, Run, case

LIMITS = {
    "cr52": (10, 30, 60),
    "bbc": (10, 30, 60),
    **dict.fromkeys(
        (
            "plants",
            "baudio",
            "accidents",
            "pumsb_star",
            "dna",
            "msweb",
            "tmovie_distinct",
            "cwebkb",
            "c20ng",
            "ad_partial",
        ),
        (60,),
    ),
}
"""Seconds by data set."""


def _enter(name: str, parent_sets: str, seconds: int) -> None:
    """Enter a case on one of the binary sets for density estimation."""

    def search(run: Run) -> Facts:
        data = run.read(f"debd/{name}.csv.gz")
        result = run.timed(
            ds.order_search,
            data,
            score="bic",
            parent_sets=parent_sets,
            time_limit=seconds,
            threads=run.threads,
        )
        return _facts(data, result, run.measured["wall_seconds"] - seconds)

    search.__doc__ = f"On {name}, {parent_sets} parents, {seconds} s."
    case(f"order-{name}-{parent_sets}-{seconds}")(search)


@case("order-alarm54-grown-60")
def wide(run: Run) -> Facts:
    """On 54 alarm networks side by side, 1,998 variables, 1,000 rows, 60 s: memory."""
    data = ds.load_network("alarm").tile(54, seed=0).sample(1000, seed=0)
    result = run.timed(
        ds.order_search, data, score="bic", parent_sets="grown", time_limit=60, threads=run.threads
    )
    return _facts(data, result, run.measured["wall_seconds"] - 60)


def _facts(data: ds.Data, result: ds.Result, late: float) -> Facts:
    """Score the network on the data again, and compare."""
    score = ds.score(data, result.dag, score="bic")
    if abs(score - result.score) > 1e-9 * abs(score):
        raise AssertionError(f"the search says {result.score}, the data say {score}")
    empty = ds.score(data, ds.Dag(data.names, []), score="bic")
    relative = (score - empty) / abs(empty)
    work = result.work
    return {
        "variables": data.n_variables,
        "rows": data.n_rows,
        "score": score,
        "relative_score": relative,
        "seconds_late": late,
        "most_parents": max(len(result.dag.parents(x)) for x in data.names),
        "sets_grown": work.get("sets_grown"),
        "polish_gained": work.get("polish", {}).get("gained"),
        "restarts": work["restarts_begun"],
        "remark": f"{score:.1f}, relative {relative:.5f}; {late:+.1f} s off the limit",
    }


for _name, _limits in LIMITS.items():
    for _seconds in _limits:
        for _parent_sets in ("grown", "listed"):
            _enter(_name, _parent_sets, _seconds)
