"""Static pictures, by matplotlib: the graph, the trade-off curve, scores, strengths, a heat map."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

import dagscape as ds
from dagscape.arguments import file_path
from dagscape.learning import LearnResult
from dagscape.report.claims import score_label
from dagscape.report.curves import HALF, cubics
from dagscape.report.drawing import Drawing, drawing, drawing_of, drawn_pairs
from dagscape.report.page_optima import best_possible
from dagscape.report.page_pairs import Models, Pair, pairs_of
from dagscape.report.pdf_files import pdf_file
from dagscape.report.scene import scene
from dagscape.report.svg_files import svg_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The page's colors, after Okabe and Ito: told apart by all kinds of sight.
SAME, OTHER, INK, SOFT = "#0b62a8", "#c14a00", "#16191d", "#5b6571"
LIGHT = "#cfe2f3"
STYLES: dict[str, tuple[str, Any]] = {
    "same": (SAME, "solid"),
    "extra": (OTHER, (0, (4, 2))),
    "missing": ("#808893", (0, (1, 2))),
}
SAVED = (".svg", ".png", ".pdf")
"""Endings of pictures of a graph; .png needs matplotlib."""
LABELED = 60
"""The most variables whose names a heat map can show."""


def plot_result(
    result: ds.Result,
    ax: Axes | None = None,
    around: str | None = None,
    graph: str = "best",
) -> Axes:
    """Draw the essential graph of a result, perhaps with a Markov blanket brought out."""
    fills = {}
    if around is not None:
        fills = dict.fromkeys(result.dag.markov_blanket(around), LIGHT) | {around: SAME}
    return _graph(_picture(result, graph)[0], ax, fills)


def _picture(result: ds.Result, graph: str) -> tuple[Drawing, bool]:
    """Return the drawing of a result, and whether lines are as thick as edges are probable."""
    if not isinstance(graph, str) or graph not in ("best", "consensus"):
        raise ds.ParameterError(f'unknown graph "{graph}"; choose best, consensus')
    consensus = result.consensus if isinstance(result, LearnResult) else None
    if graph == "consensus" and consensus is None:
        raise ds.ParameterError("there is no consensus without probabilities")
    if not isinstance(result, LearnResult):
        return drawing_of(result), False
    shown = consensus if graph == "consensus" else None
    return _of_learned(result, shown)


def _of_learned(learned: LearnResult, shown: ds.Mpdag | None) -> tuple[Drawing, bool]:
    dag = learned.dag if shown is None else shown.to_dag()
    # The models' edges are not drawn, but take their room as on the page.
    pairs = pairs_of(dag, learned.landscape, None, None, shown or learned.mpdag)
    known = {frozenset((edge.a, edge.b)): edge.probability for edge in learned.edges}
    names = dag.names

    def said(pair: Pair) -> tuple[int, float | None, str]:
        return pair.drawn, known.get(frozenset((names[pair.a], names[pair.b]))), "same"

    picture = drawn_pairs(dag, pairs, said, learned.scope.knowledge)
    return picture, learned.posterior is not None


def picture_file(
    result: ds.Result,
    path: str | os.PathLike[str],
    around: str | None = None,
    graph: str = "best",
) -> bytes:
    """Return the picture of a result as a file; the ending of its name says how."""
    file = file_path(path)
    ending = file.suffix.lower()
    if ending not in SAVED:
        raise ds.ParameterError(f'pictures are {", ".join(SAVED)}, got "{file.name}"')
    if ending != ".png" and around is None:
        picture, probable = _picture(result, graph)
        shapes = scene(picture, probable=probable)
        if ending == ".pdf":
            return pdf_file(shapes)
        return svg_file(shapes).encode("utf-8", "backslashreplace")
    figure: Any = plot_result(result, None, around, graph).figure
    from matplotlib import pyplot

    held = io.BytesIO()
    try:
        figure.savefig(held, format=ending[1:], dpi=150)
    finally:
        pyplot.close(figure)
    return held.getvalue()


def plot_models(
    models: Models,
    what: str = "graph",
    *,
    kind: str = "edges",
    reference: Any = None,
    threshold: float | None = None,
    weights: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw many models: see :meth:`dagscape.Landscape.plot`."""
    if not isinstance(what, str) or what not in PLOTS:
        raise ds.ParameterError(f'unknown plot "{what}"; choose {", ".join(PLOTS)}')
    common = {"reference": reference, "weights": weights}
    if threshold is not None and not isinstance(threshold, int | float):
        raise ds.ParameterError(f"threshold must be between 0 and 1, got {threshold!r}")
    level = models.threshold(kind, **common) if threshold is None else float(threshold)
    if not 0 <= level <= 1:
        raise ds.ParameterError(f"threshold must be between 0 and 1, got {threshold!r}")
    if what == "graph":
        return _graph(drawing(models.learned, models, threshold=level, weights=weights), ax)
    if what == "tradeoff":
        return _tradeoff(models, kind, level, common, _axes(ax))
    if what == "scores":
        return _scores(models, _axes(ax))
    if what == "strengths":
        return _strengths(models, level, weights, _axes(ax))
    return _heatmap(models, weights, _axes(ax, (6.4, 6.0)))


PLOTS = ("graph", "tradeoff", "scores", "strengths", "heatmap")


def _axes(ax: Axes | None, size: tuple[float, float] = (5.6, 3.8)) -> Axes:
    """Return the axes to draw on, new ones unless given."""
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError:
        raise ds.ParameterError(
            'plots need matplotlib, which is not installed: pip install "dagscape[plot]"'
        ) from None
    if ax is not None:
        if not hasattr(ax, "get_window_extent"):
            raise ds.ParameterError(f"ax must be axes of matplotlib, got {type(ax).__name__}")
        return ax
    _, made = pyplot.subplots(figsize=size, layout="constrained")
    for side in ("top", "right"):
        made.spines[side].set_visible(False)
    return made


