"""The steps of a search, each of which may improve on the network and bound of those before."""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from dagscape import _core
from dagscape.claims.claim import WithoutKnowledge
from dagscape.claims.journal import Reason
from dagscape.claims.scopes import Scope
from dagscape.control.budget import Budget
from dagscape.control.limits import FINAL
from dagscape.executors import Executor, InProcess
from dagscape.graphs import Dag
from dagscape.landscape import Landscape, local_optima
from dagscape.learning.findings import Candidate, Findings, LearningPart
from dagscape.learning.plan import (
    ALONE_SHARE,
    CLIMB_RESTARTS,
    CLIMB_SHARE,
    FREE_SHARE,
    LEAST,
    OPTIMA,
    PROOF_SHARE,
    QUICK_SETS,
    RUNS,
    SEARCH_SHARE,
    SELECTION_SHARE,
    SETS_PER_VARIABLE,
    no_proof,
    no_run,
    no_scoring,
)
from dagscape.parents import CandidateParents
from dagscape.results import Result
from dagscape.scores.base import higher
from dagscape.scoring import total
from dagscape.search import ges, hill_climb, kes, mmhc, order_search, sll_c, sll_g
from dagscape.search.exact import exact
from dagscape.search.greedy import first_network
from dagscape.search.order import MOST_LISTED
from dagscape.search.wide import search_widely
from dagscape.selection import candidate_parents

if TYPE_CHECKING:
    from dagscape.learning.checkpoint import Checkpoint

EXACT, ORDER, WIDE = "exact", "order search", "wide search"
CLIMB, FREE = "hill climbing", "without knowledge"
"""The steps, as they are told."""

ALONE = ("exact", "order", "wide", "ges", "kes", "hill_climb", "mmhc", "sll_c", "sll_g")
"""Searches that may be asked for by name, to look for the network alone."""


