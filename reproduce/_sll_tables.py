"""Figures 2 to 6 of the paper on local learning in numbers, and what is said of them counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import mean, stdev
from typing import Any, NamedTuple

from _sll_data import FILED, NETWORKS
from _tables import Table

LOCAL = ("SLL", "HITON")
WHOLE = ("GS", "GES", "MMHC", "SLL+C", "SLL+C strict", "SLL+G")
TABLE_1 = {
    "Alarm1": (37, "4 / 5", "2-4"),
    "Alarm3": (111, "4 / 5", "2-4"),
    "Alarm5": (185, "4 / 6", "2-4"),
    "Barley": (48, "4 / 5", "2-67"),
    "Child": (20, "2 / 7", "2-6"),
    "Child3": (60, "3 / 7", "2-6"),
    "Child5": (100, "2 / 7", "2-6"),
    "Child10": (200, "2 / 7", "2-6"),
    "HailFinder": (56, "4 / 16", "2-11"),
    "Insurance": (27, "3 / 7", "2-5"),
    "Insurance3": (81, "4 / 7", "2-5"),
    "Insurance5": (135, "5 / 8", "2-5"),
}
"""Variables, largest in- and out-degree, and numbers of states as printed."""

Record = dict[str, Any]


class Graph(NamedTuple):
    """A line of Table 1."""

    network: str
    variables: int
    most_in: int
    most_out: int
    fewest_states: int
    most_states: int


class Measure(NamedTuple):
    """What a figure shows; less is better in all of them."""

    figure: int
    key: str
    title: str
    methods: tuple[str, ...]
    digits: int


MEASURES = (
    Measure(2, "neighbors", "SLHD of neighbors", LOCAL, 1),
    Measure(3, "blankets", "SLHD of Markov blankets", LOCAL, 1),
    Measure(4, "score", "Normalized BDeu", WHOLE, 4),
    Measure(5, "shd", "SHD", WHOLE, 1),
    Measure(6, "cpu_seconds", "CPU seconds", (*LOCAL, *WHOLE), 3),
)

CLAIMS = (
    ("neighbors", "SLL", "HITON"),
    ("blankets", "SLL", "HITON"),
    ("cpu_seconds", "SLL", "HITON"),
    ("score", "GS", "GES"),
    ("score", "SLL+G", "MMHC"),
    ("score", "SLL+C", "GS"),
    ("score", "SLL+C", "GES"),
    ("score", "SLL+C", "MMHC"),
    ("score", "SLL+C", "SLL+G"),
    ("score", "SLL+C", "SLL+C strict"),
    ("shd", "SLL+C", "SLL+C strict"),
    ("shd", "SLL+C", "GS"),
    ("shd", "SLL+C", "GES"),
    ("shd", "SLL+C", "MMHC"),
    ("shd", "SLL+C", "SLL+G"),
    ("shd", "SLL+G", "MMHC"),
    ("shd", "GS", "GES"),
    ("cpu_seconds", "SLL+G", "MMHC"),
    ("cpu_seconds", "SLL+G", "GS"),
    ("cpu_seconds", "SLL+G", "GES"),
)
"""Pairs that the paper's text compares."""


def cells(records: list[Record]) -> dict[tuple[str, int], list[Record]]:
    """Return the data sets of each network, as Table 1 has them, and number of rows."""
    found: dict[tuple[str, int], list[Record]] = {}
    for record in sorted(records, key=_place):
        found.setdefault((record["network"], record["rows"]), []).append(record)
    return found


def _place(record: Record) -> tuple[int, str, int]:
    return NETWORKS.index(record["sample_of"]), record["network"], record["rows"]


def average(some: list[Record], key: str, method: str) -> float:
    """Return the mean over data sets."""
    return float(mean(record[key][method] for record in some))


def spread(some: list[Record], key: str, method: str) -> float:
    """Return the standard deviation over data sets; 0 of a single one."""
    return float(stdev(record[key][method] for record in some)) if len(some) > 1 else 0.0


def tables(records: list[Record], known: list[Record], graphs: list[Graph]) -> Iterator[Table]:
    """Return Table 1, one for what is counted, for each figure, and for the rows of Alarm."""
    if graphs:
        yield _networks(graphs)
    if records:
        yield _claims(records)
        yield _ranks(records)
        for measure in MEASURES:
            yield _numbers(records, measure)
    if known:
        yield Table(
            "First 5,000 rows of bnlearn's Alarm",
            ["method", "neighbors", "blankets", "CPU seconds"],
            [
                [
                    line["method"],
                    str(line["neighbors"]),
                    str(line["blankets"]),
                    f"{line['cpu_seconds']:.2f}",
                ]
                for line in known
            ],
        )
    if records:
        yield _firsts(records)


