"""Where a peer is ahead: found from the figures; why is typed, and shown only where it is so."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.compare.job import Record
from benchmarks.compare.peers import load_peer
from benchmarks.compare.report.summary import Spread, cells, spread
from benchmarks.compare.report.words import seconds

OURS = "dagscape"
UNKNOWN = "Why is not known."
Reasons = dict[str, str]  # by figure ("score"), or by figure and tool ("score pgmpy")
# Name, whether more is better, and the least difference that counts: as a share, and as such.
FIGURES = {
    "score": (True, 0.0, 1e-6),
    "shd": (False, 0.0, 0.5),
    "cpu_seconds": (False, 0.05, 0.0),
    "grown_mb": (False, 0.1, 5.0),
}
# Of single tasks, so without a column in the summary of all.
MORE_FIGURES = {
    "f1": (True, 0.0, 0.005),
    "wrong": (False, 0.0, 0.5),
    "precision": (True, 0.0, 0.0005),
    "brier": (False, 0.0, 0.00005),
}
ALL_FIGURES = {**FIGURES, **MORE_FIGURES}
WORDS = {"score": "score", "shd": "SHD", "cpu_seconds": "CPU time", "grown_mb": "memory"}
WORDS |= {"f1": "F1", "wrong": "errors", "precision": "average precision", "brier": "Brier score"}


def ahead(records: list[Record], reasons: Reasons) -> str:
    """Return a paragraph for each figure in which some peer beats dagscape on some row."""
    lost = list(losses(records))
    if not lost:
        return "No peer is ahead of dagscape in any row, by any of the figures."
    parts = []
    for name in ALL_FIGURES:
        some = [(tool, sentence) for figure, tool, sentence in lost if figure == name]
        if some:
            keys = [name, *(f"{name} {tool}" for tool in dict.fromkeys(tool for tool, _ in some))]
            why = " ".join(" ".join(reasons[key].split()) for key in keys if key in reasons)
            rows = "; ".join(sentence for _, sentence in some)
            parts.append(f"**A peer is ahead in {WORDS[name]}**: {rows}. {why or UNKNOWN}")
    return "\n\n".join(parts)


def losses(records: list[Record]) -> Iterator[tuple[str, str, str]]:
    """Yield figure, tool and sentence for each row where a peer's median is better than ours."""
    found = cells(records)
    for (case, tool), theirs in found.items():
        ours = found.get((case, OURS))
        if tool == OURS or ours is None:
            continue
        for figure in ALL_FIGURES:
            here, there = spread(ours, figure), spread(theirs, figure)
            if here and there and beats(figure, there.middle, here.middle):
                yield figure, tool, _sentence(figure, case, load_peer(tool).NAME, here, there)


def beats(figure: str, one: float, other: float) -> bool:
    """Tell whether one figure is better than the other by more than does not matter."""
    more, share, least = ALL_FIGURES[figure]
    gain = one - other if more else other - one
    return gain > max(least, share * abs(other))


def _sentence(figure: str, case: str, tool: str, ours: Spread, theirs: Spread) -> str:
    if figure == "score":
        return f"{tool} on {case} by {theirs.middle - ours.middle:,.1f}"
    if figure == "cpu_seconds":
        return f"{tool} on {case}, {seconds(theirs.middle)} against {seconds(ours.middle)} s"
    if figure in ("f1", "precision", "brier"):
        return f"{tool} on {case}, {theirs.middle:.4f} against {ours.middle:.4f}"
    unit = " MB" if figure == "grown_mb" else ""
    return f"{tool} on {case}, {theirs.middle:,.0f} against {ours.middle:,.0f}{unit}"
