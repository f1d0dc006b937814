"""Exact learning: how long scoring takes, how long the proof, and whether it is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dagscape as ds
from cases import Facts, MissingFileError, Run, case

SHORT = 60.0
"""Seconds that a case may take, where it does not say otherwise."""


@case("exact-nltcs")
def nltcs(run: Run) -> Facts:
    """On nltcs (16 binary, 21,574 rows)."""
    return _learn(run, run.read("debd/nltcs.csv.gz"), known=-130785.0235)


@case("exact-msnbc")
def msnbc(run: Run) -> Facts:
    """On msnbc (17 binary, 388,434 rows)."""
    return _learn(run, run.read("debd/msnbc.csv.gz"))


@case("exact-hepatitis")
def hepatitis(run: Run) -> Facts:
    """On hepatitis (20 variables, 126 rows)."""
    return _learn(run, run.read("ebnsl/hepatitis.csv.gz"))


@case("exact-hepatitis-80")
def hepatitis_clean(run: Run) -> Facts:
    """On the 80 complete rows of hepatitis (20 variables)."""
    return _learn(run, run.read("scores/hepatitis.clean.csv"), known=-962.495)


@case("exact-parkinsons")
def parkinsons(run: Run) -> Facts:
    """On parkinsons (23 variables, 195 rows)."""
    return _learn(run, run.read("ebnsl/parkinsons.csv.gz"))


def _enter(
    name: str,
    file: str,
    rows: int,
    max_parents: int | None,
    columns: int | None = None,
    time_limit: float = SHORT,
    known: float | None = None,
) -> None:
    """Enter a case on the first rows, and the first columns, of a sample from a network."""

    def learn(run: Run) -> Facts:
        data = run.read(f"bnlearn/{file}.csv.gz").head(rows)
        if columns is not None:
            data = data.select(data.names[:columns])
        return _learn(run, data, max_parents=max_parents, time_limit=time_limit, known=known)

    size = "all" if columns is None else f"the first {columns}"
    parents = "any number of parents" if max_parents is None else f"to {max_parents} parents"
    learn.__doc__ = f"On {size} variables of {file}, {rows:,} rows, {parents}."
    case(name)(learn)


for _rows in (1_000, 20_000):
    for _columns in (20, 22, 24, 26, 28):
        _enter(f"exact-alarm{_columns}-{_rows}-to4", "alarm", _rows, 4, _columns)
_enter("exact-alarm-1000-to4", "alarm", 1_000, 4, known=-11978.3402)
_enter("exact-alarm-20000-to4", "alarm", 20_000, 4, time_limit=600.0)
_enter("exact-alarm24-1000", "alarm", 1_000, None, 24)
_enter("exact-alarm28-1000", "alarm", 1_000, None, 28)
_enter("exact-alarm-1000", "alarm", 1_000, None)
_enter("exact-insurance-1000-to5", "insurance", 1_000, 5)
_enter("exact-insurance-5000-to5", "insurance", 5_000, 5, known=-68029.159)
_enter("exact-insurance-20000-to5", "insurance", 20_000, 5, time_limit=300.0)
_enter("exact-insurance-1000", "insurance", 1_000, None)
_enter("exact-hailfinder-1000-to3", "hailfinder", 1_000, 3, known=-52859.4025)
_enter("exact-hailfinder-5000-to3", "hailfinder", 5_000, 3, time_limit=300.0)
_enter("exact-hailfinder-20000-to3", "hailfinder", 20_000, 3, time_limit=300.0)


def _enter_scores(
    name: str, scores: str, data: str, score: ds.Score, known: float | None = None
) -> None:
    """Enter a case on a file of local scores; the network found is scored on its data."""

    def learn(run: Run) -> Facts:
        table = run.read(data)
        parents = ds.read_parents(_path(run, f"scores/{scores}"))
        result = run.timed(ds.exact, parents, time_limit=SHORT, threads=run.threads)
        # A score file may name variables by their numbers, or with other names than the table.
        names = dict(zip(parents.names, table.names, strict=True))
        dag = ds.Dag(table.names, [(names[a], names[b]) for a, b in result.dag.arcs])
        # The file's scores are rounded.
        return _facts(result, ds.score(table, dag, score=score), known, rounding=1e-3)

    learn.__doc__ = f"On the score file {scores}."
    case(name)(learn)


_enter_scores("exact-scores-wine", "wine.BIC.3.jkl", "ebnsl/wine.csv.gz", ds.BIC(), -1258.445909)
_enter_scores("exact-scores-asia", "asia_10000.3.jkl", "scores/asia_10000.csv.gz", ds.BDeu(ess=1.0))
_enter_scores("exact-scores-child", "child-5000.jkl", "scores/child-5000.csv.gz", ds.BDeu(ess=1.0))


@case("exact-dp24", threads=(1, 2))
def dp24(run: Run) -> Facts:
    """By dynamic programming over all sets of alarm's first 24 variables, 1,000 rows."""
    return _dynamic_programming(run, 24)


