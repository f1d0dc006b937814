"""What the report page and docs/explain/trust.md tell of the calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from _calibration_tally import Tally, measures
from _tables import Table

TOLD = "mean of both, default"
"""What learn calls probability."""

VARIABLES = (15,)
ROWS = (300, 1500)
"""Where tables are divided into those with fewer and with more."""


def reliability(lines: Sequence[dict[str, Any]], resamples: int, score: str) -> dict[str, Any]:
    """Return what was said and what was true: over all tables, and over those of each size."""
    groups: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for line in lines:
        place = _place(line["variables"], VARIABLES), _place(line["rows"], ROWS)
        groups.setdefault(place, []).append(line)
    return {
        "resamples": resamples,
        "score": score,
        **_told(lines),
        "groups": [_told(groups[place]) for place in sorted(groups)],
    }


def calibrated(ways: Mapping[str, Mapping[str, Tally]], pairs: Mapping[str, int]) -> Table:
    """Return how well what was said in each way is calibrated."""
    rows = []
    for way, kinds in ways.items():
        presence = measures(kinds["presence"], pairs[way])
        direction = measures(kinds["direction"])
        rows.append(
            [
                way,
                f"{presence['ece']:.3f}",
                f"{presence['brier_all'] or 0.0:.4f}",
                f"{presence['likely'] or 0.0:.2f} ({presence['near']:,})",
                f"{direction['ece']:.3f}",
                f"{direction['brier']:.4f}",
            ]
        )
    head = ["what", "ECE", "Brier", "said 0.7–0.9, true in", "direction: ECE", "Brier"]
    return Table("Calibration", head, rows)


def markdown(content: dict[str, Any]) -> str:
    """Return the table of the explanation."""
    rows = [
        "| what | ECE | Brier | said 0.7–0.9, true in | direction: ECE | Brier |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for way, kinds in content["ways"].items():
        presence, direction = kinds["presence"], kinds["direction"]
        name = f"**{way}**" if way == TOLD else way
        rows.append(
            f"| {name} | {presence['ece']:.3f} | {presence['brier_all']:.4f} "
            f"| {presence['likely']:.2f} | {direction['ece']:.3f} | {direction['brier']:.4f} |"
        )
    return "\n".join(rows) + "\n"


def _place(value: int, cuts: Sequence[int]) -> int:
    return sum(value > cut for cut in cuts)


def _told(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {"tables": len(lines)}
    for name in ("variables", "rows"):
        told[name] = [min(line[name] for line in lines), max(line[name] for line in lines)]
    for kind in ("presence", "direction"):
        tally = Tally.summed(line["said"][kind] for line in lines)
        told[kind] = [_rounded(level) for level in measures(tally)["levels"]]
    return told


def _rounded(level: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in level.items()}
