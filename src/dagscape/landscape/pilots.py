"""What the whole table and a few samples leave for exact searches of all the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dagscape.control.budget import Budget
from dagscape.executors import side_by_side
from dagscape.landscape.resample import resampled
from dagscape.search.exact.cut_search import cuts_of
from dagscape.search.exact.exact_search import order_of
from dagscape.search.exact.known_cuts import Beginning, Cut, KnownCuts, united
from dagscape.selection import candidate_parents

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.problem import Problem

PILOTS = 16
"""Samples whose cuts all others begin with. On ALARM with 5,000 rows a sample then needs two fifths
of the rounds that it needs with the cuts of the whole table alone."""

MANY_RUNS = 60
"""From so many runs on pilots pay."""


def beginning_of(problem: Problem, best: Dag, runs: int, budget: Budget) -> tuple[Beginning, str]:
    """Return what exact searches of samples begin with, and what stopped it, or nothing.

    Pilots are the first samples, so that the answer depends on the seed and on nothing else.
    """

    def cuts(
        on: Problem, known: KnownCuts | None, threads: int, look: Callable[[], None]
    ) -> tuple[Cut, ...] | None:
        parents = candidate_parents(on, threads=threads, progress=lambda *_: look())

        def stop() -> bool:
            look()
            return False

        return cuts_of(parents, order_of(best, problem.variables), known, stop)

    if runs < MANY_RUNS:
        return Beginning(best, None), ""

    def of_whole(_: int, look: Callable[[float], None]) -> tuple[Cut, ...] | None:
        return cuts(problem, None, budget.threads, lambda: look(0.0))

    whole, stopped = side_by_side(of_whole, [0], budget, "preparing proofs")
    if stopped or whole[0] is None:
        return Beginning(best, None), stopped
    own = KnownCuts(whole[0], ())

    def of_sample(run: int, look: Callable[[float], None]) -> tuple[Cut, ...] | None:
        return cuts(
            problem.on(resampled(problem.data, budget.seed, run)), own, 1, lambda: look(0.0)
        )

    pilots, stopped = side_by_side(of_sample, range(PILOTS), budget, "preparing proofs")
    others = united([whole[0], *(found for found in pilots if found is not None)])
    return Beginning(best, KnownCuts(whole[0], others)), stopped
