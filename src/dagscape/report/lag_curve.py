"""The scores by the longest lag, as a small curve: how the number of lags was chosen."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable

from dagscape.notes import Note

WIDTH, HEIGHT = 360, 170
LEFT, RIGHT, TOP, BOTTOM = 24, 24, 34, 34
INK, LINE = "#6b7280", "#2f7fc1"
"""Colors that can be read on light and dark ground alike."""


def lag_curve(notes: Iterable[Note]) -> str:
    """Return the curve as the address of an image; "" where lags were given.

    Written at each point is how many nats it scores below the best.
    """
    found = sorted((n for n in notes if n.kind == "lag_score"), key=lambda n: n.counts["lag"])
    if len(found) < 2:
        return ""
    scores = [float(note.examples[0].replace(",", "")) for note in found]
    best, worst = max(scores), min(scores)
    step = (WIDTH - LEFT - RIGHT) / (len(found) - 1)
    height = HEIGHT - TOP - BOTTOM
    spots = [
        (LEFT + i * step, TOP + height * (best - score) / ((best - worst) or 1.0))
        for i, score in enumerate(scores)
    ]
    parts = [
        f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in spots)}" fill="none" '
        f'stroke="{LINE}" stroke-width="1.5"/>'
    ]
    for note, score, (x, y) in zip(found, scores, spots, strict=True):
        chosen = note.counts["chosen"] == 1
        fill = LINE if chosen else "#ffffff"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{LINE}"/>')
        parts.append(_text(x, y - 10, "best" if score == best else f"{score - best:,.1f}"))
        parts.append(_text(x, HEIGHT - 8, str(note.counts["lag"]), bold=chosen))
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">{"".join(parts)}</svg>'
    )
    return f"data:image/svg+xml;base64,{b64encode(text.encode()).decode()}"


def _text(x: float, y: float, words: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="12" '
        f'font-family="sans-serif" fill="{INK}"{weight}>{words}</text>'
    )
