"""What the features paper prints, beside what was found."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import mean
from typing import Any, NamedTuple

from _tables import Table

Record = dict[str, Any]
KINDS = ("edges", "paths", "blankets")


class Point(NamedTuple):
    """A threshold, and the features above and below it."""

    t: float
    tp: float
    fp: float
    fn: float

    @property
    def wrong(self) -> float:
        """What the paper's choice of the threshold minimizes."""
        return self.fp + self.fn

    def shown(self) -> str:
        """Return "t: FP + FN", the form of the paper's sentences."""
        return f"{self.t:g}: {self.fp:.3g} + {self.fn:.3g}"


PAPER_LEAST = {
    ("alarm", "edges"): Point(0.45, 45, 1, 1),
    ("alarm", "paths"): Point(0.6, 186, 1, 10),
    ("alarm", "blankets"): Point(0.7, 62, 0, 3),
    ("all", "edges"): Point(0.55, 99, 21, 34),
    ("all", "paths"): Point(0.8, 610, 27, 126),
    ("all", "blankets"): Point(0.8, 173, 10, 33),
    ("aml", "edges"): Point(0.4, 54, 12, 6),
    ("aml", "paths"): Point(0.6, 120, 24, 50),
    ("aml", "blankets"): Point(0.5, 79, 4, 4),
}
PAPER_GRAPHS = {
    "alarm": [Point(0.45, 45, 1, 1), Point(0.95, 29, 0, 17)],  # Figure 2
    "aml": [Point(0.75, 29, 2, 31), Point(0.95, 12, 0, 48)],  # Figure 5
}
PAPER_BEST = {  # Table 1: edges, paths, blankets of the best model, by percent of the rows
    "all": {
        1: (46, 0, 46),
        2: (46, 19, 47),
        5: (53, 194, 60),
        10: (84, 538, 113),
        25: (91, 519, 123),
        50: (102, 600, 145),
        100: (133, 736, 206),
    },
    "aml": {
        1: (23, 0, 23),
        2: (24, 0, 24),
        5: (19, 0, 20),
        10: (35, 105, 43),
        25: (47, 186, 59),
        50: (38, 151, 49),
        100: (60, 170, 83),
    },
}


def stands_for(name: str) -> str:
    """Return the paper's name of a set: alarm, all or aml."""
    return name.partition("-")[0]


def curve(samples: Iterable[Record], kind: str) -> list[Point]:
    """Return the trade-off at each threshold, its mean over the samples of a size."""
    by_sample = [[Point(*row) for row in sample["tradeoff"][kind]] for sample in samples]
    return [
        Point(
            points[0].t,
            mean(p.tp for p in points),
            mean(p.fp for p in points),
            mean(p.fn for p in points),
        )
        for points in zip(*by_sample, strict=True)
    ]


def least(points: Iterable[Point]) -> Point:
    """Return the point with the least FP + FN; of several, the highest threshold."""
    return min(points, key=lambda point: (point.wrong, -point.t))


def tables(records: list[Record]) -> list[Table]:
    """Return all tables that there are data for; of several k the first has all of them."""
    by_k = _by_k(records)
    records = [record for record in records if record["k"] == records[0]["k"]]
    whole = [record for record in records if "whole" in record]
    real = [record for record in records if stands_for(record["set"]) in PAPER_BEST]
    studies = [record for record in records if "study" in record]
    made = [_least(whole), _sizes(records), _optima(records), _best(real), _graphs(whole)]
    made += [_study(record) for record in studies]
    made += by_k
    return [table for table in made if table.rows]


def _least(records: list[Record]) -> Table:
    rows = []
    for record in records:
        for kind in KINDS:
            points = curve(record["sizes"][-1]["samples"], kind)
            ours, paper = least(points), PAPER_LEAST[stands_for(record["set"]), kind]
            there = min(points, key=lambda point: abs(point.t - paper.t))
            total = ours.tp + ours.fn
            rows.append([record["set"], kind, f"{total:g}", *_cells(ours), there.shown()])
            rows[-1] += [f"{paper.tp + paper.fn:g}", *_cells(paper)]
    header = ["set", "kind", "all", "t", "TP", "FP", "FN", "at paper's t: FP + FN"]
    header += ["paper: all", "t", "TP", "FP", "FN"]
    return Table("The threshold with the least FP + FN, all rows", header, rows)


