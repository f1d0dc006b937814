"""Plots of the page, as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
from benchmarks.compare.job import Record
from benchmarks.compare.peers import TOOLS, load_peer
from benchmarks.compare.report.summary import cells, spread

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.ticker import MaxNLocator

STYLE: Any = {
    "font.size": 8,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.linewidth": 0.6,
    "axes.grid.axis": "x",
    "grid.linewidth": 0.4,
    "grid.color": "#dddddd",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "dagscape",
}
# Apart in print without color too: each tool has a shape of its own.
COLORS = dict(
    zip(
        TOOLS,
        ("#1b1b1b", "#c0392b", "#2471a3", "#b9770e", "#7d3c98", "#7f8c2d", "#117a65", "#5d6d7e"),
        strict=True,
    )
)
SHAPES = dict(zip(TOOLS, ("o", "s", "D", "^", "v", "*", "P", "X"), strict=True))


def figure_of_rows(records: list[Record], path: Path) -> None:
    """Draw a line for each data set: CPU seconds, and how far from the best the scores are."""
    found = cells([record for record in records if record["status"] in ("done", "over")])
    cases = list(dict.fromkeys(case for case, _ in found))
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(
            1, 2, sharey=True, figsize=(7.2, 0.9 + 0.33 * len(cases)), width_ratios=(1.15, 1)
        )
        for row, case in enumerate(cases):
            best = max(
                (r["score"] for r in records if r["case"] == case and "score" in r), default=0.0
            )
            some = [tool for tool in TOOLS if (case, tool) in found]
            for place, tool in enumerate(some):
                y = row + 0.14 * (place - (len(some) - 1) / 2)
                _mark(left, found[case, tool], "cpu_seconds", y, tool, lambda value: value)
                if found[case, tool][0]["status"] == "over":
                    _mark(
                        left, found[case, tool][:1], "limit", y, tool, lambda value: value, "white"
                    )
                _mark(
                    right,
                    found[case, tool],
                    "score",
                    y,
                    tool,
                    lambda value, best=best: 100 * (best - value) / abs(best or 1.0),
                )
        left.set_xscale("log")
        left.set_title("CPU seconds (hollow: over the limit)")
        right.set_title("BIC below the best found, per cent")
        left.set_yticks(range(len(cases)), cases)
        left.set_ylim(len(cases) - 0.5, -0.5)
        right.set_xlim(left=-0.03 * max(0.1, right.get_xlim()[1]))
        for axes in (left, right):
            axes.grid(visible=True)
            axes.set_axisbelow(True)
            axes.tick_params(axis="y", length=0)
        _legend(figure, {tool for _, tool in found})
        _save(figure, path)


def _mark(
    axes: Any, records: list[Record], name: str, y: float, tool: str, form: Any, face: str = ""
) -> None:
    some = spread(records, name)
    if some:
        color = COLORS[tool]
        axes.plot([form(some.least), form(some.most)], [y, y], color=color, linewidth=1.2)
        axes.plot(
            form(some.middle),
            y,
            SHAPES[tool],
            color=color,
            markerfacecolor=face or color,
            markersize=4,
        )


def figure_by_number(records: list[Record], path: Path) -> None:
    """Draw CPU seconds by number of variables, a line for each tool; a hollow mark is a limit."""
    with plt.rc_context({**STYLE, "axes.grid.axis": "y"}):
        figure, axes = plt.subplots(figsize=(5.2, 3.0))
        for tool in TOOLS:
            mine = [record for record in records if record["tool"] == tool]
            done = [(_number(r), r["cpu_seconds"]) for r in mine if r["status"] == "done"]
            over = [(_number(r), r["limit"]) for r in mine if r["status"] == "over"]
            if done or over:
                line = [*done, *over[:1]]
                axes.plot(*zip(*line, strict=True), "-", color=COLORS[tool], linewidth=1)
            for points, face in ((done, COLORS[tool]), (over, "white")):
                if points:
                    axes.plot(
                        *zip(*points, strict=True),
                        SHAPES[tool],
                        color=COLORS[tool],
                        markerfacecolor=face,
                        markersize=4.5,
                    )
        axes.set_yscale("log")
        axes.set_xlabel("variables")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title("CPU seconds to the best network (hollow: over the limit)")
        axes.grid(visible=True)
        axes.set_axisbelow(True)
        _legend(figure, {record["tool"] for record in records})
        _save(figure, path)


def _number(record: Record) -> int:
    return int(record["case"].rpartition("first")[2])


def _legend(figure: Any, tools: set[str]) -> None:
    handles = [
        plt.Line2D([], [], color=COLORS[t], marker=SHAPES[t], linestyle="", label=load_peer(t).NAME)
        for t in TOOLS
        if t in tools
    ]
    figure.legend(
        handles=handles, loc="upper center", ncols=len(handles), bbox_to_anchor=(0.5, 0.03)
    )


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
