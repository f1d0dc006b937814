"""What runs when: the solvers of a part, one after the other until its gap is closed.

=========  ============  ==========================================================================
variables  parent sets   what runs
=========  ============  ==========================================================================
to 20      any           dynamic programming: a tenth of a second, whatever the data
to 26      to 200,000    A* on a million nodes; dynamic programming
to 26      more          dynamic programming
to 64      to 200,000    A* beside the proof by cuts; dynamic programming
to 64      more          A*; dynamic programming; the proof by cuts
more       any           the proof by cuts
=========  ============  ==========================================================================

Dynamic programming runs where memory allows it, else what follows. Where it has time too, what is
before it is cut off after half of what it will take, so that it closes the gap whatever the data.
A* is better with few variables or many parent sets, cuts with few parent sets; on one core they
cannot run side by side, and A* comes first, on a million nodes. When A* runs out of memory, dynamic
programming may still fit: it needs less for each set of variables. With more than 40 variables A*
seldom ends where sets are many, so that the proof by cuts runs beside it on a second core.

The proof by cuts (:mod:`~dagscape.search.exact.by_cuts`) is integer programming; with 20,000 parent
sets or more, multipliers of cuts come first, then A* and depth-first search that look ahead by
these.

An algorithm that the caller has chosen runs alone, after a look for a first network.
"""

from __future__ import annotations

from dataclasses import replace

from dagscape.search.exact import astar, dynamic_programming, first_network, systematic
from dagscape.search.exact.by_cuts import ByCuts
from dagscape.search.exact.part import Part, Solver, SolverRun

DP_AT_ONCE = 20
"""Up to so many variables dynamic programming takes a tenth of a second."""

DP_IN_SECONDS = 26
"""Up to so many variables dynamic programming takes seconds."""

ASTAR_VARIABLES = 64
"""Up to so many variables A* may end: it keeps a set of them in a word."""

MANY_SETS = 200_000
"""Beyond so many parent sets integer programming has no chance against A*."""

OFTEN_ENDS = 40
"""With so many parent sets and up to so many variables A* often comes to its end. Beyond, what
counts is the bound that is left, and multipliers of cuts have a better one."""


def plan(part: Part, run: SolverRun) -> list[Solver]:
    """Return what to try, one after the other."""
    if run.options.algorithm != "auto":
        return [CHOSEN[run.options.algorithm]]
    n, many = part.variables, part.sets > MANY_SETS
    if n > ASTAR_VARIABLES or (run.options.known is not None and n > DP_IN_SECONDS):
        return [by_cuts]
    dp: list[Solver] = [dynamic_programming.solve] if dynamic_programming.fits(part, run) else []
    if dp and n <= DP_AT_ONCE:
        return dp
    if dp and n <= DP_IN_SECONDS:
        return dp if many else [astar.briefly, *dp]
    if many:
        beside = n > OFTEN_ENDS and run.budget.threads > 1
        return [*_before(dp, astar_beside_cuts if beside else astar.solve), *dp, by_cuts]
    return [*_before(dp, race), *dp]


def by_cuts(part: Part, run: SolverRun, *, orders: bool = True) -> None:
    """Prove by cuts, and look for a better network meanwhile."""
    alone = run.budget.threads == 1
    if alone:
        first_network.look_longer(part, run)
    with ByCuts(part, run, orders=orders) as proof:
        if not alone:
            if run.options.incumbent and looks_later(part, run):
                first_network.look(part, run)
            first_network.look_longer(part, run)
        if not run.ended:
            part.stopped = proof.wait()


def integer_program(part: Part, run: SolverRun) -> None:
    """Solve the integer program, without searches over orders."""
    by_cuts(part, run, orders=False)


def astar_beside_cuts(part: Part, run: SolverRun) -> None:
    """Run A*, and prove by cuts until it ends."""
    with ByCuts(part, run, orders=True):
        astar.solve(part, run)


def race(part: Part, run: SolverRun) -> None:
    """Run A* and prove by cuts, whichever is done first."""
    if run.budget.threads == 1:  # a race on one core is a short run, then a long one
        astar.briefly(part, run)
        if not part.gap.closed and part.stopped == "memory":
            by_cuts(part, run)
        return
    with ByCuts(part, run, orders=True) as proof:
        astar.solve(part, run)
        if not part.gap.closed and part.stopped not in ("time", "interrupt"):
            part.stopped = proof.wait()


def looks_later(part: Part, run: SolverRun) -> bool:
    """Tell whether a first network is looked for beside the proof, which can begin without.

    With very many parent sets even a quick look takes seconds.
    """
    many = run.budget.threads > 1 and part.sets > MANY_SETS
    return many and plan(part, run)[0] in (by_cuts, integer_program)


def needs_no_network(part: Part, run: SolverRun) -> bool:
    """Tell whether dynamic programming is all that runs: it has no use for one to cut with."""
    return run.options.algorithm in ("auto", "dp") and part.variables <= DP_AT_ONCE


def _before(dp: list[Solver], solver: Solver) -> list[Solver]:
    """Let a solver leave time for dynamic programming, if that is there to follow."""

    def cut_off(part: Part, run: SolverRun) -> None:
        needed = dynamic_programming.seconds(part, run)
        left = run.budget.left()
        # Half as long again, for what else the machine may have to do.
        spare = needed / 2 if left is None else min(needed / 2, left - 1.5 * needed)
        if spare <= 0:
            solver(part, run)
            return
        solver(part, replace(run, budget=run.budget.for_seconds(spare)))
        if part.stopped == "time" and not run.ended:
            part.stopped = ""

    return [cut_off] if dp else [solver]


CHOSEN: dict[str, Solver] = {
    "dp": dynamic_programming.solve,
    "astar": astar.solve,
    "systematic": systematic.solve,
    "ilp": integer_program,
}

ALGORITHMS = ("auto", *CHOSEN)
"""The algorithms of exact learning."""

MOST_VARIABLES = {"dp": dynamic_programming.MOST, "astar": astar.MOST}
"""The most variables of a part, of algorithms for which there is such a number."""
