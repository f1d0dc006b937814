"""The figures of the paper on local learning, drawn with matplotlib."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
from _sll_tables import MEASURES, Measure, average, cells, spread

matplotlib.use("Agg")

from _plot_style import OPEN
from matplotlib import pyplot as plt

STYLE = {**OPEN, "font.size": 7, "axes.titlesize": 8, "axes.linewidth": 0.5}
LOOKS: dict[str, tuple[str, str]] = {
    "SLL": ("#1f6fb4", "o"),
    "HITON": ("#d1495b", "s"),
    "GS": ("#8a8a8a", "v"),
    "GES": ("#2e8b57", "^"),
    "MMHC": ("#e39b1f", "D"),
    "SLL+C": ("#1f6fb4", "x"),
    "SLL+C strict": ("#7fb3dd", "+"),
    "SLL+G": ("#7b4fa3", "P"),
}
"""Color and marker of each method."""

COLUMNS = 4

Record = dict[str, Any]


def draw(records: list[Record], folder: Path) -> Iterator[Path]:
    """Draw a figure for each measure, a panel for each network; yield the files."""
    with plt.rc_context(STYLE):
        for measure in MEASURES:
            path = folder / f"figure{measure.figure}.svg"
            figure = _figure([r for r in records if r["network"] == r["sample_of"]], measure)
            # Without a date the same data give the same file.
            figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
            plt.close(figure)
            path.write_text(_short(path.read_text(encoding="utf-8")), encoding="utf-8")
            yield path


def _short(svg: str) -> str:
    """Return the same picture in half the bytes: each style once, two decimals, no idle names."""
    styles = dict.fromkeys(re.findall(r' style="([^"]*)"', svg))
    rules = []
    for i, style in enumerate(styles):
        svg = svg.replace(f' style="{style}"', f' class="s{i}"')
        rules.append(f".s{i} {{{style}}}\n")
    svg = svg.replace("<defs>", f"<style>\n{''.join(rules)}</style>\n<defs>", 1)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"| id="[a-z0-9.]+_\d+"', "", svg, flags=re.I)
    svg = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\.\d\d)\d+", r"\1", tag[0]), svg)
    return re.sub(r"\n\s+", "\n", svg)


def _figure(records: list[Record], measure: Measure) -> Any:
    found = cells(records)
    networks = list(dict.fromkeys(network for network, _ in found))
    lines = -(-len(networks) // COLUMNS)
    figure, grid = plt.subplots(
        lines,
        COLUMNS,
        figsize=(8, 1.65 * lines),
        sharey=measure.key == "cpu_seconds",
        squeeze=False,
        layout="constrained",
    )
    panels = list(grid.flat)
    for axes, network in zip(panels, networks, strict=False):
        _panel(
            axes, {rows: some for (name, rows), some in found.items() if name == network}, measure
        )
        axes.set_title(network)
    for axes in panels[len(networks) :]:
        axes.set_visible(False)
    figure.supylabel(measure.title, fontsize=8)
    figure.supxlabel("rows", fontsize=8)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure


def _panel(axes: Any, found: dict[int, list[Record]], measure: Measure) -> None:
    """Draw a line for each method, side by side so that bars do not hide each other."""
    sizes = sorted(found)
    for i, method in enumerate(measure.methods):
        shift = 0.06 * (i - (len(measure.methods) - 1) / 2)
        color, marker = LOOKS[method]
        axes.errorbar(
            [place + shift for place in range(len(sizes))],
            [average(found[rows], measure.key, method) for rows in sizes],
            None
            if measure.key == "cpu_seconds"
            else [spread(found[rows], measure.key, method) for rows in sizes],
            label=method,
            color=color,
            marker=marker,
            markersize=3,
            linewidth=0.9,
            elinewidth=0.6,
        )
    axes.set_xticks(range(len(sizes)), [f"{rows:,}" for rows in sizes])
    if measure.key == "cpu_seconds":
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
    elif measure.key == "score":
        axes.axhline(1, color="#bbbbbb", linewidth=0.5, zorder=0)
    else:
        axes.set_ylim(bottom=0)
