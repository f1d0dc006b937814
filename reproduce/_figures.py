"""The figures of the features paper, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

import matplotlib
from _features_tables import KINDS, PAPER_GRAPHS, curve, least, split, stands_for

from dagscape.report.layout import layered

matplotlib.use("Agg")

from _plot_style import OPEN
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path as Line
from PIL import Image

TITLES = {
    "alarm": "Alarm",
    "alarm-like": "Alarm, like the paper's",
    "all": "ALL",
    "all-tertile": "ALL (tertiles)",
    "aml": "AML",
    "aml-tertile": "AML (tertiles)",
}
WORDS = {"edges": "Edges", "paths": "Directed paths", "blankets": "Markov blanket neighbors"}
STYLE = {**OPEN, "axes.titlesize": 9, "savefig.dpi": 120}
TRUE, FALSE, MISSED = "#1b1b1b", "#c0392b", "#b5b5b5"

Record = dict[str, Any]


def draw(records: list[Record], folder: Path, form: str) -> Iterator[Path]:
    """Draw what there are data for; yield the files."""
    with plt.rc_context(STYLE):
        for name, wanted in (("figure1", ("alarm",)), ("figure3", ("all", "aml"))):
            some = [record for record in records if stands_for(record["set"]) in wanted]
            if some:
                yield _save(_curves(some), folder, name, form)
        yield _save(_optima(records), folder, "figure4", form)
        for record in records:
            number = {"alarm": 2, "aml": 5}.get(stands_for(record["set"]))
            if number and "whole" in record:
                name = f"figure{number}-{record['set']}"
                yield _save(_graph(record), folder, name, form)


def _save(figure: Any, folder: Path, name: str, form: str) -> Path:
    path = folder / f"{name}.{form}"
    # Without a date the same data give the same file.
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None} if form == "svg" else None)
    plt.close(figure)
    if form == "png":  # 64 colors are enough, and a third of the bytes
        with Image.open(path) as full:
            small = full.convert("RGB").quantize(
                64, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
            )
        small.save(path, optimize=True)
    return path


def _colors(record: Record) -> dict[int, Any]:
    """Return a color for each size, the darkest for the whole."""
    sizes = [size["percent"] for size in record["sizes"]]
    scale = matplotlib.colormaps["viridis_r"]
    return {
        percent: scale(0.08 + 0.92 * i / max(1, len(sizes) - 1)) for i, percent in enumerate(sizes)
    }


def _curves(records: list[Record]) -> Any:
    """Figures 1 and 3: false positives against false negatives, a curve for each size."""
    figure, grid = plt.subplots(
        len(records), 3, figsize=(7.4, 2.5 * len(records)), squeeze=False, layout="constrained"
    )
    for row, record in zip(grid, records, strict=True):
        colors = _colors(record)
        for axes, kind in zip(row, KINDS, strict=True):
            for size in record["sizes"]:
                points = curve(size["samples"], kind)
                axes.plot(
                    [p.fn for p in points],
                    [p.fp for p in points],
                    color=colors[size["percent"]],
                    linewidth=1.1,
                    marker="o",
                    markersize=1.8,
                    label=f"{size['percent']} %",
                )
                at = least(points)
                axes.plot(at.fn, at.fp, "o", color=colors[size["percent"]], markersize=4.6)
            axes.set_xlim(left=0)
            axes.set_ylim(bottom=0)
            axes.margins(0.03)
        row[0].set_ylabel(f"{TITLES[record['set']]}\nfalse positives")
    for kind, first, last in zip(KINDS, grid[0], grid[-1], strict=True):
        first.set_title(WORDS[kind])
        last.set_xlabel("false negatives")
    lines, words = grid[0][0].get_legend_handles_labels()
    lines.append(Line2D([], [], marker="o", color="#555555", linestyle="", markersize=4.6))
    words.append("least FP + FN")
    figure.legend(
        lines, words, loc="outside lower center", ncols=8, frameon=False, handlelength=1.4
    )
    return figure


def _optima(records: list[Record]) -> Any:
    """Figure 4: distinct optima by the share of the rows."""
    figure, axes = plt.subplots(figsize=(4.6, 2.9), layout="constrained")
    marks = {"alarm": "o", "all": "s", "aml": "^"}
    colors = {"alarm": "#2c6fbb", "all": "#c0392b", "aml": "#d68910"}
    for record in records:
        plain = record["set"] == stands_for(record["set"])
        sizes = [size["percent"] for size in record["sizes"]]
        counts = [
            mean(sample["distinct"] for sample in size["samples"]) for size in record["sizes"]
        ]
        axes.plot(
            sizes,
            counts,
            marker=marks[stands_for(record["set"])],
            color=colors[stands_for(record["set"])],
            linestyle="-" if plain else "--",
            markerfacecolor=None if plain else "white",
            markersize=4,
            linewidth=1.2,
            label=TITLES[record["set"]],
        )
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{percent} %" for percent in sizes])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("share of the rows")
    axes.set_ylabel(f"distinct optima in {records[0]['runs']:,} runs")
    axes.legend(frameon=False)
    return figure


def _graph(record: Record) -> Any:
    """Figures 2 and 5: edges above two thresholds, the true ones solid, the others dashed."""
    edges = record["whole"]["edges"]
    low, high = (point.t for point in PAPER_GRAPHS[stands_for(record["set"])])
    tp, fp, fn = split(edges, low)
    missed = fn if stands_for(record["set"]) == "alarm" else []
    names, labels = record["names"], _labels(record)
    drawn: list[tuple[Any, str, Any]] = [(edge, TRUE, "solid") for edge in tp]
    drawn += [(edge, FALSE, (0, (3, 2))) for edge in fp]
    drawn += [(edge, MISSED, (0, (1, 1.5))) for edge in missed]
    # True edges come first, so that false ones are turned where they would close a cycle.
    ends = dict.fromkeys((edge[0], edge[1]) for edge, _, _ in drawn)
    joined = {name for arc in ends for name in arc}
    layout = layered([name for name in names if name in joined], ends)
    _put_below(layout.nodes, [name for name in names if name not in joined])
    xs = [x for x, _ in layout.nodes.values()]
    ys = [y for _, y in layout.nodes.values()]
    small = max(map(len, labels)) < 4
    across, down = (0.42, 0.62) if small else (0.92, 0.72)
    size = (max(xs) - min(xs) + 1) * across, (max(ys) - min(ys) + 1) * down
    figure, axes = plt.subplots(figsize=size)
    axes.set_axis_off()
    axes.set_xlim(min(xs) - 0.6, max(xs) + 0.6)
    axes.set_ylim(max(ys) + 0.5, min(ys) - 0.5)
    pairs: set[frozenset[str]] = set()
    for edge, color, dashes in drawn:
        pair = frozenset(edge[:2])
        aside = 0.1 if pair in pairs else 0.0  # another edge of the same two is there
        pairs.add(pair)
        points = [(x + aside, y) for x, y in layout.arcs[edge[0], edge[1]]]
        _edge(axes, points, edge[2], color, dashes, edge[3] >= high - 1e-9)
    for name, label in zip(names, labels, strict=True):
        axes.text(
            *layout.nodes[name],
            label,
            ha="center",
            va="center",
            fontsize=7 if small else 5.2,
            bbox={
                "boxstyle": "circle,pad=0.25" if small else "round,pad=0.3",
                "facecolor": "white",
                "edgecolor": "#555555",
                "linewidth": 0.6,
            },
            zorder=3,
        )
    _key(axes, low, high, len(tp), len(fp), len(fn), bool(missed), TITLES[record["set"]])
    return figure


def _put_below(nodes: dict[str, tuple[float, float]], alone: list[str]) -> None:
    """Add nodes without an edge, in rows below the others."""
    xs = [x for x, _ in nodes.values()]
    left, lowest = min(xs), max(y for _, y in nodes.values())
    most = max(1, int(max(xs) - left) + 1)
    for i, name in enumerate(alone):
        nodes[name] = left + i % most, lowest + 1 + i // most


def _labels(record: Record) -> list[str]:
    """Return names as they fit: patients by their number in the data, as in the paper."""
    if stands_for(record["set"]) == "alarm":
        return list(record["names"])
    return [str(i + 1) for i in range(len(record["names"]))]


def _edge(axes: Any, points: Any, kind: str, color: str, dashes: Any, bold: bool) -> None:
    """Draw an edge through the places where it passes a layer."""
    gap = 0.2  # half the height of a node, in layers
    (x0, y0), (x1, y1) = points[0], points[-1]
    step = 1 if y1 > y0 else -1
    places = [(x0, y0 + step * gap), *points[1:-1], (x1, y1 - step * gap)]
    # Catmull and Rom's curve through the places, upright where it ends.
    straight = [(0.0, step * 0.5)]
    inner = zip(places, places[2:], strict=False)
    tangents = straight + [((b[0] - a[0]) / 2, (b[1] - a[1]) / 2) for a, b in inner] + straight
    ends, codes = [places[0]], [Line.MOVETO]
    for (a, at_a), (b, at_b) in pairwise(zip(places, tangents, strict=True)):
        ends.append((a[0] + at_a[0] / 3, a[1] + at_a[1] / 3))
        ends.append((b[0] - at_b[0] / 3, b[1] - at_b[1] / 3))
        ends.append(b)
        codes += [Line.CURVE4] * 3
    axes.add_patch(
        FancyArrowPatch(
            path=Line(ends, codes),
            arrowstyle="-|>" if kind == "directed" else "-",
            mutation_scale=8 if bold else 6,
            linewidth=1.7 if bold else 0.7,
            linestyle=dashes,
            color=color,
            shrinkA=0,
            shrinkB=0,
            zorder=2,
        )
    )


def _key(
    axes: Any, low: float, high: float, tp: int, fp: int, fn: int, missed: bool, title: str
) -> None:
    lines = [
        Line2D([], [], color=TRUE, linewidth=0.7, label=f"true positive ({tp})"),
        Line2D(
            [],
            [],
            color=FALSE,
            linewidth=0.9,
            linestyle=(0, (3, 2)),
            label=f"false positive ({fp})",
        ),
        Line2D([], [], color="#555555", linewidth=1.9, label=f"bold: confidence {high:g} or more"),
    ]
    if missed:
        words = f"in the true network, below {low:g} ({fn})"
        lines.append(Line2D([], [], color=MISSED, linestyle=(0, (1, 1.5)), label=words))
    axes.legend(
        handles=lines,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.02),
        ncols=4,
        frameon=False,
        fontsize=6.5,
        title=f"{title}: edges with confidence {low:g} or more",
        title_fontsize=7.5,
    )
