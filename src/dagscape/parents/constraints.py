"""From what the user knows to what the engine may choose from."""

from __future__ import annotations

from collections.abc import Iterable

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.knowledge import Knowledge
from dagscape.speech import setting
from dagscape.variables import Variables, is_pair


def constrain(
    variables: Variables, max_parents: int | None, knowledge: Knowledge | None
) -> _core.Constraints:
    """Return the parents each variable may have, and how many."""
    most = len(variables) - 1
    if max_parents is not None:
        whole = isinstance(max_parents, int) and not isinstance(max_parents, bool)
        if not whole or not 0 <= max_parents <= most:
            raise ParameterError(
                f"{setting('max_parents')} must be between 0 and {most} (variables - 1), "
                f"got {max_parents!r}"
            )
        most = max_parents
    constraints = _core.Constraints(len(variables), most)
    if knowledge is not None:
        if not isinstance(knowledge, Knowledge):
            raise ParameterError(f"knowledge must be a ds.Knowledge, got {knowledge!r}")
        knowledge.check(variables)
        _obey(constraints, variables, most, knowledge)
    return constraints


def keep_pairs(
    constraints: _core.Constraints,
    variables: Variables,
    pairs: Iterable[tuple[str, str]],
    knowledge: Knowledge | None,
) -> None:
    """Leave only arcs between two variables that a pair joins, in either direction."""
    if isinstance(pairs, str) or not isinstance(pairs, Iterable):
        raise ParameterError(f"allowed must be pairs of names, got {pairs!r}")
    joined: list[set[int]] = [set() for _ in variables.names]
    for pair in pairs:
        if not is_pair(pair):
            raise ParameterError(f"an allowed pair must be two different names, got {pair!r}")
        a, b = map(variables.number, pair)
        joined[a].add(b)
        joined[b].add(a)
    for parent, child in () if knowledge is None else knowledge.required:
        if variables.number(parent) not in joined[variables.number(child)]:
            raise ParameterError(
                f"the arc {parent} -> {child} is required, but allowed does not have this pair"
            )
    for number, others in enumerate(joined):
        constraints.keep(number, sorted(others))


def _obey(
    constraints: _core.Constraints, variables: Variables, most: int, knowledge: Knowledge
) -> None:
    number = variables.number
    required = dict.fromkeys(variables.names, 0)
    for parent, child in knowledge.required:
        constraints.require(number(child), number(parent))
        required[child] += 1
    for child, count in required.items():
        if count > most:
            raise ParameterError(
                f'"{child}" has {count} required parents, but {setting("max_parents")} is {most}'
            )
    _obey_tiers(constraints, variables, knowledge)
    for parent, child in knowledge.forbidden:
        constraints.forbid(number(child), number(parent))
    for parent, child in knowledge.required:
        constraints.forbid(number(parent), number(child))
    for child, limit in knowledge.max_parents.items():
        constraints.limit(number(child), limit)


def _obey_tiers(constraints: _core.Constraints, variables: Variables, knowledge: Knowledge) -> None:
    """Keep for each child the parents of no later tier; a tier's members share them."""
    later: list[int] = []
    everybody = set(range(len(variables)))
    for tier in reversed(knowledge.tiers):
        members = [variables.number(name) for name in tier]
        if later:
            earlier = sorted(everybody.difference(later))
            for child in members:
                constraints.keep(child, earlier)
        later += members