@case("exact-dp26", threads=(1, 2))
def dp26(run: Run) -> Facts:
    """By dynamic programming over all sets of alarm's first 26 variables, 1,000 rows."""
    return _dynamic_programming(run, 26)


def _path(run: Run, name: str) -> Path:
    """Return where a file of the data folder is that is not a table."""
    folder = run._folder
    if folder is None or not (folder / name).is_file():
        raise MissingFileError(f"{name} is not in {folder}")
    return folder / name


def _dynamic_programming(run: Run, columns: int) -> Facts:
    data = run.read("bnlearn/alarm.csv.gz").head(1_000)
    data = data.select(data.names[:columns])
    settings: dict[str, Any] = {"algorithm": "dp", "split": False, "incumbent": False}
    facts = _learn(run, data, max_parents=4, **settings)
    # By CPU time, which other work on the machine disturbs less; scoring is a few percent of it.
    rate = run.measured["cpu_seconds"] / facts["work"]["order_edges"] * 1e9
    return {
        **facts,
        "cpu_nanoseconds_per_edge": rate,
        "remark": f"{facts['remark']}; {rate:.1f} ns of CPU time per edge",
    }


def _learn(
    run: Run,
    data: ds.Data,
    *,
    known: float | None = None,
    time_limit: float = SHORT,
    **settings: Any,
) -> Facts:
    """Learn under BIC, and score the network on the data again."""
    result = run.timed(ds.exact, data, time_limit=time_limit, threads=run.threads, **settings)
    return _facts(result, ds.score(data, result.dag, score="bic"), known)


def _facts(result: ds.Result, score: float, known: float | None, rounding: float = 0.0) -> Facts:
    if abs(score - result.score) > rounding + 1e-9 * abs(score):
        raise AssertionError(f"the result says {result.score}, the data say {score}")
    stages = dict(result.work["stages"])
    scoring = stages.get("scoring", 0.0)
    work = {k: v for k, v in result.work.items() if isinstance(v, int | float)}
    deviation = "" if known is None else f", {score - known:+.4f} from the known optimum"
    return {
        "variables": len(result.dag.names),
        "method": result.method,
        "score": score,
        "optimal": result.optimal and not result.scope.candidates_only,
        "scope": str(result.scope),
        "bound": result.bound,
        "stopped": result.stopped,
        "known_optimum": known,
        "scoring_seconds": scoring,
        "search_seconds": sum(stages.values()) - scoring,
        "stages": stages,
        "sets_counted": work.get("selection_sets_counted", 0),
        "sets_kept": work["parent_sets"],
        "work": work,
        "remark": (
            f"{result.method}: {score:.4f}, {result.claim}{deviation}; scoring {scoring:.2f} s, "
            f"search {sum(stages.values()) - scoring:.2f} s"
        ),
    }