def _by_k(records: list[Record]) -> list[Table]:
    """Compare what other k give, by kind: the least FP + FN, and how many distinct optima."""
    shares = sorted({record["k"] for record in records})
    if len(shares) < 2:
        return []
    found: dict[tuple[str, int], dict[float, list[Record]]] = {}
    for record in records:
        for size in record["sizes"]:
            cell = found.setdefault((record["set"], size["percent"]), {})
            cell[record["k"]] = size["samples"]
    made = []
    for kind in (*KINDS, "distinct optima"):
        rows = []
        for (name, percent), by_share in found.items():
            row = [name, f"{percent} %"]
            for k in shares:
                samples = by_share.get(k)
                if not samples:
                    row.append("")
                elif kind in KINDS:
                    row.append(least(curve(samples, kind)).shown())
                else:
                    row.append(f"{mean(sample['distinct'] for sample in samples):.4g}")
            rows.append(row)
        what = kind if kind not in KINDS else f"the least FP + FN of {kind} (t: FP + FN)"
        title = f"Other k, mean of samples: {what}"
        made.append(Table(title, ["set", "rows", *(f"k = {k:g}" for k in shares)], rows))
    return made


def _cells(point: Point) -> list[str]:
    return [f"{value:g}" for value in point]


def _sizes(records: list[Record]) -> Table:
    """Make Figures 1 and 3 in numbers."""
    rows = []
    for record in records:
        for size in record["sizes"]:
            samples = size["samples"]
            row = [record["set"], f"{size['percent']} %"]
            for kind in KINDS:
                point = least(curve(samples, kind))
                row += [f"{point.tp + point.fn:.4g}", point.shown()]
            rows.append(row)
    header = ["set", "rows"]
    for kind in KINDS:
        header += [kind, "t: FP + FN"]
    title = "Features of the truth or of the best model, and the least FP + FN, mean of samples"
    return Table(title, header, rows)


def _optima(records: list[Record]) -> Table:
    """Make Figure 4 in numbers."""
    sizes = sorted({size["percent"] for record in records for size in record["sizes"]})
    rows = []
    for record in records:
        found = {
            size["percent"]: f"{mean(sample['distinct'] for sample in size['samples']):.4g}"
            for size in record["sizes"]
        }
        rows.append([record["set"], *(found.get(percent, "") for percent in sizes)])
    return Table(
        "Distinct optima by share of the rows, mean of samples",
        ["set", *(f"{percent} %" for percent in sizes)],
        rows,
    )


def _best(records: list[Record]) -> Table:
    """Make the paper's Table 1."""
    rows = []
    for record in records:
        printed = PAPER_BEST[stands_for(record["set"])]
        for size in record["sizes"]:
            row = [record["set"], f"{size['percent']} %"]
            for kind, paper in zip(KINDS, printed[size["percent"]], strict=True):
                own = mean(sample["in_best"][kind] for sample in size["samples"])
                row += [f"{own:.4g}", str(paper)]
            rows.append(row)
    header = ["set", "rows"]
    for kind in KINDS:
        header += [kind, "paper"]
    return Table("Table 1: features of the best model, mean of samples", header, rows)


def _graphs(records: list[Record]) -> Table:
    """Make Figures 2 and 5 in numbers."""
    rows = []
    for record in records:
        edges = record["whole"]["edges"]
        for paper in PAPER_GRAPHS.get(stands_for(record["set"]), []):
            tp, fp, fn = split(edges, paper.t)
            row = [record["set"], f"{paper.t:g}", *(str(len(some)) for some in (tp, fp, fn))]
            row += [f"{value:g}" for value in paper[1:]]
            rows.append(row)
    header = ["set", "t", "TP", "FP", "FN", "paper: TP", "FP", "FN"]
    return Table("Figures 2 and 5: edges at the paper's thresholds", header, rows)


def split(edges: list[list[Any]], t: float) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the edges that are true positives, false positives and false negatives at t."""
    above = [edge for edge in edges if edge[3] >= t - 1e-9]
    below = [edge for edge in edges if edge[3] < t - 1e-9]
    tp = [edge for edge in above if edge[4]]
    return tp, [edge for edge in above if not edge[4]], [edge for edge in below if edge[4]]


def _study(record: Record) -> Table:
    rows = []
    for line in record["study"]:
        gap = (line["best"] - line["truth"]) / math.log(10)
        row = [f"{line['k']:g}", f"{line['runs']:,}", line["weights"], f"{line['distinct']:,}"]
        row.append(f"{gap:+.0f}")
        row += [Point(*line["least"][kind]).shown() for kind in KINDS]
        rows.append(row)
    header = ["k", "runs", "weights", "distinct", "best − truth, log 10", *KINDS]
    return Table(f"{record['set']}, all rows: other settings (t: FP + FN)", header, rows)
