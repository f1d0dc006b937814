"""What the page tells of knowledge: in words, and as arcs to mark in the drawing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import dagscape as ds
from dagscape.words import first_of

NAMED = 40
"""The most arcs or variables of a part that are named."""
OVER_TIME = (
    "Columns of the past, and those known ahead, have no parents. The nearest past of a variable "
    "is its parent where the table says so. Arcs within a step are there only if asked for."
)
DRAWN = 2000
"""The most forbidden arcs that can be drawn."""


def knowledge_of(result: ds.Result) -> dict[str, Any] | None:
    """Return what was known before the search, None where nothing was."""
    known = result.scope.knowledge
    if known is None:
        return None
    number = {name: i for i, name in enumerate(result.dag.names)}
    return {
        "parts": list(_parts(known)),
        "given": _given(result),
        "by": "time" if known.of_table else "your knowledge",
        "required": [[number[a], number[b]] for a, b in known.required],
        "forbidden": [[number[a], number[b]] for a, b in known.forbidden[:DRAWN]],
        "tiers": [[number[name] for name in tier] for tier in known.tiers],
    }


def _parts(known: ds.Knowledge) -> Iterable[list[str]]:
    """Yield the parts of knowledge: a title, and what it says."""
    if known.of_table:
        yield ["Time", OVER_TIME]
        return
    if known.required:
        yield ["Required", _listed([f"{a} → {b}" for a, b in known.required])]
    if known.forbidden:
        yield ["Forbidden", _listed(_forbidden(known.forbidden))]
    if known.tiers:
        tiers = [_listed(tier) for tier in known.tiers]
        order = "; ".join(f"{i}. {names}" for i, names in enumerate(tiers, 1))
        yield ["Tiers", f"{order}. No arc goes from a later tier to an earlier one."]
    if known.roots:
        yield ["Roots", f"{_listed(known.roots)}. They have no parents."]
    if known.leaves:
        yield ["Leaves", f"{_listed(known.leaves)}. They have no children."]
    if known.max_parents:
        limits = [f"{name}: {most}" for name, most in known.max_parents.items()]
        yield ["Most parents", _listed(limits)]


def _forbidden(arcs: Sequence[tuple[str, str]]) -> list[str]:
    """Name forbidden arcs, two opposite ones together."""
    all_of_them = set(arcs)
    words: dict[object, str] = {}
    for a, b in arcs:
        both = (b, a) in all_of_them
        words.setdefault(frozenset((a, b)) if both else (a, b), f"{a} {'–' if both else '→'} {b}")
    return list(words.values())


def _given(result: ds.Result) -> str:
    """Say which directions are due to knowledge alone."""
    implied = [pair for pair in result.mpdag.directed if pair not in set(result.cpdag.directed)]
    if not implied:
        return "All its arrows are where data alone would put them."
    arrows = _listed([f"{a} → {b}" for a, b in implied])
    are = "edge has its direction" if len(implied) == 1 else "edges have their direction"
    return f"{len(implied):,} {are} from it and not from the data: {arrows}."


def _listed(words: Sequence[str]) -> str:
    return first_of(words, NAMED)
