"""Scores of many runs, drawn in order, a curve for each k; with matplotlib."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

from _plot_style import OPEN
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

Curves = dict[float, list[float]]
"""Scores by k, in the order in which they are drawn."""


def draw(panels: dict[str, Curves], across: str, up: str, path: Path) -> None:
    """Draw panels side by side, each with its title; the form is by the name of the file."""
    shares = sorted({k for curves in panels.values() for k in curves})
    colors = {k: plt.get_cmap("viridis")(0.9 * i / len(shares)) for i, k in enumerate(shares)}
    with plt.rc_context(OPEN):
        figure, axes = plt.subplots(1, len(panels), figsize=(3.6 * len(panels), 2.8), squeeze=False)
        for axis, (title, curves) in zip(axes[0], panels.items(), strict=True):
            for k, values in curves.items():
                if len(values) == 1:
                    axis.axhline(values[0], color=colors[k], linewidth=1, linestyle="--")
                else:
                    axis.plot(range(1, len(values) + 1), values, color=colors[k], linewidth=1)
            axis.set_title(title, fontsize=9)
            axis.set_xlabel(across)
        axes[0][0].set_ylabel(up)
        lines = [Line2D([], [], color=colors[k], linewidth=1) for k in shares]
        words = [f"k = {k:g}" for k in shares]
        figure.legend(lines, words, loc="center right", frameon=False)
        figure.subplots_adjust(right=0.85, wspace=0.35)
        # Without a date the same data give the same file.
        plain = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, bbox_inches="tight", metadata=plain)
        plt.close(figure)
