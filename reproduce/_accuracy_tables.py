"""What the answers of the grid of accuracy say: sums, regrets, a choice on half of the truths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import mean
from typing import Any

import numpy as np
from _accuracy_truths import PUBLISHED, TRUTHS
from _accuracy_ways import AVERAGES, CLIMBS, OPTIMA, PUBLISHED_WAYS, WAYS
from _tables import Table

Record = dict[str, Any]
Cell = tuple[str, int, int]
"""A truth, a number of rows and a seed: one table, on which ways are compared."""

RESAMPLES = 2000
FIRST_SEED = 0
"""Of which all truths have optima; the others are for truths whose optima take seconds."""


def by_cell(records: Iterable[Record], ways: Iterable[str]) -> dict[Cell, dict[str, Record]]:
    """Return the answers by table; only tables that all these ways have an answer for."""
    wanted = {*ways}
    found: dict[Cell, dict[str, Record]] = defaultdict(dict)
    for record in records:
        if record["way"] in wanted and record["truth"] in TRUTHS and "shd" in record:
            found[record["truth"], record["rows"], record["seed"]][record["way"]] = record
    return {cell: answers for cell, answers in found.items() if answers.keys() == wanted}


def tables(records: list[Record]) -> list[Table]:
    """Return the tables that the file has answers for."""
    every = by_cell(records, OPTIMA)
    optima = {cell: answers for cell, answers in every.items() if cell[2] == FIRST_SEED}
    found = []
    if optima:
        found = [
            ranking(optima),
            per_size(optima),
            per_truth(optima, best_ways(optima, 6)),
            *choice(optima),
        ]
    repeated = with_seeds(every)
    if repeated:
        found += [ranking(repeated, what="Optima of several seeds"), per_size(repeated)]
    climbs = by_cell(records, CLIMBS)
    if climbs:
        found += [
            ranking(climbs, "climb: "),
            per_size(climbs, "climb: "),
            *choice(climbs),
        ]
    answered = [way for way in AVERAGES if any(r["way"] == way and "shd" in r for r in records)]
    if answered and optima:
        beside = [*best_ways(optima, 3), *answered]
        shared = by_cell(records, beside)
        if shared:
            found.append(averages(shared, beside))
    found += published(records)
    return [*found, cost(records)] if found else []


def with_seeds(cells: dict[Cell, dict[str, Record]]) -> dict[Cell, dict[str, Record]]:
    """Return the tables of truths and numbers of rows that several seeds have optima of."""
    seeds: dict[tuple[str, int], set[int]] = defaultdict(set)
    for truth, rows, seed in cells:
        seeds[truth, rows].add(seed)
    return {cell: answers for cell, answers in cells.items() if len(seeds[cell[:2]]) > 1}


def cost(records: Iterable[Record]) -> Table:
    """Return how long the answers took: CPU time of learning, without sampling and judging."""
    kinds = {"optima": OPTIMA, "averages": AVERAGES, "climbs": CLIMBS}
    rows = []
    for kind, ways in kinds.items():
        for design, inside in (("", TRUTHS), (", published design", PUBLISHED)):
            mine = [r for r in records if r["way"] in ways and r["truth"] in inside]
            hours = sum(r.get("seconds", 0.0) for r in mine) / 3600
            if mine:
                rows.append([f"{kind}{design}", f"{len(mine):,}", f"{hours:.1f}"])
    return Table("What the answers took", ["answers", "number", "CPU hours"], rows)


def total(cells: dict[Cell, dict[str, Record]], way: str, measure: str = "shd") -> float:
    """Return a measure, summed over tables."""
    return float(sum(answers[way][measure] for answers in cells.values()))


def best_ways(cells: dict[Cell, dict[str, Record]], count: int) -> list[str]:
    """Return the ways with the least sums of distances."""
    return sorted(next(iter(cells.values())), key=lambda way: total(cells, way))[:count]


def ranking(cells: dict[Cell, dict[str, Record]], kind: str = "", what: str = "") -> Table:
    """Return all ways, the nearest to the truth first."""
    least = sum(min(a["shd"] for a in answers.values()) for answers in cells.values())
    rows = []
    for way in best_ways(cells, len(WAYS)):
        mine = [answers[way] for answers in cells.values()]
        right, false = (sum(a[key] for a in mine) for key in ("right", "false"))
        edges = sum(a["edges"] for a in mine)
        arrows, true, hit = (
            sum(a[key] for a in mine) for key in ("arrows", "true_arrows", "right_arrows")
        )
        rows.append(
            [
                way,
                f"{total(cells, way):,.0f}",
                f"{total(cells, way) / max(1, least):.2f}",
                f"{_regret(cells, way):.3f}",
                f"{right / edges:.2f} / {false / edges:.2f}",
                f"{hit / max(1, arrows):.2f} / {hit / max(1, true):.2f}",
                f"{total(cells, way, 'paths'):,.0f}",
                f"{total(cells, way, 'blankets'):,.0f}",
                _heldout(cells, way, f"{kind}bic, uniform"),
                f"{mean(a['proven'] for a in mine):.0%}",
            ]
        )
    header = [
        "score, prior",
        "SHD",
        "/ best",
        "regret",
        "edges true / false",
        "arrows prec. / rec.",
        "paths wrong",
        "blankets wrong",
        "held out",
        "proven",
    ]
    what = what or ("Climbs" if kind else "Optima")
    title = f"{what} on {len(cells)} tables; the best of each in sum {least:,}"
    return Table(title, header, rows)


def _regret(cells: dict[Cell, dict[str, Record]], way: str) -> float:
    """Return how many errors more than the best way, for each edge of the truth; the mean."""
    return mean(
        (answers[way]["shd"] - min(a["shd"] for a in answers.values())) / answers[way]["edges"]
        for answers in cells.values()
    )


def _heldout(cells: dict[Cell, dict[str, Record]], way: str, bic: str) -> str:
    """Return the mean log-likelihood of fresh rows, less that under BIC's network."""
    pairs = [(answers[way]["heldout"], answers[bic]["heldout"]) for answers in cells.values()]
    known = [mine - its for mine, its in pairs if mine is not None and its is not None]
    lacking = f" ({len(pairs) - len(known)} too large)" if len(known) < len(pairs) else ""
    return f"{mean(known):+.3f}{lacking}" if known else "-"


