"""What learning will cost, before it is paid."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from dagscape import _core
from dagscape.control.limits import use_count, use_seconds
from dagscape.gaps.drawn_tables import DrawnTables
from dagscape.gaps.model import Incomplete
from dagscape.learning.plan import (
    RESAMPLES,
    TIME_LIMIT,
    class_search_seconds,
    greedy_seconds,
    resample_seconds,
    usual_parents,
)
from dagscape.posteriors.exact_sums import affordable_parents
from dagscape.search.exact.portfolio import DP_IN_SECONDS
from dagscape.selection import estimate_parents
from dagscape.shared_arguments import ForEstimate, begin, takes
from dagscape.variables import check_name
from dagscape.words import counted, duration, size

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike
    from dagscape.problem import Problem

ESTIMATED = ("auto", "parents", "exact", "order", "ges", "hill_climb", "local_optima")
"""What can be estimated."""


@dataclass(frozen=True)
class Cost:
    """What a search will take, as far as that can be known before."""

    method: str
    """What it is about."""
    seconds: float | None
    """Rough: constants were measured on one machine. None where it cannot be known beforehand."""
    bytes: float
    """Memory, at most."""
    fits: bool
    """Whether that is within the limit of memory."""
    words: tuple[str, ...]
    """The same for people, a sentence for each step."""

    def __str__(self) -> str:
        return "\n".join(self.words)

    def __repr__(self) -> str:
        time = "a time that is not known" if self.seconds is None else duration(self.seconds)
        more = "" if self.fits else ", which does not fit"
        return f"<Cost of {self.method}: {time}, {size(self.bytes)}{more}>"


@takes(ForEstimate)
def estimate(
    data: TableLike | Problem,
    method: str = "auto",
    *,
    time_limit: float | None = None,
    rows: int | None = None,
    **shared: Unpack[ForEstimate],
) -> Cost:
    """Return what a search will take in memory and, roughly, in time.

    Parameters
    ----------
    method
        "auto" for :func:`learn`; "parents" for :func:`candidate_parents`; or the name of a search.
    rows
        How many rows there will be, where `data` has some of them only: what grows with the rows is
        multiplied. All that are in `data` by default.

    Notes
    -----
    How long a proof takes cannot be known before: only its scoring is estimated. Pruning can spare
    most of that, so the figures are upper limits on many tables.
    """
    check_name("method", method, ESTIMATED)
    problem, budget = begin(data, {**shared, "time_limit": time_limit}, gaps=True)
    if problem.data.missing:  # searches on completed tables look at as many sets
        problem = problem.on(_filled(problem))
    data, memory, limit = problem.data, budget.memory, use_seconds(time_limit)
    times = 1.0 if rows is None else use_count("rows", rows, 1) / max(1, data.n_rows)
    scoring = estimate_parents(problem, max_memory=memory, threads=budget.threads)
    scoring = replace(scoring, seconds=times * scoring.seconds)
    climb = times * greedy_seconds(problem)
    run = climb + class_search_seconds(data.n_variables)
    table = times * data.nbytes
    needed = _core.class_search_bytes(data.n_variables)
    own = table + needed
    lists = table + scoring.bytes + min(scoring.list_bytes, float(memory))
    scored = (
        f"Scoring parent sets of up to {scoring.max_parents} parents: at most {scoring.sets:,.0f} "
        f"sets of variables to count, {duration(scoring.seconds)}, {size(scoring.bytes)} of memory "
        f"and up to {size(scoring.list_bytes)} for the sets found"
        + ("." if scoring.complete else "; larger sets do not fit and follow one by one.")
    )
    greedy = f"Greedy search: {duration(climb)}, {size(table)} of memory and a cache."
    classes = f"Search over classes: {duration(run)}, {size(own)} of memory and a cache."
    seconds = TIME_LIMIT if limit is None else limit
    optima = _optima(run, needed, memory, seconds if method == "auto" else limit)
    searches = {
        "parents": (scoring.seconds, lists, (scored,)),
        "exact": (None, *_proof(data.n_variables, lists, scored, budget.threads)),
        "order": (None, lists, (scored, "Order search: as long as it is allowed to.")),
        "ges": (run, own, (classes,)),
        "hill_climb": (climb, table, (greedy,)),
        "local_optima": (None, own, (optima, "Later runs use what earlier ones counted.")),
    }
    if method == "auto":
        _, most, proof = searches["exact"]
        words: tuple[str, ...] = (
            "Learning: as long as it takes."
            if seconds == math.inf
            else f"Learning: at most {duration(seconds)}, of which a quarter for parent sets: "
            "those of the largest size that fits the time, then promising larger ones.",
            *proof,
            greedy,
            *_trust(problem, budget.threads, times),
            optima,
        )
        return Cost(method, min(seconds, scoring.seconds + 2 * climb), most, most <= memory, words)
    took, most, words = searches[method]
    return Cost(method, took, most, most <= memory, words)


def _filled(problem: Problem) -> Data:
    """Return a complete table of the same columns, whose rows mean nothing."""
    if not problem.data.numbers:
        return Incomplete(problem.data).filled
    drawn = DrawnTables(problem.data, problem.score)
    return drawn.table(drawn.start(np.random.default_rng(0)))


def _trust(problem: Problem, threads: int, times: float) -> tuple[str, ...]:
    """Return what probabilities and stability take, as far as that can be known before."""
    variables, asked = len(problem.variables), problem.max_parents
    reach = affordable_parents(variables, constraints=problem.constraints())
    most = min(usual_parents(problem) if asked is None else asked, reach, variables - 1)
    if not problem.score.base.weighs:
        return (f"Probabilities: none, since {problem.score.base} gives networks none.",)
    each = times * resample_seconds(problem.limited(most), threads)
    more = (
        "; without them if the network has variables with more parents"
        if most == reach < variables - 1
        else "; more if the network has variables with more parents, with fewer parents if time is "
        "short"
        if asked is None
        else ""
    )
    return (
        f"Probabilities over networks with at most {counted(most, 'parent')}: {duration(each)} for "
        f"each of {RESAMPLES} resampled tables, as many as half of the time left allows{more}.",
        f"Stability: the search on {2 * RESAMPLES} resampled tables, as many as time allows.",
    )


def _optima(run: float, needed: int, memory: int, limit: float | None) -> str:
    """Return what one run for the landscape takes, and whether there can be any."""
    each = f"Local optima: {duration(run)} for a run, {size(needed)} of memory"
    if needed > memory:
        return f"{each}, and {size(memory)} may be used: they are left out."
    late = limit is not None and run > limit
    return f"{each} and a cache{'; hardly any can end in that time' if late else ''}."


def _proof(
    variables: int, lists: float, scored: str, threads: int
) -> tuple[float, tuple[str, ...]]:
    if variables > DP_IN_SECONDS:
        later = "A proof may follow. How long it takes cannot be known beforehand."
        return lists, (scored, later)
    needed = _core.dynamic_programming_bytes(variables, threads)
    later = f"A proof by dynamic programming after that: seconds, at most {size(needed)} of memory."
    return lists + needed, (scored, later)
