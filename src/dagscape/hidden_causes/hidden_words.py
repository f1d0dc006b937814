"""What was found of causes where some may be hidden, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagscape.words import counted, first_of

if TYPE_CHECKING:
    from dagscape.graphs import Pag
    from dagscape.hidden_causes.hidden_edges import Hidden, SupportedArrow, Test

SHOWN = 12
"""Arrows that a summary names."""

MEANING = (
    "An arrow says that its first variable is a cause of its second, perhaps through others; a "
    "circle, that this is open. Heads at both ends say that something hidden drives both."
)
ASSUMED = (
    "This takes the independences of the best network for true where no test denied them, and that "
    "nothing about the variables decided which rows are in the table (selection)."
)


def because(arrow: SupportedArrow) -> str:
    """Return the tests behind an arrow, in words."""
    parted = arrow.parted
    first = f"{arrow.cause} parts {_test(parted, arrow.cause)}"
    if arrow.related is None:
        return f"{first}; that it is no cause of {parted.a} is known"
    return f"{first}, and relates {_test(arrow.related, arrow.cause)}"


def _test(test: Test, without: str) -> str:
    given = [name for name in test.given if name != without]
    return f"{test.a} and {test.b}" + (f" (given {', '.join(given)})" if given else "")


def told(found: Hidden) -> list[str]:
    """Return what stands beside a drawing: what its marks mean, how sure it is, what it assumes."""
    return [MEANING, supported_words(found).replace(":", "."), ASSUMED]


def summary(found: Hidden) -> str:
    """Return what was found and what it assumes."""
    lines = [
        f"If causes may be hidden, {edge_kinds(found.pag)}.",
        MEANING,
        supported_words(found),
    ]
    if found.supported:
        lines.append("  " + first_of([f"{a} -> {b}" for a, b in found.arrows], SHOWN))
    if found.removed:
        pairs = first_of([f"{each.a} - {each.b}" for each in found.removed], SHOWN)
        lines.append(
            f"{counted(len(found.removed), 'edge')} of the best network went, since tests part the "
            f"two: {pairs}."
        )
    if found.resamples:
        lines.append(f"All of it was done again on {counted(found.resamples, 'drawn table')}.")
    return "\n".join([*lines, ASSUMED])


def edge_kinds(pag: Pag) -> str:
    """Return how many edges there are of each kind, in a clause."""
    arrows, both, edges = len(pag.directed), len(pag.bidirected), len(pag.edges)
    return (
        f"{counted(edges, 'edge')}: {counted(arrows, 'arrow')}, {both:,} with heads at both ends, "
        f"{edges - arrows - both:,} with circles"
    )


def supported_words(found: Hidden) -> str:
    """Return how many arrows have tests of their own, in a sentence."""
    if not found.rows_independent:
        return "The rows depend on each other, so that no test can support an arrow."
    if not found.supported:
        return "No arrow has tests of its own: the rows do not tell causes from hidden ones."
    return f"Tests of their own support {counted(len(found.supported), 'arrow')}:"
