"""What learning will cost, before it is paid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.control.limits import use_memory, use_seconds, use_threads
from dagscape.data import as_data, check_data
from dagscape.defaults import score_for
from dagscape.gaps.model import Incomplete
from dagscape.learning.plan import (
    RESAMPLES,
    TIME_LIMIT,
    USUAL_PARENTS,
    class_search_seconds,
    greedy_seconds,
    resample_seconds,
)
from dagscape.posterior.question import affordable_parents
from dagscape.scores import Score, ScoreLike
from dagscape.scores.priors import PriorLike
from dagscape.search.exact.portfolio import DP_IN_SECONDS
from dagscape.selection import estimate_parents
from dagscape.variables import check_name
from dagscape.words import counted, duration, size

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike
    from dagscape.knowledge import Knowledge

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


def estimate(
    data: TableLike,
    method: str = "auto",
    *,
    score: ScoreLike | None = None,
    prior: PriorLike | None = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    max_memory: float | None = None,
    threads: int | None = None,
) -> Cost:
    """Return what a search will take in memory and, roughly, in time.

    Parameters
    ----------
    method
        "auto" for :func:`learn`; "parents" for :func:`candidate_parents`; or the name of a search.
    score, prior
        As in :func:`learn`; what other searches take by default may need less.

    Notes
    -----
    How long a proof takes cannot be known before: only its scoring is estimated. Pruning can spare
    most of that, so the figures are upper limits on many tables.
    """
    data = as_data(data, missing="keep")
    check_data(data, gaps=True)
    chosen = score_for(data, score, prior)
    if data.missing:  # searches on expected counts look at as many sets
        data = Incomplete(data).filled
    check_name("method", method, ESTIMATED)
    memory, limit = use_memory(max_memory), use_seconds(time_limit)
    scoring = estimate_parents(
        data,
        score=chosen,
        max_parents=max_parents,
        knowledge=knowledge,
        max_memory=memory,
        threads=threads,
    )
    climb = greedy_seconds(data, chosen)
    run = climb + class_search_seconds(data.n_variables)
    table = float(data.nbytes)
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
        "exact": (None, *_proof(data.n_variables, lists, scored, use_threads(threads))),
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
            *_trust(data, chosen, max_parents, knowledge, use_threads(threads)),
            optima,
        )
        return Cost(method, min(seconds, scoring.seconds + 2 * climb), most, most <= memory, words)
    took, most, words = searches[method]
    return Cost(method, took, most, most <= memory, words)


def _trust(
    data: Data,
    chosen: Score,
    max_parents: int | None,
    knowledge: Knowledge | None,
    threads: int,
) -> tuple[str, ...]:
    """Return what probabilities and stability take, as far as that can be known before."""
    reach = affordable_parents(data.n_variables)
    wanted = USUAL_PARENTS if max_parents is None else max_parents
    most = min(wanted, reach, data.n_variables - 1)
    if not chosen.base.weighs:
        return (f"Probabilities: none, since {chosen.base} gives networks none.",)
    question = {"score": chosen, "knowledge": knowledge, "threads": threads}
    each = resample_seconds(data, question, most)
    more = (
        "; without them if the network has variables with more parents"
        if most == reach < data.n_variables - 1
        else "; more if the network has variables with more parents"
        if max_parents is None
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
