"""A network with one arc more, less or turned: what it scores, and the best that has it so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dagscape.claims.scopes import most_parents
from dagscape.control.limits import use_seconds
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Dag
from dagscape.knowledge import Knowledge
from dagscape.learning.learn import learn
from dagscape.problem import Problem
from dagscape.scores.base import higher
from dagscape.scoring import total
from dagscape.search import hill_climb
from dagscape.words import difference

if TYPE_CHECKING:
    from dagscape.learning.learn_result import LearnResult
    from dagscape.results import Result

Arc = tuple[str, str]

TIME_LIMIT = 60.0
CLIMBING_SHARE = 0.2
"""Of the time, for a climb from the edited network where nothing is proven."""
DONE = {"add": "with {} -> {}", "remove": "without an edge between {} and {}"}


@dataclass(frozen=True)
class ArcEdit:
    """A network with an arc changed, and the best network that has it so."""

    change: str
    """"add", "remove" or "reverse"."""
    arc: Arc
    """The arc that is there now; or that is gone, in either direction."""
    dag: Dag | None
    """The network with that change and no other; None where it would have a cycle."""
    score: float | None
    """Its score."""
    loss: float | None
    """By how much that is less than before; negative where it is more."""
    best: Result
    """The best network with that change, whatever else of it differs: proven if `best.optimal`."""
    best_loss: float
    """By how much it scores less than the network before."""

    @property
    def proven(self) -> bool:
        """Whether no network with that change scores higher than `best`."""
        return self.best.optimal

    @property
    def summary(self) -> str:
        """What the change loses, in two sentences."""
        done = DONE["remove" if self.change == "remove" else "add"].format(*self.arc)
        if self.loss is None:
            alone = f"{done}, the network would have a cycle"
        else:
            alone = f"{done} and nothing else changed, the network {_loses(self.loss)}"
        everything = self.proven and replace(self.best.scope, knowledge=None).everything
        sure = "proven" if everything else self.best.claim
        return f"{alone}. The best network {done} {_loses(self.best_loss)} ({sure})."

    def __repr__(self) -> str:
        return f"<ArcEdit: {self.summary}>"


def _loses(loss: float) -> str:
    if loss < 0:
        return f"gains {difference(-loss)} nats"
    return f"loses {difference(loss)} nats" if loss else "loses nothing"


def edited(
    before: LearnResult, change: str, arc: Arc, time_limit: float | None, threads: int | None
) -> ArcEdit:
    """Return a learned network with an arc changed."""
    data, score = before.data, before.score_kind
    if data is None or score is None:
        raise ParameterError("what was learned has no table, which a change of it is scored on")
    if data.missing:
        raise ParameterError(
            "a change of one arc is scored on a table without missing cells, and this one keeps "
            f"{data.missing.cells:,}"
        )
    data.variables.number(arc[0]), data.variables.number(arc[1])  # refuses unknown names
    dag, rule = before.dag, _rule(before.dag, change, arc)
    new = _changed(dag, change, arc)
    known, limit = before.scope.knowledge, before.asked.get("max_parents")
    problem = Problem(
        data,
        score=score,
        max_parents=limit if limit is None or new is None else max(limit, most_parents(new)),
        knowledge=rule if known is None else known.also(rule),
    )
    allowed = use_seconds(time_limit)
    seconds = TIME_LIMIT if allowed is None else allowed
    best: Result = learn(
        problem,
        runs=0,
        resamples=0,
        time_limit=seconds * (1 - CLIMBING_SHARE),
        threads=threads,
        seed=before.seed or 0,
    ).plain()
    if new is not None and not best.optimal and not _broken(problem, new):
        climbed = hill_climb(
            problem, start=new, time_limit=seconds * CLIMBING_SHARE, threads=threads
        )
        best = climbed if higher(climbed.score, best.score) else best
    plain = total(problem, dag)
    own = None if new is None else total(problem, new)
    return ArcEdit(
        change,
        arc[::-1] if change == "reverse" else arc,
        new,
        own,
        None if own is None else _less(plain, own),
        best,
        _less(plain, best.score),
    )


def _broken(problem: Problem, dag: Dag) -> bool:
    return problem.knowledge is not None and bool(problem.knowledge.violations(dag))


def _less(before: float, after: float) -> float:
    """Return how much less a score is; nothing where that is rounding."""
    return before - after if higher(before, after) or higher(after, before) else 0.0


def _rule(dag: Dag, change: str, arc: Arc) -> Knowledge:
    """Return what networks with a change have in common; refuse a change that is none."""
    a, b = arc
    there, turned = arc in dag.arcs, arc[::-1] in dag.arcs
    if change == "add":
        if turned:
            raise GraphError(f"the network has the arc {b} -> {a}; reversed({b!r}, {a!r}) turns it")
        return Knowledge(required=[arc])
    if not there:
        what = f"it has {b} -> {a}" if turned else "the two are not joined"
        raise GraphError(f"the network has no arc {a} -> {b}: {what}")
    if change == "remove":
        return Knowledge(forbidden=[arc, arc[::-1]])
    return Knowledge(required=[arc[::-1]])


def _changed(dag: Dag, change: str, arc: Arc) -> Dag | None:
    """Return the network with a change; None if it has a cycle."""
    rest = [each for each in dag.arcs if each != arc]
    arcs = {"add": [*rest, arc], "remove": rest, "reverse": [*rest, arc[::-1]]}[change]
    try:
        return Dag(dag.names, arcs)
    except GraphError:
        return None
