"""The pictures of what survives gaps: distance and lost likelihood by the share of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import matplotlib
from _plot_style import PLAIN

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

COLORS = {
    "complete": "#9a9a9a",
    "drop": "#c0392b",
    "mode": "#d68910",
    "em": "#123a66",
    "available": "#1e8449",
}
LINES = {"mcar": "-", "mar": "--"}
HOW = {"mcar": "at random", "mar": "by another column"}
Record = dict[str, Any]


def draw(records: list[Record], folder: Path) -> Iterator[Path]:
    """Draw both pictures, a panel for each truth and number of rows; yield the files."""
    ceiling = {
        _case(record): record["held_out"] for record in records if record["way"] == "complete"
    }

    def lost(record: Record) -> float | None:
        if record["held_out"] is None or _case(record) not in ceiling:
            return None
        return float(ceiling[_case(record)] - record["held_out"])

    yield _picture(records, folder / "missing-shd.svg", "SHD to the truth", lambda r: r["shd"])
    others = [record for record in records if record["way"] != "complete"]
    words = "log-likelihood lost per new row,\nagainst the complete table"
    yield _picture(others, folder / "missing-likelihood.svg", words, lost, log=True)


def _case(record: Record) -> tuple[Any, ...]:
    return tuple(record[name] for name in ("truth", "rows", "share", "how", "seed"))


def _picture(
    records: list[Record],
    path: Path,
    words: str,
    value: Callable[[Record], float | None],
    *,
    log: bool = False,
) -> Path:
    truths = list(dict.fromkeys(record["truth"] for record in records))
    sizes = sorted({record["rows"] for record in records})
    ways = [way for way in COLORS if any(record["way"] == way for record in records)]
    with plt.rc_context(PLAIN):
        figure, grid = plt.subplots(
            len(sizes),
            len(truths),
            figsize=(2.6 * len(truths), 2.2 * len(sizes) + 0.5),
            sharex=True,
            squeeze=False,
            layout="constrained",
        )
        for row, size in zip(grid, sizes, strict=True):
            for axes, truth in zip(row, truths, strict=True):
                some = [r for r in records if (r["truth"], r["rows"]) == (truth, size)]
                for way in ways:
                    for how, line in LINES.items():
                        points = _points(
                            [r for r in some if (r["way"], r["how"]) == (way, how)], value
                        )
                        axes.plot(
                            *zip(*points, strict=True) if points else ((), ()),
                            line,
                            color=COLORS[way],
                            marker="o",
                            markersize=2.5,
                            linewidth=1.1,
                        )
                if log:  # down to less than nothing: a search may do better by chance
                    axes.set_yscale("symlog", linthresh=0.01)
                    axes.axhline(0, color="#d0d0d0", linewidth=0.6, zorder=0)
                else:
                    axes.set_ylim(bottom=0)
                axes.set_title(f"{truth}, {size:,} rows")
                axes.spines[["top", "right"]].set_visible(False)
        shares = sorted({record["share"] for record in records})
        for axes in grid[-1]:
            axes.set_xticks(shares, [f"{share:.0%}" for share in shares])
            axes.set_xlabel("cells missing")
        for row in grid:
            row[0].set_ylabel(words)
        key = [Line2D([], [], color=COLORS[way], marker="o", markersize=2.5) for way in ways]
        key += [Line2D([], [], color="#555555", linestyle=LINES[how]) for how in HOW]
        figure.legend(
            key, [*ways, *HOW.values()], loc="outside lower center", ncols=len(key), frameon=False
        )
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)
    return path


def _points(
    records: list[Record], value: Callable[[Record], float | None]
) -> list[tuple[float, float]]:
    """Return means over seeds by share; shares at which some seed has no answer are left out."""
    points = []
    for share in sorted({record["share"] for record in records}):
        found = [value(record) for record in records if record["share"] == share]
        known = [each for each in found if each is not None]
        if len(known) == len(found):
            points.append((share, mean(known)))
    return points
