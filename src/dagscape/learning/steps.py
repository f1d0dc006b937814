"""The steps of learning, each of which may improve on the network and bound of those before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.budget import Budget
from dagscape.claims import WithoutKnowledge
from dagscape.errors import DagscapeError, ParameterError
from dagscape.executor import Executor, InProcess
from dagscape.graphs import Dag
from dagscape.journal import Reason
from dagscape.landscape import Landscape, local_optima
from dagscape.learning.learned import Learned
from dagscape.learning.plan import (
    ALONE_SHARE,
    CLIMB_RESTARTS,
    CLIMB_SHARE,
    FREE_SHARE,
    LEAST,
    PROOF_SHARE,
    RUNS,
    SEARCH_SHARE,
    SELECTION_SHARE,
    SETS_PER_VARIABLE,
    Journal,
    no_proof,
    no_run,
    no_scoring,
)
from dagscape.limits import FINAL
from dagscape.parents import CandidateParents, candidate_parents
from dagscape.results import Result
from dagscape.same_score import higher
from dagscape.scopes import Scope
from dagscape.search import exact, ges, hill_climb, order_search
from dagscape.search.order import MOST_LISTED

if TYPE_CHECKING:
    from dagscape.data import Data

OPTIMA = "local optima"
"""The last step."""


@dataclass(frozen=True)
class Candidate:
    """The best network so far, and what found it."""

    dag: Dag
    score: float
    method: str


class Learning:
    """The steps, each of which may improve on the network and bound of those before."""

    def __init__(
        self,
        data: Data,
        question: dict[str, Any],
        budget: Budget,
        seed: int,
        journal: Journal,
        executor: Executor,
    ) -> None:
        self._data = data
        self._question = question
        self._budget = budget
        self._seed = seed
        self._journal = journal
        self._executor = executor
        self._best: Candidate | None = None
        self._scope = Scope()
        self._bound: float | None = None
        self._without_knowledge: WithoutKnowledge | None = None
        self._before = 0.0  # seconds of an earlier call
        self._failure: Exception | None = None

    def search(self, method: str) -> None:
        """Look for a network."""
        if method != "auto":
            self._alone(method)
            self._look_without_knowledge()
            return
        parents: CandidateParents | None = None
        hindrance = no_scoring(self._data, self._question, self._budget.total)
        if hindrance is None:
            parents = self._select()
            hindrance = no_proof(parents) or self._end
        if parents is not None and hindrance is None:
            with self._nothing_lost("exact"):
                self._prove(parents)
        elif hindrance is not None:
            self._journal.leave_out("exact", hindrance)
        if not self._proven:
            with self._nothing_lost("order search"):
                self._order(parents)
        if self._best is None and self._failure is not None:
            raise self._failure
        covered = parents is not None and parents.complete
        if not (self._proven and covered) and not self._ended:
            with self._nothing_lost("hill climbing"):
                self._climb()
        self._look_without_knowledge()

    def take(self, found: Result) -> None:
        """Go on from what an earlier call found."""
        if found.dag.names != self._data.names:
            raise ParameterError("found is about other variables than the data")
        self._best = Candidate(found.dag, found.score, found.method)
        self._scope, self._bound = found.scope, found.bound
        self._without_knowledge = found.without_knowledge
        self._before = found.seconds
        if found.stopped not in FINAL:  # that is over
            self._budget.end(found.stopped)
        self._journal.steps.extend(step for step in found.steps if step.name != OPTIMA)

    def explore(
        self, runs: int | None, k: float, store: str | os.PathLike[str] | None, *, unlimited: bool
    ) -> Landscape | None:
        """Find local optima; the best of them may be the best network known."""
        reason = self._no_optima(runs, store, unlimited)
        if reason is not None:
            self._journal.leave_out(OPTIMA, reason)
            return None
        landscape: Landscape | None = None
        with self._nothing_lost(OPTIMA):
            landscape = local_optima(
                self._data,
                k=k,
                runs=RUNS if runs is None else runs,
                score=self._question["score"],
                max_parents=self._question["max_parents"],
                time_limit=None if unlimited else self._left(),
                seed=self._seed,
                cluster=self._explorers(),
                store=store,
                progress=self._journal.telling(OPTIMA),
            )
        if landscape is None:
            return None
        if landscape.stopped in FINAL:
            self._budget.end(landscape.stopped)
        if not landscape.runs:
            self._journal.leave_out(OPTIMA, Reason("no run done"))
            return None
        best = landscape.best
        self._journal.note(
            OPTIMA,
            Reason("runs ended", runs=landscape.runs, optima=len(landscape.optima)),
            landscape.seconds,
            score=best.score,
        )
        if self._best is not None and higher(best.score, self._best.score):
            self._best = Candidate(best.dag, best.score, f"kes, k={k:g}")
            if self._scope.candidates_only and self._proven:
                self._bound = None  # it is about networks of certain sets, and this is none of them
        return landscape

    def outcome(self, landscape: Landscape | None, asked: dict[str, Any]) -> Learned:
        """Return all that is known in the end."""
        best, bound = self._network, self._bound
        proven = bound is not None and not higher(bound, best.score)
        result = Learned(
            dag=best.dag,
            score=best.score,
            score_kind=self._question["score"],
            method=best.method,
            scope=self._scope,
            optimal=proven,
            bound=None if bound is None else max(bound, best.score),
            without_knowledge=self._without_knowledge,
            seed=self._seed,
            seconds=self._before + self._budget.seconds,
            stopped=self._budget.stopped,
            work={"steps": [step.to_dict() for step in self._journal.steps]},
            asked=asked,
            notes=self._data.notes,
            data=self._data,
            landscape=landscape,
        )
        if landscape is not None:
            landscape.belong_to(result.plain())
        return result

    @property
    def _network(self) -> Candidate:
        if self._best is None:  # every way through a search offers one
            raise DagscapeError("the search ended without a network")
        return self._best

    @property
    def _ended(self) -> bool:
        return self._budget.ended

    @property
    def _end(self) -> Reason | None:
        """Why no further step is begun, if so."""
        if self._budget.stopped == "interrupt":
            return Reason("interrupted")
        if self._budget.interrupted:
            return Reason("cluster lost")
        return Reason("no time left") if self._budget.over else None

    def _left(self, share: float = 1.0) -> float | None:
        return self._budget.left(share, LEAST)

    @property
    def _proven(self) -> bool:
        return (
            self._best is not None
            and self._bound is not None
            and not higher(self._bound, self._best.score)
        )

    def _select(self) -> CandidateParents:
        parents = candidate_parents(
            self._data,
            method="hybrid",
            time_limit=self._left(SELECTION_SHARE),
            sets_per_variable=SETS_PER_VARIABLE,
            max_memory=self._budget.memory,
            progress=self._journal.telling("scoring parent sets"),
            **self._question,
        )
        if parents.stopped in FINAL:
            self._budget.end(parents.stopped)
        self._scope = parents.scope
        if self._scope.candidates_only:
            # Of larger sets some were scored; what climbs may take others.
            self._scope = Scope(max_parents=parents.exhaustive_to, knowledge=parents.knowledge)
        self._journal.note(
            "candidate parents",
            Reason("sets kept", **_sets(parents)),
            parents.seconds,
            **({"stopped": parents.stopped} if parents.stopped else {}),
        )
        return parents

    def _prove(self, parents: CandidateParents) -> None:
        self._offer(
            exact(
                parents,
                time_limit=self._left(PROOF_SHARE),
                max_memory=self._budget.memory,
                threads=self._question["threads"],
                seed=self._seed,
                progress=self._journal.telling("proving"),
            ),
            "exact",
            Reason("provable", **_sets(parents)),
        )

    def _order(self, parents: CandidateParents | None) -> None:
        """Search orders: on the candidate sets, or with parents grown where variables are many."""
        common: dict[str, Any] = {
            "time_limit": self._left(SEARCH_SHARE),
            "max_memory": self._budget.memory,
            "seed": self._seed,
            "cluster": self._executor,
            "progress": self._journal.telling("order search"),
        }
        if parents is not None and self._data.n_variables <= MOST_LISTED:
            found = order_search(parents, threads=self._question["threads"], **common)
            self._offer(found, "order search", Reason("listed"))
            return
        found = order_search(self._data, parent_sets="grown", **self._question, **common)
        if self._bound is None:
            self._scope = found.scope
        self._offer(found, "order search", Reason("grown"))

    def _climb(self) -> None:
        self._offer(
            hill_climb(
                self._data,
                start=self._network.dag,
                restarts=CLIMB_RESTARTS,
                time_limit=self._left(CLIMB_SHARE),
                seed=self._seed,
                progress=self._journal.telling("climbing"),
                **self._question,
            ),
            "hill climbing",
            Reason("other sets"),
            bounds=False,
        )

    def _alone(self, method: str) -> None:
        """Run one search in all the time there is, but what the landscape needs."""
        search: dict[str, Callable[..., Result]] = {
            "exact": exact,
            "order": order_search,
            "ges": ges,
            "hill_climb": hill_climb,
        }
        question = dict(self._question)
        if method != "ges":
            question["seed"] = self._seed
        else:
            del question["threads"]
        if method in ("exact", "order"):
            question["max_memory"] = self._budget.memory
        if method == "order":
            question["cluster"] = self._executor
        found = search[method](
            self._data,
            time_limit=self._left(ALONE_SHARE),
            progress=self._journal.telling(method),
            **question,
        )
        self._scope = found.scope
        self._offer(found, method, Reason("asked for"))

    def _look_without_knowledge(self) -> None:
        """Find what obeying knowledge costs, once that is proven which is the best that obeys."""
        if self._scope.knowledge is None or not self._proven or self._ended:
            return
        left = self._left()
        with self._nothing_lost("without knowledge"):
            found = exact(
                self._data,
                score=self._question["score"],
                max_parents=self._scope.max_parents,
                time_limit=None if left is None else max(min(1.0, left), FREE_SHARE * left),
                max_memory=self._budget.memory,
                threads=self._question["threads"],
                seed=self._seed,
                progress=self._journal.telling("without knowledge"),
            )
            self._journal.record("without knowledge", Reason("cost of knowledge"), found)
            self._without_knowledge = WithoutKnowledge(
                score=found.score, optimal=found.optimal, scope=found.scope
            )
            if found.stopped in FINAL:
                self._budget.end(found.stopped)

    def _offer(self, found: Result, step: str, why: Reason, *, bounds: bool = True) -> None:
        """Take what a step found, if it is better."""
        self._journal.record(step, why, found)
        if bounds and found.bound is not None:
            self._bound = found.bound if self._bound is None else min(self._bound, found.bound)
        if self._best is None or higher(found.score, self._best.score):
            self._best = Candidate(found.dag, found.score, found.method)
        # What was proven of a selection that was cut short is a proof, and still was cut short.
        if found.stopped in FINAL or (found.stopped and (found.optimal or not self._proven)):
            self._budget.end(found.stopped)

    def _no_optima(
        self, runs: int | None, store: str | os.PathLike[str] | None, unlimited: bool
    ) -> Reason | None:
        """Return why there will be no landscape, if so."""
        if runs == 0:
            return Reason("no runs asked for")
        if self._budget.interrupted:
            return self._end
        if self._question["knowledge"] is not None:
            return Reason("knowledge")
        if not self._question["score"].equivalent:
            return Reason("not equivalent", score=str(self._question["score"]))
        if self._budget.over and not unlimited and store is None:
            return Reason("no time left")
        if self._executor.scattered:  # on machines that are not known here
            return None
        left = None if unlimited else self._left()
        return no_run(self._data.n_variables, left, self._budget.memory)

    def _explorers(self) -> Executor:
        """Return what does runs: of threads, no more than have room."""
        if self._executor.scattered:
            return self._executor
        room = self._budget.memory // _core.class_search_bytes(self._data.n_variables)
        return InProcess(max(1, min(self._question["threads"], room)))

    @contextmanager
    def _nothing_lost(self, step: str) -> Iterator[None]:
        """Let a step that fails cost nothing that others found: its error is noted."""
        try:
            yield
        except Warning:  # the user has made it an error
            raise
        except Exception as error:
            if error is self._journal.raised:
                raise
            self._failure = error
            failed = Reason("failed", error=type(error).__name__, message=str(error))
            self._journal.leave_out(step, failed)


def _sets(parents: CandidateParents) -> dict[str, Any]:
    """Return what is told of candidate sets."""
    complete_to = None if parents.exhaustive else parents.exhaustive_to
    return {"sets": len(parents), "complete_to": complete_to}