def per_size(cells: dict[Cell, dict[str, Record]], kind: str = "") -> Table:
    """Return the sums of distances for each number of rows, of the best ways at one of them."""
    sizes = sorted({rows for _, rows, _ in cells})
    by_size = {
        size: {cell: answers for cell, answers in cells.items() if cell[1] == size}
        for size in sizes
    }
    ways = list(dict.fromkeys(way for size in sizes for way in best_ways(by_size[size], 5)))
    ways.sort(key=lambda way: total(cells, way))
    rows = [
        [way, *(f"{total(some, way):,.0f}" for some in by_size.values())]
        for way in dict.fromkeys([*ways, f"{kind}bic, uniform"])
    ]
    rows.append(["the best of each table", *(f"{_least(some):,.0f}" for some in by_size.values())])
    return Table("SHD by rows", ["score, prior", *(f"{size:,} rows" for size in sizes)], rows)


def per_truth(cells: dict[Cell, dict[str, Record]], ways: list[str]) -> Table:
    """Return the mean distance of each truth and number of rows."""
    places = sorted({cell[:2] for cell in cells}, key=lambda p: ([*TRUTHS].index(p[0]), p[1]))
    rows = []
    for truth, size in places:
        here = {cell: answers for cell, answers in cells.items() if cell[:2] == (truth, size)}
        least = mean(min(a["shd"] for a in answers.values()) for answers in here.values())
        edges = mean(answers[ways[0]]["edges"] for answers in here.values())
        numbers = [f"{total(here, way) / len(here):.1f}" for way in ways]
        rows.append([f"{truth}, {size:,} rows", f"{edges:.0f}", *numbers, f"{least:.1f}"])
    return Table("Mean SHD", ["truth", "edges", *ways, "best of all"], rows)