class Search(LearningPart):
    """Looks for a network, step by step; steps that an earlier call has done are not done again."""

    def __init__(
        self, findings: Findings, executor: Executor, checkpoint: Checkpoint, k: float = 0.8
    ) -> None:
        super().__init__(findings, executor)
        self._checkpoint = checkpoint
        self._k = k
        self._done = list(checkpoint.done)
        self._covered = checkpoint.covered

    def run(self, method: str) -> None:
        """Look for a network: by one search, or by all that may help."""
        if method == "auto":
            self._by_all()
        elif method not in self._done:
            with self._keeping(method, may_fail=False):
                self._alone(method)
        if self._findings.best is None:
            self._settle_for_little(None)
        self._look_without_knowledge()

    def _by_all(self) -> None:
        parents: CandidateParents | None = None
        hindrance: Reason | None = None
        if self._parents_matter:
            hindrance = no_scoring(self._problem, self._budget)
            if hindrance is None:
                with self._budget.minding_interrupts():
                    parents = self._select()
        if EXACT not in self._done:
            if hindrance is None and parents is not None:
                hindrance = no_proof(parents)
            self._try_proof(parents, hindrance or self._findings.end())
        self._without_proof(parents)
        improvable = not self._wide and not (self._findings.proven and self._covered)
        if improvable and CLIMB not in self._done and not self._budget.ended:
            with self._keeping(CLIMB):
                self._climb()

    def _try_proof(self, parents: CandidateParents | None, hindrance: Reason | None) -> None:
        if parents is not None and hindrance is None:
            with self._keeping(EXACT):
                self._prove(parents)
        elif hindrance is not None:
            self._journal.leave_out(EXACT, hindrance)
            if not self._budget.interrupted:
                self._done.append(EXACT)  # the next call need not ask again

    def _without_proof(self, parents: CandidateParents | None) -> None:
        step = WIDE if self._wide else ORDER
        enough = self._findings.proven and (self._covered or not self._wide)
        if enough or step in self._done:
            return
        if self._budget.interrupted:
            if self._findings.best is None:
                self._settle_for_little(parents)
            return
        with self._keeping(step):
            self._look_widely() if self._wide else self._order(parents)
        if self._findings.best is None:
            if self._findings.failure is not None:
                raise self._findings.failure
            self._settle_for_little(parents)

    @property
    def _parents_matter(self) -> bool:
        """Whether a step that is still to be done looks at candidate sets."""
        if EXACT not in self._done:
            return True
        unproven = not self._findings.proven and ORDER not in self._done
        return unproven and not self._wide

    @property
    def _wide(self) -> bool:
        """Whether there are too many variables for lists of parent sets."""
        return self._data.n_variables > MOST_LISTED

    @contextmanager
    def _keeping(self, step: str, *, may_fail: bool = True) -> Iterator[None]:
        """Keep what a step found for the next call, unless it was interrupted."""
        if may_fail:
            with self._findings.nothing_lost(step):
                yield
        else:
            with self._budget.minding_interrupts():
                yield
        if self._budget.interrupted:
            return
        self._done.append(step)
        if self._findings.best is not None:
            self._checkpoint.keep(
                Result(**self._findings.facts()),
                self._done,
                self._covered,
                self._budget.seconds,
                self._budget.lost,
            )

    def _left(self, share: float = 1.0) -> float | None:
        return self._budget.left(share, LEAST)

    def _select(self) -> CandidateParents:
        again = EXACT in self._done
        seconds, left = self._left(SELECTION_SHARE), self._left()
        if again and left is not None:  # as long as the call that did it first, if there is time
            seconds = min(left, SELECTION_SHARE * self._budget.total)
        begun = time.monotonic()
        limits = {**self._limits("scoring parent sets"), "time_limit": seconds}
        del limits["seed"]
        parents = candidate_parents(
            self._problem, method="hybrid", sets_per_variable=SETS_PER_VARIABLE, **limits
        )
        if parents.stopped in FINAL:
            self._budget.end(parents.stopped)
        if again:  # the call that did it first has told of it
            self._budget.lost += time.monotonic() - begun
            return parents
        self._covered = parents.complete
        self._findings.scope = parents.scope
        if parents.scope.candidates_only:
            # Of larger sets some were scored; what climbs may take others.
            self._findings.scope = Scope(
                max_parents=parents.exhaustive_to, knowledge=parents.knowledge
            )
        self._journal.note(
            "candidate parents",
            Reason("sets kept", **_sets(parents)),
            parents.seconds,
            **({"stopped": parents.stopped} if parents.stopped else {}),
        )
        return parents

    def _prove(self, parents: CandidateParents) -> None:
        found = exact(parents, **self._limits("proving", PROOF_SHARE))
        self._findings.offer(found, EXACT, Reason("provable", **_sets(parents)))

    def _look_widely(self) -> None:
        """Search one neighborhood after another."""
        found = self._wide_search(WIDE, SEARCH_SHARE)
        if self._findings.bound is None:
            self._findings.scope = found.scope
        facts = ("checked", "unseen", "most_unseen")
        known = {name: found.work[name] for name in facts}
        self._findings.offer(found, WIDE, Reason("screened", **known))

    def _wide_search(self, step: str, share: float) -> Result:
        """Search, and keep the candidates for the tables drawn from the rows."""
        best = self._findings.best
        start = None if best is None else best.dag
        first = first_network(self._problem, start, self._problem.constraints())
        budget = Budget.of(**self._limits(step, share))
        found, candidates = search_widely(self._problem, budget, first)
        self._findings.candidates = candidates if found.work["candidates"] else None
        return found

    def _order(self, parents: CandidateParents | None) -> None:
        """Search orders: on the candidate sets, or with parents grown where there are none."""
        limits = {**self._limits(ORDER, SEARCH_SHARE), "cluster": self._executor}
        if parents is not None:
            found = order_search(parents, **limits)
            self._findings.offer(found, ORDER, Reason("listed"))
            return
        found = order_search(self._problem, parent_sets="grown", **limits)
        if self._findings.bound is None:
            self._findings.scope = found.scope
        self._findings.offer(found, ORDER, Reason("grown"))

    def _settle_for_little(self, parents: CandidateParents | None) -> None:
        """Find a network at once, after a Ctrl-C before there was any.

        On the sets that were scored by then, where they are few; else it is one without arcs but
        those that are required.
        """
        self._journal.leave_out(ORDER, self._findings.end() or Reason("interrupted"))
        if parents is not None and len(parents) <= QUICK_SETS:
            with self._findings.nothing_lost(ORDER):
                found = order_search(
                    parents,
                    restarts=1,
                    generations=0,
                    time_limit=self._left(),
                    threads=1,
                    seed=self._budget.seed,
                )
                self._findings.best = Candidate(found.dag, found.score, found.method)
                return
        known = self._problem.knowledge
        dag = Dag(self._data.names, () if known is None else known.required)
        self._findings.best = Candidate(dag, total(self._problem, dag), "no search")

    def _climb(self) -> None:
        found = hill_climb(
            self._problem,
            start=self._findings.network.dag,
            restarts=CLIMB_RESTARTS,
            **self._limits("climbing", CLIMB_SHARE),
        )
        self._findings.offer(found, CLIMB, Reason("other sets"), bounds=False)

    def _alone(self, method: str) -> None:
        """Run one search in all the time there is, but what the landscape needs."""
        searches: dict[str, Callable[..., Result]] = {
            "exact": exact,
            "order": order_search,
            "ges": ges,
            "kes": kes,
            "hill_climb": hill_climb,
            "mmhc": mmhc,
            "sll_c": sll_c,
            "sll_g": sll_g,
        }
        if method == "wide":
            found = self._wide_search(method, ALONE_SHARE)
            self._findings.scope = found.scope
            self._findings.offer(found, method, Reason("asked for"))
            return
        search = searches[method]
        given = {**self._limits(method, ALONE_SHARE), "cluster": self._executor, "k": self._k}
        known = inspect.signature(search).parameters
        taken = {name: value for name, value in given.items() if name in known}
        found = search(self._problem, **taken)
        self._findings.scope = found.scope
        self._findings.offer(found, method, Reason("asked for"))

    def _look_without_knowledge(self) -> None:
        """Find what obeying knowledge costs, once the best network that obeys it is proven."""
        scope = self._findings.scope
        wanted = self._problem.users_knowledge and self._findings.proven
        if not wanted or FREE in self._done or self._budget.ended:
            return
        left = self._left()
        with self._keeping(FREE):
            limits = self._limits(FREE)
            if left is not None:
                limits["time_limit"] = max(min(1.0, left), FREE_SHARE * left)
            free = replace(self._problem, max_parents=scope.max_parents, knowledge=None)
            found = exact(free, **limits)
            if found.stopped in FINAL:
                self._budget.end(found.stopped)
                return
            self._journal.record(FREE, Reason("cost of knowledge"), found)
            self._findings.without_knowledge = WithoutKnowledge(
                score=found.score, optimal=found.optimal, scope=found.scope
            )


