"""What the page tells of experiments: which there were, what they tell, and which to make next."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from dagscape.learning import LearnResult
from dagscape.learning.ignored_experiments import experiments_told
from dagscape.report.sections import Section, address_of
from dagscape.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import dagscape as ds

MOST_RANKED = 40
"""Variables up to which the next experiment is looked for, which takes longer with more."""
MOST_LISTED = 40
"""Targets that the strip has a row for, and experiments that it names."""
WIDTH, ROW, LEFT, LEAST = 640.0, 20, 110, 3.0
"""Pixels of the strip, of a row of it, before it, and the least of an experiment."""
COLORS = {"randomized": "#b4530a", "set": "#b4530a", "shifted": "#6b63b5"}


def experiments_section(result: ds.Result) -> Section | None:
    """Return the section of the page; None where rows come from no experiments."""
    if not isinstance(result, LearnResult) or result.data is None:
        return None
    done = result.data.rows.interventions
    if done is None:
        return None
    owed = _owed(result, done)
    tables: dict[str, tuple[Sequence[str], Sequence[Sequence[Any]]]] = {
        "Directions owed to each experiment": (["experiment", "rows", "sets", "directions"], owed)
    }
    touched = result.touched
    if touched is not None:
        frame = touched.features()
        rows = [[*heads, round(share, 4), said] for *heads, share, said in frame.rows()]
        tables["What each experiment acts on"] = (frame.columns, rows)
    lines = {"Rows": [experiments_told(done)], "Directions": [_directions(result)]}
    if result.ignored is not None:
        lines["Ignored"] = [f"{result.ignored.told}."]
    lines["Acts on"] = [] if touched is None else [f"{each}." for each in touched.told]
    if result.posterior is not None and len(result.dag.names) <= MOST_RANKED:
        ranked = result.posterior.next_experiments()
        lines["Next"] = [_next(ranked)]
        tables["Which experiment next"] = (
            ranked.columns[:3],
            ranked.select(ranked.columns[:3]).rows(),
        )
    pictures = {"Rows of each experiment, and what it set": address_of(strip(done))}
    return Section("Experiments", lines, tables, pictures=pictures)


def _owed(result: LearnResult, done: Any) -> list[list[Any]]:
    """Return a row for each experiment: the directions that no table without it would tell."""
    reasons = result.mpdag.reasons
    rows = []
    for (label, targets), size in zip(done.by_name.items(), done.sizes.tolist(), strict=True):
        arcs = [f"{a} → {b}" for (a, b), why in reasons.items() if label in why.experiments]
        rows.append([label, size, list(targets), sorted(arcs)])
    return rows


def _directions(result: LearnResult) -> str:
    """Return where directions come from."""
    reasons = [why.reason for why in result.mpdag.reasons.values()]
    by = {
        "from experiments": "experiments",
        "from v-structures": "structure",
        "from what you know": "knowledge",
        "by what follows from others": "implied",
    }
    parts = [f"{n:,} {words}" for words, kind in by.items() if (n := reasons.count(kind))]
    is_open = len(result.mpdag.undirected)
    told = ", ".join(parts) if parts else "none has a direction"
    edges = counted(len(reasons) + is_open, "edge")
    return f"of {edges}: {told}{f'; {is_open:,} have none' if is_open and parts else ''}."


def _next(ranked: Any) -> str:
    """Return which experiment would settle most, in a sentence."""
    x, settled, _, is_open = ranked.row(0)
    if is_open < 0.005:
        return (
            "no edge of the probable networks is without a direction, so no experiment settles "
            "any; what is uncertain is which edges there are."
        )
    return (
        f"{is_open:.2f} edges are expected to have no direction; an ideal experiment on {x} is "
        f"expected to settle most of them, {settled:.2f}."
    )


def strip(done: Any) -> str:
    """Return a picture: experiments side by side, as wide as their rows, with what each set."""
    each = list(zip(done.by_name.items(), done.sizes.tolist(), strict=True))
    total = sum(size for _, size in each)
    names = list(dict.fromkeys(x for (_, targets), _ in each for x in targets))[:MOST_LISTED]
    height = ROW * (len(names) + 2)
    parts = [_text(LEFT - 8, ROW * 1.7, "rows", "end")]
    parts += [_text(LEFT - 8, ROW * (row + 2.7), _short(x), "end") for row, x in enumerate(names)]
    x = float(LEFT)
    for number, ((label, targets), size) in enumerate(each):
        wide = max(LEAST, WIDTH * size / total)
        fill = "#d9d7d0" if number % 2 else "#e8e6e0"
        parts.append(_box(x, ROW, wide, ROW * (len(names) + 1) - 2, fill))
        if 7 * len(_short(label)) < wide:
            parts.append(_text(x + 3, ROW * 0.8, _short(label)))
        if 7 * len(f"{size:,}") < wide:
            parts.append(_text(x + 3, ROW * 1.7, f"{size:,}"))
        for row, name in enumerate(names):
            if name in targets:
                parts.append(_box(x, ROW * (row + 2) + 2, wide - 1, ROW - 6, COLORS[targets[name]]))
        x += wide
    wide = x + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {height}" '
        f'width="{wide:.0f}" height="{height}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _short(word: str) -> str:
    return word if len(word) <= 14 else f"{word[:13]}…"


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    said = html.escape(words)
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#222">{said}</text>'


def _box(x: float, y: float, wide: float, high: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{fill}"/>'
