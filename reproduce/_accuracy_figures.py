"""The picture of the grid of accuracy: regret by score, prior and number of rows."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import matplotlib
from _accuracy_tables import Record, by_cell
from _accuracy_ways import OPTIMA, PRIORS, SCORES
from _plot_style import PLAIN

matplotlib.use("Agg")

from matplotlib import pyplot as plt

COLORS = dict(
    zip(
        SCORES,
        ("#1b1b1b", "#8ab6e0", "#2c6fbb", "#123a66", "#c0392b", "#d68910", "#9a9a9a", "#1e8449"),
        strict=True,
    )
)


def draw(records: list[Record], path: Path) -> None:
    """Draw for each prior how far each score is from the best of all, against the rows."""
    cells = by_cell(records, OPTIMA)
    sizes = sorted({rows for _, rows, _ in cells})
    with plt.rc_context(PLAIN):
        figure, grid = plt.subplots(
            1, len(PRIORS), figsize=(8.2, 3.0), sharey=True, layout="constrained"
        )
        for axes, prior in zip(grid, PRIORS, strict=True):
            for score, color in COLORS.items():
                way = f"{score}, {prior}"
                line = [
                    mean(
                        (a[way]["shd"] - min(one["shd"] for one in a.values())) / a[way]["edges"]
                        for (_, rows, _), a in cells.items()
                        if rows == size
                    )
                    for size in sizes
                ]
                axes.plot(sizes, line, "o-", color=color, label=score, markersize=3, linewidth=1.2)
            axes.set_xscale("log")
            axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
            axes.minorticks_off()
            axes.set_title(f"prior: {prior}")
            axes.set_xlabel("rows")
            axes.set_ylim(0, 1.5)
            axes.spines[["top", "right"]].set_visible(False)
        grid[0].set_ylabel("errors more than the best,\nper edge of the truth")
        lines, words = grid[0].get_legend_handles_labels()
        figure.legend(lines, words, loc="outside lower center", ncols=len(SCORES), frameon=False)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
        plt.close(figure)