def _networks(graphs: list[Graph]) -> Table:
    """Make the paper's Table 1."""
    rows = []
    for graph in graphs:
        variables, degrees, states = TABLE_1[graph.network]
        rows.append(
            [
                graph.network,
                f"{graph.variables} ({variables})",
                f"{graph.most_in} / {graph.most_out} ({degrees})",
                f"{graph.fewest_states}-{graph.most_states} ({states})",
            ]
        )
    header = ["network", "variables", "largest in / out-degree", "states"]
    return Table("Table 1: the networks (paper's in brackets)", header, rows)


def _judged(records: list[Record]) -> dict[tuple[str, int], list[Record]]:
    """Return the cells that count: not those whose graph does not belong to the data."""
    return {cell: some for cell, some in cells(records).items() if not cell[0].endswith(FILED)}


def _claims(records: list[Record]) -> Table:
    """Count the cells in which a method's mean is less, the same, or more than another's."""
    titles = {measure.key: measure.title for measure in MEASURES}
    judged = _judged(records)
    rows = []
    for key, one, other in CLAIMS:
        pairs = [
            (cell, average(some, key, one), average(some, key, other))
            for cell, some in judged.items()
        ]
        less = [cell for cell, mine, theirs in pairs if mine < theirs]
        more = [cell for cell, mine, theirs in pairs if mine > theirs]
        sizes = sorted({size for _, size in judged})
        by_size = ", ".join(str(sum(size == n for _, n in less)) for size in sizes)
        same = len(pairs) - len(less) - len(more)
        rows.append(
            [titles[key], one, other, f"{len(less)} ({by_size})", str(same), str(len(more))]
        )
    head = ["measure", "one", "other", "one is lower", "same", "other is lower"]
    return Table(f"Means compared in {len(judged)} cells; in brackets by rows", head, rows)


def _ranks(records: list[Record]) -> Table:
    """Rank the whole networks in each cell by their means, 1 the best; mean over cells."""
    judged = _judged(records)
    rows = []
    for measure in MEASURES:
        if measure.methods != WHOLE:
            continue
        for wanted in (None, *sorted({size for _, size in judged})):
            some = [c for (_, size), c in judged.items() if wanted in (None, size)]
            ranks = [_ranked([average(c, measure.key, m) for m in WHOLE]) for c in some]
            means = [f"{mean(column):.2f}" for column in zip(*ranks, strict=True)]
            rows.append([measure.title, f"{wanted:,}" if wanted else "all", *means])
    return Table("Mean rank of whole networks (1 is best)", ["measure", "rows", *WHOLE], rows)


def _firsts(records: list[Record]) -> Table:
    """Count the cells in which each whole network's mean is the lowest; ties count for all."""
    judged = _judged(records)
    sizes = sorted({size for _, size in judged})
    rows = []
    for measure in MEASURES:
        if measure.methods != WHOLE:
            continue
        row = [measure.title]
        for method in WHOLE:
            first = [
                size
                for (_, size), some in judged.items()
                if average(some, measure.key, method)
                == min(average(some, measure.key, m) for m in WHOLE)
            ]
            by_size = ", ".join(str(first.count(size)) for size in sizes)
            row.append(f"{len(first)} ({by_size})")
        rows.append(row)
    title = f"In how many of {len(judged)} cells each is the lowest; in brackets by rows"
    return Table(title, ["measure", *WHOLE], rows)


def _ranked(values: list[float]) -> list[float]:
    """Return ranks from 1; equal values share the mean of theirs."""
    return [
        sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values
    ]


def _numbers(records: list[Record], measure: Measure) -> Table:
    """Return means and standard deviations of a figure."""
    show = _shown(measure.digits)
    rows = []
    for (network, size), some in cells(records).items():
        if measure.key == "cpu_seconds" and network.endswith(FILED):
            continue  # the same runs
        words = [
            show(average(some, measure.key, m), spread(some, measure.key, m))
            for m in measure.methods
        ]
        rows.append([network, f"{size:,}", str(len(some)), *_nothing(some[0], measure), *words])
    extra = ["nothing found"] if measure.figure in (2, 3) else []
    head = ["network", "rows", "sets", *extra, *measure.methods]
    return Table(f"Figure {measure.figure}: {measure.title}", head, rows)


def _nothing(record: Record, measure: Measure) -> list[str]:
    """Return the distance of empty sets, which a method should be below."""
    pairs = {2: "arcs", 3: "blanket_pairs"}.get(measure.figure)
    return [str(2 * record[pairs])] if pairs else []


def _shown(digits: int) -> Callable[[float, float], str]:
    return lambda value, deviation: f"{value:.{digits}f} ± {deviation:.{digits}f}"
