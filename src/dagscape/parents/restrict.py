"""Candidate parents that were selected before, under what the user knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.parents.candidates import CandidateParents
from dagscape.parents.constraints import constrain

if TYPE_CHECKING:
    from dagscape.knowledge import Knowledge


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
    lists = _core.restricted(parents.lists, constraints)
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
    variables, lists = parents.variables, parents.lists
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
