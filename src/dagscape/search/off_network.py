"""Neighbors and Markov blankets, read off a network that is found quickly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape.control.limits import use_count
from dagscape.defaults import left_open, score_for
from dagscape.errors import ParameterError
from dagscape.knowledge import described
from dagscape.search.greedy import hill_climb
from dagscape.speech import setting

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge
    from dagscape.results import Result
    from dagscape.scores import ScoreLike
    from dagscape.scores.priors import PriorLike


@dataclass(frozen=True)
class OffNetwork:
    """What a network says of some variables, and how it was found."""

    sets: dict[str, tuple[str, ...]]
    """Of each target, names in the order of the columns."""
    unfinished: list[str]
    """Targets whose sets a longer search could change: all, if a limit ended it, or none."""
    stopped: str | None
    seconds: float
    work: dict[str, Any]
    asked: dict[str, Any]

    def how(self, time_limit: float | None) -> dict[str, Any]:
        """Return what sets of variables say of how they were found."""
        return {
            "method": "hill_climb",
            "stopped": self.stopped,
            "seconds": self.seconds,
            "work": self.work,
            "asked": {"method": "hill_climb", **self.asked, "time_limit": time_limit},
        }


def off_a_network(
    what: str,
    data: Data,
    targets: list[str],
    knowledge: Knowledge | None,
    budget: Budget,
    *,
    score: ScoreLike | None,
    prior: PriorLike | None,
    max_parents: int | None,
    **of_others: Any,
) -> OffNetwork:
    """Climb to a network, and read the neighbors or blankets of the targets off it."""
    for name, value in of_others.items():
        if value is not None:
            owner = "sll" if name in ("order", "exact_limit", "spouses") else "hiton and mmpc"
            raise ParameterError(f"{setting(name)} is for {owner}, and the method is hill_climb")
    kind = score_for(data, score, prior)
    most = None if max_parents is None else use_count("max_parents", max_parents)
    found: Result | None = None
    try:
        found = hill_climb(
            data,
            score=kind,
            max_parents=most if most is None else min(most, data.n_variables - 1),
            knowledge=knowledge,
            **budget.for_search(),
        )
    except MemoryError:  # a limit is a result, here too: nothing was found in it
        budget.end("memory")
    else:
        budget.end(found.stopped)
    near = {name: set() if found is None else _around(what, found, name) for name in targets}
    stopped = "memory" if found is None else found.stopped
    return OffNetwork(
        sets={name: tuple(x for x in data.names if x in near[name]) for name in targets},
        unfinished=list(targets) if stopped else [],
        stopped=stopped,
        seconds=budget.seconds,
        work={} if found is None else dict(found.work),
        asked={
            **kind.asked,
            "chosen": left_open(score, prior),
            "max_parents": max_parents,
            "knowledge": described(knowledge),
        },
    )


def _around(what: str, found: Result, target: str) -> set[str]:
    dag = found.dag
    return {*(dag.neighbors(target) if what == "neighbors" else dag.markov_blanket(target))}
