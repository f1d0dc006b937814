"""Counts of what was said and what was true, by level, and the reliability diagrams of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import dagscape as ds

BINS = 20
LEAST = 0.02
"""Pairs of which less is said are not counted: they are many, and nobody would look at them."""

Said = dict[tuple[str, str], tuple[float, float]]
"""Of each pair in the order of names: presence, and the first → second given presence."""

COLORS = ("#1f6feb", "#d1495b", "#2a9d5c", "#b0791b", "#7a4fbf", "#3aa6a6", "#888888", "#444444")


class Tally:
    """Of each twentieth of the scale: how often it was said, its sum, how often that was true."""

    def __init__(self, cells: list[list[float]] | None = None) -> None:
        self.cells = cells or [[0, 0.0, 0, 0.0] for _ in range(BINS + 1)]

    @property
    def missed(self) -> float:
        """True edges of which next to nothing was said."""
        return self.cells[BINS][0]

    @missed.setter
    def missed(self, count: float) -> None:
        self.cells[BINS][0] = count

    def add(self, said: float, true: bool) -> None:
        """Count one claim."""
        cell = self.cells[min(BINS - 1, int(said * BINS))]
        cell[0] += 1
        cell[1] += said
        cell[2] += int(true)
        cell[3] += (said - true) ** 2

    @classmethod
    def summed(cls, tallies: Iterable[list[list[float]]]) -> Tally:
        """Return all claims of many tables."""
        total = cls()
        for cells in tallies:
            for mine, other in zip(total.cells, cells, strict=True):
                for at, value in enumerate(other):
                    mine[at] += value
        return total


def tally(said: Said, dag: ds.Dag) -> dict[str, Tally]:
    """Count what was said of presence, and of the directions that data can tell."""
    joined = {frozenset(arc) for arc in dag.arcs}
    directed = set(dag.to_cpdag().directed)
    presence, direction = Tally(), Tally()
    for (a, b), (probability, way) in said.items():
        if probability < LEAST:
            continue
        presence.add(probability, frozenset((a, b)) in joined)
        if (a, b) in directed or (b, a) in directed:
            # Said of the likelier way, so that 0.5 is the least: which name comes first is chance.
            forth = way >= 0.5
            direction.add(max(way, 1 - way), ((a, b) in directed) == forth)
    missed = sum(said.get((min(pair), max(pair)), (0, 0))[0] < LEAST for pair in joined)
    presence.missed = missed
    return {"presence": presence, "direction": direction}


def measures(tally: Tally, pairs: int | None = None) -> dict[str, Any]:
    """Return expected calibration error over tenths, Brier scores, and the levels themselves.

    Parameters
    ----------
    pairs
        All pairs of all tables, for the Brier score over them; those of which next to nothing was
        said count 0 where there is no edge and 1 where there is one.
    """
    levels = []
    for first in range(0, BINS, 2):
        both = tally.cells[first : first + 2]
        n, said, true = (sum(cell[at] for cell in both) for at in range(3))
        if n:
            levels.append({"said": said / n, "true": true / n, "claims": int(n)})
    claims = sum(level["claims"] for level in levels)
    errors = sum(level["claims"] * abs(level["said"] - level["true"]) for level in levels)
    squares = sum(cell[3] for cell in tally.cells[:BINS])
    likely = tally.cells[14:18]
    count = sum(cell[0] for cell in likely)
    return {
        "claims": claims,
        "missed": int(tally.missed),
        "ece": errors / claims if claims else 0.0,
        "brier": squares / claims if claims else 0.0,
        "brier_all": (squares + tally.missed) / pairs if pairs else None,
        "near": int(count),
        "likely": round(sum(cell[2] for cell in likely) / count, 3) if count else None,
        "levels": levels,
    }


def figures(content: dict[str, Any], folder: Path) -> None:
    """Draw presence and direction, a line for each way that is not one by another prior."""
    shown = {way: kinds for way, kinds in content["ways"].items() if "fair" not in way}
    for kind in ("presence", "direction"):
        levels = {way: kinds[kind]["levels"] for way, kinds in shown.items()}
        (folder / f"calibration-{kind}.svg").write_text(drawn_levels(levels, kind), "utf-8")


def drawn_levels(ways: Mapping[str, Sequence[Mapping[str, float]]], kind: str) -> str:
    """Return the diagram of what was said in some ways, and how much of it was true."""
    size, left, top = 360, 56, 16
    least = 0.5 if kind == "direction" else 0.0

    def at(said: float, true: float) -> str:
        x = left + size * (said - least) / (1 - least)
        return f"{x:.1f},{top + size * (1 - (true - least) / (1 - least)):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {size + 70}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<polyline points="{at(least, least)} {at(1, 1)}" stroke="#999" stroke-dasharray="4 4" '
        'fill="none"/>',
    ]
    for tick in range(6):
        value = least + (1 - least) * tick / 5
        x, y = at(value, least).split(",")
        parts.append(f'<text x="{x}" y="{float(y) + 18}" text-anchor="middle">{value:.1f}</text>')
        x, y = at(least, value).split(",")
        parts.append(
            f'<text x="{float(x) - 8}" y="{float(y) + 4}" text-anchor="end">{value:.1f}</text>'
        )
    parts.append(
        f'<text x="{left + size / 2}" y="{top + size + 40}" text-anchor="middle">said</text>'
        f'<text x="14" y="{top + size / 2}" transform="rotate(-90 14 {top + size / 2})" '
        'text-anchor="middle">true</text>'
    )
    for number, (way, found) in enumerate(ways.items()):
        color = COLORS[number % len(COLORS)]
        levels = [level for level in found if level["true"] >= least - 0.2]
        points = [at(level["said"], max(least, level["true"])) for level in levels]
        parts.append(
            f'<polyline points="{" ".join(points)}" stroke="{color}" stroke-width="2" fill="none"/>'
        )
        for point, level in zip(points, levels, strict=True):
            x, y = point.split(",")
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="3" fill="{color}">'
                f"<title>{way}: said {level['said']:.2f}, true {level['true']:.2f}, "
                f"{level['claims']} claims</title></circle>"
            )
        y = top + 16 + 20 * number
        parts.append(
            f'<line x1="440" x2="464" y1="{y}" y2="{y}" stroke="{color}" stroke-width="3"/>'
            f'<text x="472" y="{y + 4}">{way}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])