def _sets(parents: CandidateParents) -> dict[str, Any]:
    """Return what is told of candidate sets."""
    complete_to = None if parents.exhaustive else parents.exhaustive_to
    return {"sets": len(parents), "complete_to": complete_to}


# The last step: local optima around the network, in the time that is left.


class Runs(NamedTuple):
    """How many runs there are to be, how they go, and where they are kept."""

    number: int | None
    k: float
    store: str | os.PathLike[str] | None
    unlimited: bool
    """Whether the number counts, however long it takes."""


class Exploration(LearningPart):
    """Looks for local optima; the best of them may be the best network known."""

    def run(self, runs: Runs) -> Landscape | None:
        """Return the landscape; None where there is none, and the journal says why."""
        reason = self._hindrance(runs)
        if reason is not None:
            self._journal.leave_out(OPTIMA, reason)
            return None
        landscape: Landscape | None = None
        with self._findings.nothing_lost(OPTIMA):
            limits = self._limits(OPTIMA)
            if runs.unlimited:
                limits["time_limit"] = None
            landscape = local_optima(
                self._problem,
                k=runs.k,
                runs=RUNS if runs.number is None else runs.number,
                cluster=self._explorers(),
                store=runs.store,
                **limits,
            )
        if landscape is None:
            return None
        if landscape.stopped in FINAL:
            self._budget.end(landscape.stopped)
        if not landscape.runs:
            self._journal.leave_out(OPTIMA, self._interruption() or Reason("no run done"))
            return None
        self._take(landscape, runs.k)
        return landscape

    def _interruption(self) -> Reason | None:
        return self._findings.end() if self._budget.interrupted else None

    def _take(self, landscape: Landscape, k: float) -> None:
        best, findings = landscape.best, self._findings
        self._journal.note(
            OPTIMA,
            Reason("runs ended", runs=landscape.runs, optima=len(landscape.optima)),
            landscape.seconds,
            score=best.score,
        )
        if findings.best is not None and higher(best.score, findings.best.score):
            findings.best = Candidate(best.dag, best.score, f"kes, k={k:g}")
            if findings.scope.candidates_only and findings.proven:
                # The bound is about networks of certain sets, and this is none of them.
                findings.bound = None

    def _hindrance(self, runs: Runs) -> Reason | None:
        """Return why there will be no landscape, if so."""
        if runs.number == 0:
            return Reason("no runs asked for")
        if self._budget.interrupted:
            return self._findings.end()
        if self._problem.targets:
            return Reason("experiments")
        if self._problem.knowledge is not None:
            return Reason("knowledge" if self._problem.users_knowledge else "order in time")
        if not self._problem.score.equivalent:
            return Reason("not equivalent", score=str(self._problem.score))
        if self._budget.over and not runs.unlimited and runs.store is None:
            return Reason("no time left")
        if self._executor.scattered:  # on machines that are not known here
            return None
        left = None if runs.unlimited else self._budget.left(least=LEAST)
        return no_run(self._data.n_variables, left, self._budget.memory)

    def _explorers(self) -> Executor:
        """Return what does runs: of threads, no more than have room."""
        if self._executor.scattered:
            return self._executor
        room = self._budget.memory // _core.class_search_bytes(self._data.n_variables)
        return InProcess(max(1, min(self._budget.threads, room)))
