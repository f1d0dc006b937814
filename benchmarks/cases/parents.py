"""Candidate parent sets: how fast all sets of variables are counted, scored and pruned."""

from __future__ import annotations

import numpy as np

import dagscape as ds
from cases import Facts, Run, case
from dagscape import _core
from dagscape.selection import estimate_parents


@case("parents-binary-100x20000-to4", threads=(1, 2))
def binary(run: Run) -> Facts:
    """On 100 fair coins, 20,000 rows, to 4 parents; against a bare AND+popcount loop."""
    rng = np.random.default_rng(0)
    coins = rng.integers(0, 2, size=(20_000, 100), dtype=np.uint8)
    data = ds.Data(coins, names=[f"X{i:02}" for i in range(100)])
    before = _bare_loop(data)
    facts = _select(run, data, max_parents=4)
    # Twice, since the machine may have been busy during one; the faster is the fair opponent.
    bare = max(before, _bare_loop(data))
    sets, measured = facts["sets_counted"], run.measured
    rate = sets / measured["wall_seconds"]
    by_wall = rate / (bare * run.threads)
    by_cpu = sets / measured["cpu_seconds"] / bare
    return {
        **facts,
        "sets_per_second": rate,
        "bare_pairs_per_second_and_core": bare,
        "share_of_bare_loop": by_wall,
        "share_of_bare_loop_by_cpu_time": by_cpu,
        "remark": (
            f"{rate / 1e6:.1f} M sets/s; the bare loop {bare / 1e6:.1f} M "
            f"pairs/s on each core: {by_wall:.0%} of it by the clock, {by_cpu:.0%} by CPU time"
        ),
    }


@case("parents-nltcs-all")
def nltcs(run: Run) -> Facts:
    """On nltcs (16 binary, 21,574 rows), as many parents as can pay off."""
    return _select(run, run.read("debd/nltcs.csv.gz"))


@case("parents-plants-to4")
def plants(run: Run) -> Facts:
    """On plants (69 binary, 23,215 rows), to 4 parents."""
    return _select(run, run.read("debd/plants.csv.gz"), max_parents=4)


@case("parents-alarm20000-to5")
def alarm(run: Run) -> Facts:
    """On ALARM (37 of 2 to 4 states, 20,000 rows), to 5 parents."""
    return _select(run, run.read("bnlearn/alarm.csv.gz"), max_parents=5)


@case("parents-accidents-to3")
def accidents(run: Run) -> Facts:
    """On accidents (111 binary, 17,009 rows), to 3 parents."""
    return _select(run, run.read("debd/accidents.csv.gz"), max_parents=3)


@case("parents-dna-to3")
def dna(run: Run) -> Facts:
    """On dna (180 binary, 3,186 rows), to 3 parents."""
    return _select(run, run.read("debd/dna.csv.gz"), max_parents=3)


@case("parents-alarm1000-all")
def alarm_small(run: Run) -> Facts:
    """On ALARM, 1,000 rows, as many parents as can pay off."""
    return _select(run, run.read("ebnsl/alarm1000.csv.gz"))


def _select(run: Run, data: ds.Data, max_parents: int | None = None) -> Facts:
    """Select parent sets under BIC, all rules on, and say what came of it."""
    expected = estimate_parents(data, score="bic", max_parents=max_parents, threads=run.threads)
    found = run.timed(
        ds.candidate_parents,
        data,
        score="bic",
        method="sequential",
        max_parents=max_parents,
        threads=run.threads,
    )
    empty = ds.score(data, ds.Dag(data.names, []), score="bic")
    # From data again, by another way of counting: lists that lie about scores would show here.
    relaxed = sum(ds.local_score(data, x, found.best(x)[1], score="bic") for x in data.names)
    if abs(relaxed - found.relaxed_score) > 1e-9 * abs(relaxed):
        raise AssertionError(f"the lists say {found.relaxed_score}, the data say {relaxed}")
    return {
        "rows": data.n_rows,
        "variables": data.n_variables,
        "sets_counted": found.work["sets_counted"],
        "families_scored": found.work["families_scored"],
        "sets_kept": len(found),
        "exhaustive": found.exhaustive,
        "exhaustive_to": found.exhaustive_to,
        "stopped": found.stopped,
        "estimated_seconds": expected.seconds,
        "relaxed_relative_score": (relaxed - empty) / abs(empty),
    }


def _bare_loop(data: ds.Data) -> float:
    """Return how many pairs of bitmaps one core ANDs and counts in a second, at its best."""
    fastest = _core.available_instructions()[-1]
    return max(_core.bare_and_counts(data._engine_table, 0.1, fastest) for _ in range(5))
