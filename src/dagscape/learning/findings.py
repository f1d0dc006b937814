"""The best network that the steps of learning found, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape.claims.claim import WithoutKnowledge
from dagscape.claims.journal import Reason
from dagscape.claims.scopes import Scope
from dagscape.control.limits import FINAL
from dagscape.errors import DagscapeError, ParameterError
from dagscape.graphs import Dag
from dagscape.learning.plan import AFTER_SEARCH, LEAST, Journal
from dagscape.results import Result
from dagscape.scores.base import higher
from dagscape.scoring import total

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.executors import Executor
    from dagscape.problem import Problem
    from dagscape.search.wide import Candidates


@dataclass(frozen=True)
class Candidate:
    """The best network so far, and what found it."""

    dag: Dag
    score: float
    method: str


class Findings:
    """What each step may improve on: a network, a bound, and which networks that is about."""

    def __init__(self, problem: Problem, budget: Budget, journal: Journal) -> None:
        self.best: Candidate | None = None
        self.scope = Scope()
        self.bound: float | None = None
        self.without_knowledge: WithoutKnowledge | None = None
        self.failure: Exception | None = None
        """What a step raised, if one did."""
        self.candidates: Candidates | None = None
        """What a search of very many variables kept as candidates."""
        self.problem = problem
        self.budget = budget
        self.journal = journal
        self._before = 0.0

    @property
    def network(self) -> Candidate:
        """The best network."""
        if self.best is None:  # every way through a search offers one
            raise DagscapeError("the search ended without a network")
        return self.best

    @property
    def proven(self) -> bool:
        """Whether no network of the scope scores higher."""
        if self.best is None or self.bound is None:
            return False
        return not higher(self.bound, self.best.score)

    @property
    def optimal(self) -> bool:
        """Whether the network is one of those that the proof is about."""
        return self.proven and self.scope.admits(self.network.dag)

    def offer(self, found: Result, step: str, why: Reason, *, bounds: bool = True) -> None:
        """Take what a step found, if it is better."""
        self.journal.record(step, why, found)
        if bounds and found.bound is not None:
            self.bound = found.bound if self.bound is None else min(self.bound, found.bound)
        if self.best is None or higher(found.score, self.best.score):
            self.best = Candidate(found.dag, found.score, found.method)
        # What was proven of a selection that was cut short is a proof, and still was cut short.
        if found.stopped in FINAL or (found.stopped and (found.optimal or not self.proven)):
            self.budget.end(found.stopped)

    def take(self, found: Result, seconds: float = 0.0) -> None:
        """Go on from what an earlier call found, which took seconds that no limit counts."""
        if found.dag.names != self.problem.variables.names:
            raise ParameterError("found is about other variables than the data")
        self.best = Candidate(found.dag, found.score, found.method)
        self.scope, self.bound = found.scope, found.bound
        self.without_knowledge = found.without_knowledge
        self._before = seconds
        if found.stopped not in FINAL:  # that is over
            self.budget.end(found.stopped)
        self.journal.steps.extend(step for step in found.steps if step.name not in AFTER_SEARCH)

    def facts(self) -> dict[str, Any]:
        """Return all that is known, as a result takes it."""
        best, bound = self.network, self.bound
        # What lists of parent sets add up to can differ from it in the last digit.
        score = best.score if self.problem.data.missing else total(self.problem, best.dag)
        return {
            "dag": best.dag,
            "score": score,
            "score_kind": self.problem.score,
            "method": best.method,
            "scope": self.scope,
            "optimal": self.optimal,
            "bound": None if bound is None else max(bound, score),
            "without_knowledge": self.without_knowledge,
            "seconds": self._before + self.budget.seconds,
            "stopped": self.budget.stopped,
            "work": {"steps": [step.to_dict() for step in self.journal.steps]},
            "notes": self.problem.data.notes,
        }

    @contextmanager
    def nothing_lost(self, step: str) -> Iterator[None]:
        """Let a step that fails, or a Ctrl-C, cost nothing that was found: both are noted."""
        try:
            with self.budget.minding_interrupts():
                yield
        except Warning:  # the user has made it an error
            raise
        except Exception as error:
            if error is self.journal.raised:
                raise
            self.failure = error
            failed = Reason("failed", error=type(error).__name__, message=str(error))
            self.journal.leave_out(step, failed)

    def end(self) -> Reason | None:
        """Return why no further step is begun, if so."""
        if self.budget.interrupted:
            lost = self.budget.stopped == "cluster"
            return Reason("cluster lost" if lost else "interrupted")
        return Reason("no time left") if self.budget.over else None


class LearningPart:
    """A part of learning: it improves the findings and writes the journal."""

    def __init__(self, findings: Findings, executor: Executor) -> None:
        self._findings = findings
        self._problem = findings.problem
        self._data = findings.problem.data
        self._budget = findings.budget
        self._journal = findings.journal
        self._executor = executor

    def _limits(self, step: str, share: float = 1.0) -> dict[str, Any]:
        """Return what a step may use, as searches take it."""
        return {
            **self._budget.words(share, LEAST),
            "seed": self._budget.seed,
            "progress": self._journal.telling(step),
        }
