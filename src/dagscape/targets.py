"""What experiments do to variables, and the directions of which arcs they tell.

An experiment is a mapping from its targets to how they were set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

HOWS = ("randomized", "set", "shifted")
"""What an experiment makes of a target. By the first two it obeys its causes no longer, and its
column holds what others saw of it; a shifted one obeys them by parameters of its own."""

Targets: TypeAlias = Mapping[str, str]
"""What one experiment made of its targets, by variable."""

OUT = "out"


def states_in(experiments: Sequence[Targets], name: str) -> tuple[str, ...]:
    """Return what each experiment does to a variable.

    "" leaves it free, "out" takes it from its causes, another word is the experiment's own.
    """
    hows = (each.get(name, "") for each in experiments)
    return tuple(
        f"shifted {number}" if how == "shifted" else OUT if how else ""
        for number, how in enumerate(hows)
    )


def kinds_in(experiments: Sequence[Targets], names: Iterable[str]) -> list[int]:
    """Return numbers that are equal for variables which are learned from the same rows alike.

    Experiments tell the direction of every arc between others: if the arc is turned, its ends are
    scored on other rows than before.
    """
    seen: dict[tuple[str, ...], int] = {}
    return [seen.setdefault(states_in(experiments, name), len(seen)) for name in names]


def always_set(experiments: Sequence[Targets]) -> tuple[str, ...]:
    """Return the variables that every experiment takes from their causes, by name."""
    names = sorted({name for each in experiments for name in each})
    return tuple(x for x in names if all(state == OUT for state in states_in(experiments, x)))


def telling(experiments: Mapping[str, Targets], a: str, b: str) -> tuple[str, ...]:
    """Return the experiments that tell which way an arc between two variables goes."""
    each = list(experiments.values())
    pairs = zip(experiments, states_in(each, a), states_in(each, b), strict=True)
    return tuple(label for label, one, other in pairs if one != other)


def told(words: Mapping[str, Any] | None) -> dict[str, Targets]:
    """Return what each experiment did, by name, as plain values tell it; none without them."""
    each = [] if words is None else words["experiments"]
    return {one["name"]: one["targets"] for one in each}