def choice(cells: dict[Cell, dict[str, Record]]) -> list[Table]:
    """Return the way that is best on one half of the truths, and how it does on the other."""
    halves = {
        half: {cell: a for cell, a in cells.items() if TRUTHS[cell[0]].half == half}
        for half in ("choose", "show")
    }
    if not all(halves.values()):
        return []
    rows = []
    chosen = best_ways(halves["choose"], 1)[0]
    for way in best_ways(halves["choose"], 6):
        shown = halves["show"]
        difference, low, high = _paired(shown, way, chosen)
        rows.append(
            [
                way,
                f"{total(halves['choose'], way):,.0f}",
                f"{total(shown, way):,.0f}",
                f"{total(shown, way) / max(1.0, _least(shown)):.2f}",
                f"{difference:+.2f} [{low:+.2f}, {high:+.2f}]",
            ]
        )
    header = ["score, prior", "SHD, choosing", "SHD, showing", "/ best", f"less {chosen}, a table"]
    return [Table("Chosen on half of the truths, shown on the other", header, rows)]


def _least(cells: dict[Cell, dict[str, Record]]) -> float:
    return float(sum(min(a["shd"] for a in answers.values()) for answers in cells.values()))


def _paired(
    cells: dict[Cell, dict[str, Record]], way: str, other: str
) -> tuple[float, float, float]:
    """Return the mean difference of two ways on the same tables, and 95 % of its bootstrap.

    Truths are resampled, with all their tables: tables of one truth are alike.
    """
    by_truth: dict[str, list[float]] = defaultdict(list)
    for (truth, _, _), answers in cells.items():
        by_truth[truth].append(answers[way]["shd"] - answers[other]["shd"])
    sums = np.array([sum(values) for values in by_truth.values()])
    sizes = np.array([len(values) for values in by_truth.values()])
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(sums), size=(RESAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(sums.sum() / sizes.sum()), float(low), float(high)


def averages(cells: dict[Cell, dict[str, Record]], ways: list[str]) -> Table:
    """Return averages over networks beside the best optima, on the tables that all can do."""
    rows = []
    for way in sorted(ways, key=lambda way: total(cells, way)):
        right, false, edges = (total(cells, way, key) for key in ("right", "false", "edges"))
        turned = total(cells, way, "turned")
        rows.append(
            [
                way,
                f"{total(cells, way):,.0f}",
                f"{right / edges:.2f} / {false / edges:.2f}",
                f"{(right - turned / 2) / edges:.2f} / {(false + turned / 2) / edges:.2f}",
                f"{total(cells, way, 'paths'):,.0f}",
            ]
        )
    header = ["way", "SHD", "edges true / false", "turned counted half", "paths wrong"]
    return Table(f"Averages beside optima, on {len(cells)} tables", header, rows)


def published(records: list[Record]) -> list[Table]:
    """Return how ways do on the design of a published benchmark: a table for each graph."""
    found = []
    for truth in PUBLISHED:
        by_seed: dict[int, dict[str, Record]] = defaultdict(dict)
        for record in records:
            if record["truth"] == truth and "shd" in record:
                by_seed[record["seed"]][record["way"]] = record
        whole = [answers for answers in by_seed.values() if answers.keys() >= {*PUBLISHED_WAYS}]
        if whole:
            ways = sorted(PUBLISHED_WAYS, key=lambda way: -np.mean(_gains(whole, way)))
            header = ["way", "edges true / false", "turned counted half", "true less false", "±"]
            title = f"{truth}, {len(whole)} tables; shares of the number of true edges"
            found.append(Table(title, header, [_published_row(whole, way) for way in ways]))
    return found


def _published_row(tables: list[dict[str, Record]], way: str) -> list[str]:
    """Return the means of a way over tables, and the standard error of the difference."""
    share = {
        key: mean(answers[way][key] / answers[way]["edges"] for answers in tables)
        for key in ("right", "false", "turned")
    }
    gains = _gains(tables, way)
    error = float(np.std(gains, ddof=1)) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
    half = share["turned"] / 2
    return [
        way,
        f"{share['right']:.2f} / {share['false']:.2f}",
        f"{share['right'] - half:.2f} / {share['false'] + half:.2f}",
        f"{mean(gains):.3f}",
        f"{error:.3f}",
    ]


def _gains(tables: list[dict[str, Record]], way: str) -> list[float]:
    """Return true less false edges of the skeleton, over the true ones, table by table."""
    return [(a[way]["right"] - a[way]["false"]) / a[way]["edges"] for a in tables]
