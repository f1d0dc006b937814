"""A network of what lies around some variables of a wide table, without the rest of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.scores import Score, as_score, scorer
from dagscape.scores.priors import Prior
from dagscape.search.greedy import hill_climb

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.graphs import Dag
    from dagscape.problem import Problem

WIDE = 500
"""Variables above which the whole network is not learned for a few of them."""

TARGETS_EACH = 50
"""So many variables for each target, or more, are few targets."""

FIRST, NEXT, MORE = 30, 10, 5
"""Variables that come in: around a target, around each of those, and at each look again."""

LOOKS = 10
"""Looks at all variables, beside the network found, at most."""

BLOCK = 1000
"""Variables that are looked at together: what numbers need of memory is by pairs."""


@dataclass(frozen=True)
class AmongMany(Prior):
    """A prior on networks of many variables, on the part of such a network that few of them are."""

    of: Prior
    variables: int

    def log_weights(self, variables: int) -> list[float]:
        """Return the weights among all."""
        return self.of.log_weights(max(self.variables, variables))[: max(1, variables)]

    def to_dict(self) -> dict[str, Any]:
        """Return the prior on all as plain values."""
        return self.of.to_dict()

    def __str__(self) -> str:
        return str(self.of)


@dataclass(frozen=True)
class Around:
    """A network of some variables, and how they were chosen."""

    dag: Dag
    stopped: str | None
    work: dict[str, int]
    """What the climb did, and how many variables there are in the network (`variables`), looks at
    all (`looks`), and variables that would still have gained at the last of them (`unseen`)."""


def suits(problem: Problem, targets: Sequence[str]) -> bool:
    """Tell whether a few targets of many are looked at by themselves.

    What is known may tie any two variables together: then the whole network is learned.
    """
    wide = max(WIDE, TARGETS_EACH * len(targets))
    return len(problem.variables) > wide and problem.knowledge is None


def climb_around(problem: Problem, targets: Sequence[str], budget: Budget) -> Around:
    """Climb to a network of the variables around the targets.

    These are the variables that gain most as a target's only parent, and those that do as theirs.
    Then all others are looked at beside the network found: what gains as one more parent of a
    target, or of a member of its Markov blanket, comes in, until nothing does.
    """
    look = _Scan(problem, budget)
    near = set(targets)
    alone: Mapping[str, tuple[str, ...]] = dict.fromkeys(targets, ())
    first = look.most_gaining(alone, FIRST)
    near.update(name for found in first.values() for name, _ in found)
    gaining = {name for found in first.values() for name, gain in found if gain > 0}
    further = look.most_gaining(dict.fromkeys(gaining, ()), NEXT)
    near.update(name for found in further.values() for name, gain in found if gain > 0)
    seen: dict[str, tuple[str, ...]] = {}
    looks = unseen = 0
    while True:
        found = hill_climb(_part(problem, sorted(near)), **budget.words())
        budget.end(found.stopped)
        dag = found.dag
        inner = {*targets, *(name for target in targets for name in dag.markov_blanket(target))}
        asked = {name: dag.parents(name) for name in sorted(inner)}
        asked = {name: parents for name, parents in asked.items() if seen.get(name) != parents}
        if budget.stopped or not asked or looks == LOOKS:
            break
        gains = look.most_gaining(asked, MORE, but=near)
        budget.end("time" if budget.over else None)
        looks, seen = looks + 1, seen | asked
        more = {name for found in gains.values() for name, gain in found if gain > 0}
        unseen = len(more)
        if not more:
            break
        near |= more
    work = {"variables": len(near), "looks": looks, "unseen": unseen if looks == LOOKS else 0}
    return Around(dag, budget.stopped, {**found.work, **work})


class _Scan:
    """Looks at all variables, block by block."""

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self._problem = problem
        self._budget = budget
        self._score = _among_many(problem)

    def most_gaining(
        self, parents: Mapping[str, tuple[str, ...]], most: int, but: set[str] | None = None
    ) -> dict[str, list[tuple[str, float]]]:
        """Return by child the variables that gain most as one more parent, with what they gain."""
        best: dict[str, list[tuple[str, float]]] = {child: [] for child in parents}
        if not parents:
            return best
        given = {name for child, own in parents.items() for name in (child, *own)}
        for block in self._blocks():
            if self._budget.ended:
                break
            part = self._problem.data.select(sorted({*given, *block}))
            number, name = part.variables.number, part.variables.name
            on_part = scorer(part, self._score)
            extend = _core.ExtensionScores(on_part)
            left_out = but or set()
            others = [number(each) for each in block if each not in left_out]
            for child, own in parents.items():
                if len(own) >= self._problem.most_parents:
                    continue
                v, before = number(child), [number(each) for each in own]
                rest = [each for each in others if each != v and each not in before]
                score = on_part.local(v, before)
                found = extend(v, before, rest)
                gains = ((name(a), b - score) for a, b in zip(rest, found, strict=True))
                ranked = sorted((*best[child], *gains), key=lambda one: (-one[1], one[0]))
                best[child] = ranked[:most]
        return best

    def _blocks(self) -> Iterator[list[str]]:
        names = self._problem.variables.in_engine_order()
        for start in range(0, len(names), BLOCK):
            yield list(names[start : start + BLOCK])


def _among_many(problem: Problem) -> Score:
    """Return the score that some of the variables have among all of them."""
    base, prior = problem.score.base, problem.score.prior
    return as_score(base, AmongMany(prior, len(problem.variables)))


def _part(problem: Problem, names: list[str]) -> Problem:
    """Return the same question about some of the variables."""
    most = problem.max_parents
    limited = problem if most is None else problem.limited(min(most, len(names) - 1))
    return limited.on(problem.data.select(names)).scored_by(_among_many(problem))
