"""The figure of tables without relations: in how many the best network joins columns, by score."""

from __future__ import annotations

from pathlib import Path

import matplotlib
from _plot_style import OPEN

matplotlib.use("Agg")

from matplotlib import pyplot as plt

COLORS = ("#123a66", "#5b8fc9", "#c0392b", "#d98880", "#922b21", "#d68910", "#1e8449")
DEFAULT = "default"


def rows_of(page: str) -> tuple[list[str], dict[str, list[int | None]]]:
    """Return the scores of the table on a page, and the counts of each family."""
    lines = iter(page.splitlines())
    head = next(line for line in lines if f"tables of | {DEFAULT} |" in line)
    next(lines)
    found = {}
    for line in lines:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        found[name] = [int(cell) if cell else None for cell in cells]
    return [cell.strip() for cell in head.strip("|").split("|")][1:], found


def draw(page: str, path: Path) -> None:
    """Draw a line for each family, and a point on it for each score."""
    scores, families = rows_of(page)
    names = list(families)
    with plt.rc_context(OPEN):
        figure, axes = plt.subplots(figsize=(7, 0.2 * len(names) + 0.9), layout="constrained")
        axes.axvline(5, color="#999999", linewidth=0.8, linestyle=":")
        for number, score in reversed(list(enumerate(scores))):
            points = [
                (families[name][number], -at)
                for at, name in enumerate(names)
                if families[name][number] is not None
            ]
            axes.plot(
                *zip(*points, strict=True),
                linestyle="none",
                marker="D" if score == DEFAULT else "o",
                markersize=5,
                color=COLORS[number % len(COLORS)],
                alpha=1.0 if score == DEFAULT else 0.75,
                label=score,
            )
        axes.set_yticks([-at for at in range(len(names))], names)
        axes.set_xlabel("of 100 tables without relations, those in which it joins two columns")
        axes.grid(axis="y", linewidth=0.3)
        axes.legend(frameon=False, loc="lower right", reverse=True)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)
