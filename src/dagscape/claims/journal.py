"""What learning did, step by step: records of facts, and the sentences that tell of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dagscape.errors import ParameterError
from dagscape.words import counted, duration, size


def _how_far(complete_to: int | None) -> str:
    """Return up to which size no set is missing; None where no larger one can matter."""
    return "all that matter" if complete_to is None else f"all to {counted(complete_to, 'parent')}"


def _joining(pairs: int | None) -> str:
    return "" if pairs is None else f" and joining {counted(pairs, 'pair')} that looked likely"


def _over(max_parents: int | None) -> str:
    """Return the networks that share all of the probability."""
    limit = "" if max_parents is None else f" with at most {counted(max_parents, 'parent')}"
    return f"over all networks{limit}"


def _too_slow(work: str, seconds: float) -> str:
    """Say that there was no time for something, and how long it takes if that is long."""
    if seconds < 1:
        return f"the time left was too short for {work}"
    return f"{work} would take {duration(seconds)}, longer than the time left for it"


def _loss(checked: bool, unseen: int, most_unseen: float) -> str:
    """Say what may be lost where a search begins with few candidates for each variable."""
    if not checked:
        return "and time ended before all pairs were looked at with the network found"
    if not unseen:
        return "and in the end no arc between any others would have gained"
    return (
        f"and in the end {counted(unseen, 'arc')} between others, which would have gained up to "
        f"{most_unseen:.1f} each where that makes no cycle, were let in"
    )


REASONS: Mapping[str, Callable[..., str]] = {
    "asked for": lambda: "asked for",
    "sets kept": lambda sets, complete_to: f"{sets:,} sets kept, {_how_far(complete_to)}",
    "provable": lambda sets, complete_to: (
        f"{sets:,} candidate parent sets, {_how_far(complete_to)}: a proof is within reach"
    ),
    "scoring too slow": lambda parents, seconds: (
        f"scoring all sets of {counted(parents, 'parent')} would take {duration(seconds)}"
    ),
    "too many sets": lambda sets: f"{sets:,} candidate parent sets are too many for a proof",
    "listed": lambda: "nothing was proven; on the candidate sets",
    "screened": lambda checked, unseen, most_unseen: (
        f"of each variable those that gain most, {_loss(checked, unseen, most_unseen)}"
    ),
    "grown": lambda: "nothing was proven; with parents grown as needed",
    "experiments ignored": lambda: "as if no row came from an experiment",
    "other sets": lambda: "parent sets beyond the candidates may gain",
    "pooled": lambda: "with the same parameters in all groups",
    "cost of knowledge": lambda: "what obeying your knowledge costs",
    "runs ended": lambda runs, optima: (
        f"{counted(runs, 'run')} ended at {optima:,} optim{'um' if optima == 1 else 'a'}"
    ),
    "probabilities": lambda resamples, max_parents, both=False: (
        _over(max_parents)
        + (", half of the table itself, half" if both else ",")
        + (
            f" the mean over {counted(resamples, 'resampled table')}"
            if resamples
            else " of the table itself: resampled tables would have taken too long"
        )
    ),
    "probabilities with gaps": lambda chains, tables, max_parents, pairs=None: (
        f"{_over(max_parents)}{_joining(pairs)}, by {counted(chains, 'chain')} through "
        f"{counted(tables, 'table')} each, in which missing cells were drawn"
    ),
    "varied": lambda choices, asked: (
        f"by {' | '.join(choices)}"
        + ("" if len(choices) == asked else f"; no time was left for {asked - len(choices)} more")
    ),
    "gaps in resamples": lambda: "tables with missing cells are not resampled",
    "samples searched": lambda samples, method: (
        f"{method} on {counted(samples, 'resampled table')}"
    ),
    "near ties": lambda words: str(words),
    "out of reach": lambda words: str(words),
    "shuffled": lambda tables: f"{counted(tables, 'table')} with shuffled columns",
    "no resamples asked for": lambda: "no resampled tables were asked for",
    "nothing to compare": lambda: "there are no probabilities to compare with",
    "numbers in the way": lambda: "columns of numbers are not shuffled",
    "no weights": lambda score: f"{score} gives networks no probability",
    "too many parents": lambda parents, reach: (
        f"the network has variables with {counted(parents, 'parent')}, and networks with more "
        f"than {reach} cannot all be weighed"
        if reach
        else "networks of so many variables cannot all be weighed"
    ),
    "table too slow": lambda seconds: _too_slow("one table", seconds),
    "no runs asked for": lambda: "no runs were asked for",
    "no run done": lambda: "no run was done in the time left",
    "no time left": lambda: "no time was left",
    "too much memory": lambda needed, allowed: (
        f"a run takes up to {size(needed)} of memory, and {size(allowed)} may be used"
    ),
    "run too slow": lambda seconds: _too_slow("a run", seconds),
    "failed": lambda error, message: f"it failed: {message or error}",
    "interrupted": lambda: "interrupted before",
    "cluster lost": lambda: "the cluster was lost",
    "order in time": lambda: "search over classes cannot obey an order in time",
    "knowledge": lambda: "search over classes cannot obey knowledge",
    "experiments": lambda: "search over classes cannot obey what experiments tell",
    "gaps": lambda cells, starts, converged: (
        f"{counted(cells, 'missing cell')}, completed by the network; {converged:,} of "
        f"{counted(starts, 'start')} converged"
    ),
    "gaps in the way": lambda: "search over classes needs a value in every cell",
    "not equivalent": lambda score: f"{score} tells equivalent networks apart",
}
"""Why a step ran, or did not: the sentence for each reason, made of its facts."""


class Reason:
    """Why a step ran or was left out: one of :data:`REASONS`, and the facts it is about."""

    __slots__ = ("_facts", "_name")

    def __init__(self, name: str, **facts: Any) -> None:
        if name not in REASONS:
            raise ParameterError(f'unknown reason "{name}"')
        self._name, self._facts = name, facts
        try:
            str(self)
        except (TypeError, ValueError):
            raise ParameterError(f'the reason "{name}" has no such facts: {facts!r}') from None

    @property
    def name(self) -> str:
        """Which of the reasons."""
        return self._name

    @property
    def facts(self) -> Mapping[str, Any]:
        """Numbers and words that it is about."""
        return self._facts

    def __str__(self) -> str:
        return REASONS[self._name](**self._facts)

    def __repr__(self) -> str:
        return f"<Reason {self._name}: {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reason) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._name)

    def _key(self) -> tuple[str, dict[str, Any]]:
        return self._name, dict(self._facts)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that learning did, or left out. ``str(step)`` tells of it."""

    name: str
    """What: "candidate parents", "exact", "order search", "hill climbing", "probabilities",
    "other choices", "stability", "near ties", "by chance", "local optima", "structural EM"."""
    reason: Reason
    """Why it ran, or did not."""
    skipped: bool = False
    """Whether it was left out."""
    seconds: float = 0.0
    """How long it took."""
    outcome: Mapping[str, Any] = field(default_factory=dict)
    """What came of it: its score, its bound, and what stopped it, as far as there are any."""

    def __str__(self) -> str:
        left_out = "left out, " if self.skipped else ""
        return f"{self.name}: {left_out}{self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, which :meth:`from_dict` takes."""
        return {
            "step": self.name,
            "skipped": self.skipped,
            "reason": self.reason.name,
            "facts": dict(self.reason.facts),
            "seconds": self.seconds,
            **self.outcome,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Step:
        """Return what :meth:`to_dict` gave."""
        if not isinstance(values, Mapping) or not isinstance(values.get("step"), str):
            raise ParameterError(f'a step must have a name, "step", got {values!r}')
        outcome = {name: values[name] for name in ("score", "bound", "stopped") if name in values}
        reason, facts = values.get("reason"), values.get("facts")
        if not isinstance(reason, str) or not isinstance(facts, Mapping):
            raise ParameterError(f'a step must have a "reason" and its "facts", got {values!r}')
        skipped, seconds = bool(values.get("skipped")), values.get("seconds", 0.0)
        return cls(values["step"], Reason(reason, **facts), skipped, seconds, outcome)
