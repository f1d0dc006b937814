"""Hill climbing: one climb, what the default adds, and restarts for a second."""

from __future__ import annotations

import dagscape as ds
from cases import Facts, Run, case
from cases.equivalence import check_score, true_score

WIDE = {
    "tmovie_distinct": "500 binary variables, 5,344 rows",
    "bbc": "1,058 binary variables, 2,225 rows",
}


def _facts(data: ds.Data, result: ds.Result) -> Facts:
    check_score(data, result.dag, result.score)
    work = result.work
    return {
        "variables": data.n_variables,
        "rows": data.n_rows,
        "score": result.score,
        "stopped": result.stopped,
        "work": dict(work),
        "sets_counted": work["sets_counted"],
        "remark": (
            f"{result.score:.1f}; {work['steps']:,} steps, {work['moves_looked_at']:,} moves "
            f"looked at, {work['scores']:,} scores, {work['restarts']:,} restarts"
        ),
    }


def _enter(name: str) -> None:
    """Enter the cases on a sample of 20,000 rows from a network."""

    def climb(run: Run, **settings: float | None) -> Facts:
        data = run.read(f"bnlearn/{name}.csv.gz")
        result = run.timed(ds.hill_climb, data, score="bic", threads=run.threads, **settings)
        facts = _facts(data, result)
        facts["true_score"] = true_score(data, name)
        facts["remark"] += f"; true network {facts['true_score']:.1f}"
        return facts

    def plain(run: Run) -> Facts:
        return climb(run, tabu=0, wander=False, restarts=0)

    def with_tabu(run: Run) -> Facts:
        return climb(run, wander=False, restarts=0)

    def once(run: Run) -> Facts:
        return climb(run, restarts=0)

    def default(run: Run) -> Facts:
        return climb(run)

    def a_second(run: Run) -> Facts:
        return climb(run, restarts=None, time_limit=1.0)

    plain.__doc__ = f"A climb without tabu list or wandering on {name}, 20,000 rows."
    with_tabu.__doc__ = f"A climb with a tabu list of 100, no wandering, on {name}, 20,000 rows."
    once.__doc__ = f"A climb that wanders on {name}, 20,000 rows."
    default.__doc__ = f"A climb and 50 restarts on {name}, 20,000 rows."
    a_second.__doc__ = f"Restarts for a second on {name}, 20,000 rows."
    case(f"hill-climb-{name}-20000-plain", threads=(1,))(plain)
    case(f"hill-climb-{name}-20000-tabu", threads=(1,))(with_tabu)
    case(f"hill-climb-{name}-20000-once", threads=(1,))(once)
    case(f"hill-climb-{name}-20000", threads=(1,))(default)
    case(f"hill-climb-{name}-20000-1s", threads=(1, 2))(a_second)


def _enter_wide(name: str) -> None:
    """Enter the case on many variables."""

    def climb(run: Run, **settings: float) -> Facts:
        data = run.read(f"debd/{name}.csv.gz")
        return _facts(
            data, run.timed(ds.hill_climb, data, score="bic", threads=run.threads, **settings)
        )

    def with_tabu(run: Run) -> Facts:
        return climb(run, wander=False, restarts=0)

    def default(run: Run) -> Facts:
        return climb(run)

    with_tabu.__doc__ = f"A climb with a tabu list of 100, no wandering, on {name} ({WIDE[name]})."
    default.__doc__ = f"A climb and 50 restarts on {name} ({WIDE[name]})."
    case(f"hill-climb-{name}-tabu", threads=(1,))(with_tabu)
    case(f"hill-climb-{name}", threads=(1,))(default)


for _name in ("alarm", "insurance", "hailfinder"):
    _enter(_name)
for _name in WIDE:
    _enter_wide(_name)
