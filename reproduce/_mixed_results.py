"""Tables and the picture of what is found of networks of numbers, by score and rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

from _plot_style import PLAIN
from _tables import Table

Record = dict[str, Any]

TITLES = {
    "gaussian": "linear networks",
    "nonlinear": "nonlinear networks",
    "mixed": "networks of numbers and states",
}
MEASURES = {"shd": "SHD", "precision": "precision", "recall": "recall"}
COLORS = {
    "gaussian_bic": "#1b1b1b",
    "bge": "#2c6fbb",
    "basis_bic(degree=1)": "#1b1b1b",
    "basis_bic(degree=3)": "#1e8449",
    "conditional_gaussian": "#8e44ad",
    "cut, bic": "#c0392b",
    "cut, bdeu": "#d68910",
}


def measured(record: Record, measure: str) -> float:
    """Return one measure of one answer; what is found of nothing is all right."""
    if measure == "precision":
        return record["right"] / record["found"] if record["found"] else 1.0
    if measure == "recall":
        return record["right"] / record["edges"] if record["edges"] else 1.0
    return float(record[measure])


def means(records: list[Record], kind: str, measure: str) -> dict[str, dict[int, float]]:
    """Return the mean of a measure over truths, by way and rows."""
    found: dict[str, dict[int, list[float]]] = {}
    for record in records:
        if record["kind"] == kind:
            cells = found.setdefault(record["way"], {})
            cells.setdefault(record["rows"], []).append(measured(record, measure))
    return {way: {rows: mean(v) for rows, v in cells.items()} for way, cells in found.items()}


def tables(records: list[Record]) -> Iterator[Table]:
    """Yield a table for each kind of truth: SHD, precision and recall of edges, by rows."""
    for kind, title in TITLES.items():
        shd, precision, recall = (means(records, kind, measure) for measure in MEASURES)
        if not shd:
            continue
        sizes = sorted(next(iter(shd.values())))
        truths = len({record["seed"] for record in records if record["kind"] == kind})
        rows = [
            [
                way,
                *(
                    f"{shd[way][size]:.1f} ({precision[way][size]:.2f}, {recall[way][size]:.2f})"
                    for size in sizes
                ),
            ]
            for way in shd
        ]
        header = ["score", *(f"{size:,} rows" for size in sizes)]
        yield Table(
            f"{title.capitalize()}, mean of {truths}: SHD (precision, recall)", header, rows
        )


def draw(records: list[Record], path: Path) -> None:
    """Draw each measure against the rows, a column for each kind of truth."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    with plt.rc_context(PLAIN):
        size = (8.2, 6.2)
        figure, grid = plt.subplots(3, 3, figsize=size, layout="constrained", sharex=True)
        legend: dict[str, Any] = {}
        for column, kind in enumerate(TITLES):
            for row, (measure, word) in enumerate(MEASURES.items()):
                axes = grid[row][column]
                for way, cells in means(records, kind, measure).items():
                    sizes = sorted(cells)
                    dashes = "--" if way.startswith("cut") else "-"
                    line = [cells[size] for size in sizes]
                    (drawn,) = axes.plot(
                        sizes, line, f"o{dashes}", color=COLORS[way], markersize=3, linewidth=1.3
                    )
                    legend.setdefault(_key(way), drawn)
                axes.set_xscale("log")
                axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
                axes.minorticks_off()
                axes.set_ylim(bottom=0)
                if measure != "shd":
                    axes.set_ylim(0, 1.03)
                axes.spines[["top", "right"]].set_visible(False)
                if row == 0:
                    axes.set_title(TITLES[kind])
                if column == 0:
                    axes.set_ylabel(word)
                if row == 2:
                    axes.set_xlabel("rows")
        figure.legend(
            legend.values(), legend.keys(), loc="outside lower center", ncols=3, frameon=False
        )
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
        plt.close(figure)


def _key(way: str) -> str:
    """Return a way in the key; those of one color are the same score on numbers, or near."""
    shared = {
        "gaussian_bic": "gaussian_bic, basis_bic(degree=1)",
        "basis_bic(degree=1)": "gaussian_bic, basis_bic(degree=1)",
        "bge": "bge",
    }
    return shared.get(way, way)
