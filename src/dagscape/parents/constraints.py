"""From what the user knows to what the engine may choose from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.knowledge import Knowledge
from dagscape.parents.candidates import CandidateParents
from dagscape.speech import setting
from dagscape.variables import Variables, is_pair

if TYPE_CHECKING:
    from dagscape.knowledge import Knowledge


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
    for root in knowledge.roots:
        constraints.keep(number(root), [])
    if leaves := set(map(number, knowledge.leaves)):
        others = [each for each in range(len(variables)) if each not in leaves]
        roots = set(map(number, knowledge.roots))
        for each in range(len(variables)):
            if each not in roots:
                constraints.keep(each, others)
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


def restrict(parents: CandidateParents, knowledge: Knowledge | None) -> CandidateParents:
    """Return the sets that knowledge allows.

    Required arcs are refused: a selection leaves out sets that no free search would choose, and
    with a required parent one of them may be the best.
    """
    if knowledge is None:
        return parents
    constraints = constrain(parents.variables, None, knowledge)
    if knowledge.required:
        a, b = knowledge.required[0]
        raise ParameterError(
            f"the required arc {a} -> {b} cannot be obeyed with candidate parents that were "
            "selected without it; give the knowledge to candidate_parents"
        )
    lists = _core.restricted(parents._lists, constraints)
    for child, name in enumerate(parents.variables.in_engine_order()):
        if not lists.size(child):
            raise ParameterError(f'knowledge allows none of the parent sets of "{name}"')
    return parents.with_lists(lists, knowledge)


def keep_sets(
    parents: CandidateParents, wanted: Callable[[str, tuple[str, ...]], bool]
) -> CandidateParents:
    """Return the sets that are wanted of each child.

    What a selection left out is made up for by a better subset of it, so the lists stay as good as
    they were if every subset of a wanted set is wanted.
    """
    variables, lists = parents.variables, parents._lists
    # The engine takes lists as text; numbers of one length are in the order of the names.
    label = [f"{v:07}" for v in range(len(variables))]
    text = [str(len(label))]
    for child, name in enumerate(variables.in_engine_order()):
        kept = []
        for at in range(lists.size(child)):
            chosen = lists.parents(child, at)
            if wanted(name, tuple(map(variables.name, chosen))):
                others = (label[v] for v in chosen)
                kept.append(" ".join([repr(lists.score(child, at)), str(len(chosen)), *others]))
        text += [f"{label[child]} {len(kept)}", *kept]
    return parents.with_lists(_core.read_jkl("\n".join(text).encode())[1])
