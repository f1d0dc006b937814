"""What was found of causes where some may be hidden, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.hidden_causes.found import Hidden, Supported, Test

SHOWN = 12
"""Arrows that a summary names."""

MEANING = (
    "An arrow says that its first variable is a cause of its second, perhaps through others; a "
    "circle, that this is open."
)
ASSUMED = (
    "This takes the independences of the best network for true where no test denied them, and that "
    "nothing about the variables decided which rows are in the table (selection)."
)


def because(arrow: Supported) -> str:
    """Return the tests behind an arrow, in words."""
    parted = arrow.parted
    first = f"{arrow.cause} parts {_test(parted, arrow.cause)}"
    if arrow.related is None:
        return f"{first}; that it is no cause of {parted.a} is known"
    return f"{first}, and relates {_test(arrow.related, arrow.cause)}"


def _test(test: Test, without: str) -> str:
    given = [name for name in test.given if name != without]
    return f"{test.a} and {test.b}" + (f" (given {', '.join(given)})" if given else "")


def summary(found: Hidden) -> str:
    """Return what was found and what it assumes."""
    pag = found.pag
    arrows, hidden, edges = len(pag.directed), len(pag.bidirected), len(pag.edges)
    lines = [
        f"If causes may be hidden, {counted(edges, 'edge')}: {counted(arrows, 'arrow')}, {hidden} "
        f"a <-> b (neither is a cause of the other, so something hidden drives both), "
        f"{edges - arrows - hidden} with circles.",
        MEANING,
        supported_words(found),
    ]
    if found.supported:
        lines.append("  " + _listed(f"{a} -> {b}" for a, b in found.arrows))
    if found.removed:
        pairs = _listed(f"{each.a} - {each.b}" for each in found.removed)
        lines.append(
            f"{counted(len(found.removed), 'edge')} of the best network went, since tests part the "
            f"two: {pairs}."
        )
    if found.resamples:
        lines.append(f"All of it was done again on {counted(found.resamples, 'drawn table')}.")
    return "\n".join([*lines, ASSUMED])


def supported_words(found: Hidden) -> str:
    """Return how many arrows have tests of their own, in a sentence."""
    if not found.rows_independent:
        return "The rows depend on each other, so that no test can support an arrow."
    if not found.supported:
        return "No arrow has tests of its own: the rows do not tell causes from hidden ones."
    return f"Tests of their own support {counted(len(found.supported), 'arrow')}:"


def _listed(items: Iterable[str]) -> str:
    listed = list(items)
    more = f", and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return ", ".join(listed[:SHOWN]) + more
