"""Local learning in rounds of searches that do not depend on each other, for many hands."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dagscape.control.budget import Budget
from dagscape.executors import Executor, Job, TellPieces

if TYPE_CHECKING:
    from dagscape.problem import Problem
    from dagscape.search.local import Learner

Pairs = list[tuple[int, list[int]]]
"""Variables, each with a set."""


class Method(NamedTuple):
    """What all searches have in common, beside the data."""

    learner: Callable[..., Learner]
    """Makes what the engine does of a problem."""
    name: str
    given: dict[str, Any]


class FoundElsewhere(NamedTuple):
    """What searches around some variables found, as the engine takes it."""

    potential: dict[int, tuple[list[int], bytes, bool]]
    """By target: neighbors that it finds, what separates others from it, whether it is final."""
    spouses: dict[int, tuple[Pairs, bool]]
    """By target: spouses, each with the children in common, and whether they are final."""
    work: Counter[str]
    """What was done for it."""

    def for_engine(self) -> dict[str, Any]:
        """Return it as the engine takes it."""
        return {
            "potential": [(v, *found) for v, found in sorted(self.potential.items())],
            "spouses": [(v, *found) for v, found in sorted(self.spouses.items())],
        }


def potential_batch(
    problem: Problem, method: Method, batch: Sequence[int], budget: Budget
) -> tuple[list[Any], str]:
    """Find the potential neighbors of some variables."""
    facts = _ask(problem, method, "potential", batch, budget, {})
    sets = zip(facts.pop("sets"), facts.pop("separators"), strict=True)
    found = {v: (near, apart, done) for (v, near, _, done), apart in sets if done}
    return [(found, counters(facts))], facts["stopped"]


def spouse_batch(
    problem: Problem, known: FoundElsewhere, method: Method, batch: Sequence[int], budget: Budget
) -> tuple[list[Any], str]:
    """Find the potential spouses of some variables, given all potential neighbors."""
    facts = _ask(problem, method, "spouses", batch, budget, known.for_engine())
    pairs: dict[int, Pairs] = {v: [] for v in batch}
    for v, spouse, children in facts.pop("spouses"):
        pairs[v].append((spouse, children))
    found = {v: (pairs[v], done) for v, _, _, done in facts.pop("sets") if done}
    return [(found, counters(facts))], facts["stopped"]


def _ask(
    problem: Problem,
    method: Method,
    what: str,
    batch: Sequence[int],
    budget: Budget,
    known: dict[str, Any],
) -> dict[str, Any]:
    learn, on_data, words, _ = method.learner(problem, method.name, **method.given)
    counted = on_data.sets_counted
    facts: dict[str, Any] = learn(
        on_data,
        list(batch),
        what,
        **words,
        **known,
        threads=budget.threads,
        seconds=budget.left(),
        max_bytes=budget.memory,
        progress=budget.telling("searching"),
    )
    # Roughly, where a worker does several batches at the same time.
    facts["sets_counted"] = on_data.sets_counted - counted
    return facts


def counters(facts: dict[str, Any]) -> Counter[str]:
    """Return what was done."""
    return Counter({name: n for name, n in facts.items() if isinstance(n, int)})


def learn_in_rounds(
    executor: Executor,
    problem: Problem,
    method: Method,
    targets: Sequence[int],
    blankets: bool,
    budget: Budget,
) -> tuple[FoundElsewhere, str]:
    """Do the searches that the targets' neighbors or blankets need; return what stopped it, too.

    A round is done around all variables that the last one came upon. These are a few more than the
    engine would ask, since it is not sorted out between rounds who disagrees.
    """
    known = FoundElsewhere({}, {}, Counter())
    half = 0.5 if blankets else 1.0
    tell = budget.progress

    def teller(begin: float, part: float, all_pieces: int) -> TellPieces:
        if tell is None:
            return lambda _done, _where: None
        return lambda done, where: tell(
            begin + part * min(1.0, done / all_pieces), f"searching{where and ', '}{where}"
        )

    # Neighbors are asked whether they agree. A spouse is a neighbor's neighbor, and its own
    # search is asked too.
    wave, asked = sorted(targets), 0
    for _ in range(5 if blankets else 2):
        job = Job.of(budget, potential_batch, {problem.mark: problem}, method)
        begin = half * asked / len(problem.variables)
        tells = teller(begin, half * len(wave) / len(problem.variables), len(wave) or 1)
        if stopped := _round(executor, job, wave, known, known.potential, budget.deadline, tells):
            return known, stopped
        asked += len(wave)
        found = {w for v in wave for w in known.potential[v][0]}
        wave = sorted(found - set(known.potential))
    if not blankets:
        return known, ""
    near = sorted(known.potential)
    mark = hashlib.sha256(repr(known.for_engine()).encode()).hexdigest()
    job = Job.of(budget, spouse_batch, {problem.mark: problem, mark: known}, method)
    tells = teller(0.5, 0.5, len(near))
    return known, _round(executor, job, near, known, known.spouses, budget.deadline, tells)


def _round(
    executor: Executor,
    job: Job,
    variables: Sequence[int],
    known: FoundElsewhere,
    found: dict[int, Any],
    deadline: float | None,
    tell_pieces: TellPieces,
) -> str:
    def keep(batches: list[tuple[dict[int, Any], Counter[str]]]) -> None:
        for some, work in batches:
            found.update(some)
            known.work.update(work)

    return executor.do(job, [variables], keep, tell_pieces, deadline)