def _graph(picture: Drawing, ax: Axes | None, fills: Mapping[str, str] | None = None) -> Axes:
    width, height = picture.size
    inches = min(1 / 96, 14 / width, 14 / height)  # of a pixel
    axes = _axes(ax, (max(1.0, width * inches), max(1.0, height * inches)))
    from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
    from matplotlib.path import Path as Curve

    room = width * inches if ax is None else axes.get_window_extent().width / axes.figure.dpi
    points = 72 * room / width  # of a pixel
    for line in picture.lines:
        corners, codes = [line.points[0]], [Curve.MOVETO]
        for piece in cubics(line.points):
            corners += piece
            codes += [Curve.CURVE4] * 3
        color, style = STYLES[line.mark]
        thick = line.thickness * points
        path = Curve([list(corner) for corner in corners], codes)
        axes.add_patch(
            PathPatch(path, fill=False, edgecolor=color, linewidth=thick, linestyle=style)
        )
        if line.head:
            axes.add_patch(Polygon([list(c) for c in line.head], facecolor=color, linewidth=0))
    for node in picture.boxes:
        x, y = node.middle
        fill = (fills or {}).get(node.name, "white")
        axes.add_patch(
            FancyBboxPatch(
                (x - node.width / 2 + 5, y - HALF + 5),
                node.width - 10,
                2 * HALF - 10,
                boxstyle="round,pad=5",
                facecolor=fill,
                edgecolor=SOFT,
                linewidth=1.1 * points,
            )
        )
        label = node.label.replace("$", r"\$")  # no formulas in names
        ink = "white" if fill == SAME else INK
        axes.text(x, y, label, ha="center", va="center", fontsize=11.5 * points, color=ink)
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    return axes


def _tradeoff(models: Models, kind: str, level: float, common: dict[str, Any], axes: Axes) -> Axes:
    """Draw false positives against false negatives, as Peña, Kočka and Nielsen do."""
    rows = models.tradeoff(kind, frame="dict", **common)
    now = models.tradeoff(kind, thresholds=[level], frame="dict", **common)
    axes.plot(rows["fn"], rows["fp"], "o-", color=SAME, markersize=3.5, linewidth=1.4)
    fp, fn = now["fp"][0], now["fn"][0]
    axes.plot([fn], [fp], "o", color=OTHER, markersize=8)
    axes.annotate(
        f"{level:g}: {fp} fp, {fn} fn", (fn, fp), (8, 8), textcoords="offset points", color=OTHER
    )
    axes.set_xlabel("false negatives")
    axes.set_ylabel("false positives")
    axes.set_title(f"{kind}, thresholds 0.05 to 1", loc="left")
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    return axes


def _scores(models: Models, axes: Axes) -> Axes:
    """Draw how many runs ended at which score, and the best score there is, if it is known."""
    found = models.optima if isinstance(models, ds.Landscape) else models.networks
    scores = np.array([model.score for model in found])
    visits = np.array([model.visits for model in found])
    bins = min(40, max(10, round(2.5 * len(found) ** 0.5)))
    axes.hist(scores, bins=bins, weights=visits, color=SAME, alpha=0.85)
    best = best_possible(models)
    span = max(float(np.ptp(scores)), 1.0)
    if best is not None and best["score"] - scores.max() <= 1.5 * span:
        words = "proven optimum" if best["proven"] else "bound"
        style = "-" if best["proven"] else "--"
        axes.axvline(best["score"], color=OTHER, linestyle=style, label=words)
    axes.axvline(scores.max(), color=INK, linestyle=":", label="best of the runs")
    axes.legend(frameon=False, loc="upper left")
    axes.set_xlabel(score_label(models.score_kind, models.score_name))
    axes.set_ylabel("runs")
    axes.ticklabel_format(axis="x", useOffset=False, style="plain")
    return axes


def _strengths(models: Models, level: float, weights: str | None, axes: Axes) -> Axes:
    """Draw the distribution of strengths of pairs, each once, with the cut-off."""
    rows = models.strengths(weights=weights, frame="dict")
    ends = zip(rows["from"], rows["to"], rows["strength"], strict=True)
    strengths = [strength for a, b, strength in ends if a < b]
    axes.hist(strengths, bins=20, range=(0, 1), color=SAME, alpha=0.85)
    axes.axvline(level, color=OTHER, linestyle="--", label=f"cut-off {level:g}")
    axes.legend(frameon=False, loc="upper center")
    axes.set_xlabel("share of models in which a pair is joined")
    axes.set_ylabel("pairs")
    return axes


def _heatmap(models: Models, weights: str | None, axes: Axes) -> Axes:
    """Draw the confidence in an edge from each variable to each other."""
    order = models.learned.topological_order()
    place = {name: i for i, name in enumerate(order)}
    table = np.zeros((len(order), len(order)))
    rows = models.strengths(weights=weights, frame="dict")
    ends = zip(rows["from"], rows["to"], rows["strength"], rows["direction"], strict=True)
    for a, b, strength, direction in ends:
        table[place[a], place[b]] = strength * direction
    image = axes.imshow(table, cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    axes.figure.colorbar(image, ax=axes, shrink=0.7, label="confidence, row to column")
    if len(order) <= LABELED:
        labels = [name.replace("$", r"\$") for name in order]
        axes.set_xticks(range(len(order)), labels, rotation=90, fontsize=6)
        axes.set_yticks(range(len(order)), labels, fontsize=6)
    return axes
