"""How often what is said of edges is true, on samples of networks that are known.

python reproduce/words.py [--tables 10] [--networks asia ...] [--store FILE] [--minutes M]
                          [--keep FILE] [--edges edges.csv] [--assets]

Tables of 100 to 5,000 rows are drawn from each network, and learned from as `learn` does by
default, with 12 resampled tables and at most three parents, as many as its probabilities are about
where columns are many. An edge is true where the network joins the two. One table of each network
and size is drawn (five of a network with few variables), small ones first, then a second of each.
What is done stays in the file of --store; with --minutes no table is begun after as many minutes of
the processor.

First, how many of the edges of each word are true; then why words were lower than numbers; then
how well the numbers are calibrated: the posterior of the table itself, that of resampled tables,
and the mean of both, which `learn` calls probability. docs/explain/trust.md is made of that by
reproduce/pages.py; --assets writes what the report page shows of it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
from _calibration_page import calibrated, reliability
from _calibration_tally import Said, Tally, drawn_levels, measures, tally
from _calibration_truths import truth_of
from _kept import Kept, Record
from _results import ROOT
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape.claims.verdicts import LOWERINGS, word_of

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm", "hailfinder", "random-10", "random-20")
ROWS, RESAMPLES, SECONDS = (100, 250, 1000, 5000), 12, 600.0
PARENTS = 3
"""At most; of so many are the networks that probabilities are over by default."""
WORDS = ("near certain", "likely")
MANY = 30
"""Edges of which a share says something."""
MEAN = "mean of both"
WAYS = {"the table itself": "plain", "resampled tables": "resampled", MEAN: ""}
"""What is said of an edge, and which part of the posterior says so."""
TIMES = {"asia": 5, "sachs": 5, "random-10": 5}
"""How many tables are drawn of networks with few variables where one is of the others."""
FIRST = 1000
ASSET = ROOT / "src/dagscape/report/assets/reliability.json"


def main() -> None:
    """Tell how much of what was said is true."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--networks", nargs="+", default=NETWORKS, choices=NETWORKS)
    parser.add_argument("--store", type=Path, help="a file for what is done")
    parser.add_argument("--minutes", type=float, help="of the processor; no limit unless given")
    parser.add_argument("--edges", type=Path, help="a file for all edges")
    parser.add_argument("--assets", action="store_true", help="write what the report page shows")
    add_output_options(parser)
    options = parser.parse_args()
    until = None if options.minutes is None else 60 * options.minutes
    records = [*said(options.networks, options.tables, Kept(options.store), until)]
    found = {way: summed(records, way) for way in WAYS}
    content = {
        kind: {way: measures(tallies[kind])["levels"] for way, tallies in found.items()}
        for kind in ("presence", "direction")
    }
    tables = [words(records), lowered(records), calibrated(found, pairs_of(records))]
    put_out(console(), options, tables, content, drawn=True)
    if options.edges is not None:
        edges(records).write_csv(options.edges)
    if options.assets:
        lines = [each | {"said": each["ways"][MEAN]} for each in records if MEAN in each["ways"]]
        score = str(ds.default_score(ds.load_network("asia").sample(100)))
        told = reliability(lines, RESAMPLES, score)
        ASSET.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def said(
    networks: Iterable[str], tables: int, kept: Kept, until: float | None = None
) -> Iterator[Record]:
    """Yield what is said of the tables, one of each network and size after the other."""
    for turn, rows, network in product(range(tables), ROWS, networks):
        times = TIMES.get(network, 1)
        for seed in range(turn * times, (turn + 1) * times):
            if until is not None and time.process_time() > until:
                return
            asked = {"network": network, "rows": rows, "seed": seed}
            asked |= {"resamples": RESAMPLES, "max_parents": PARENTS}
            yield asked | kept.get(asked, partial(said_of, network, rows, seed))


def said_of(network: str, rows: int, seed: int) -> Record:
    """Return what is said of the edges of one sample, and what of that is true."""
    begun = time.process_time()
    truth = truth_of(network, FIRST + seed)
    joined = {frozenset(arc) for arc in truth.dag.arcs}
    data = truth.sample(rows, seed=FIRST + seed)
    learned = ds.learn(
        data,
        runs=0,
        resamples=RESAMPLES,
        max_parents=PARENTS,
        time_limit=SECONDS,
        threads=1,
        seed=0,
    )
    shown = [
        [edge.verdict, word_of(edge.share or 0.0), edge.reason, {edge.a, edge.b} in joined]
        for edge in learned.edges
        if word_of(edge.share or 0.0) in WORDS
    ]
    whole = learned.posterior
    parts = {way: getattr(whole, part) if part else whole for way, part in WAYS.items()}
    return {
        "variables": len(truth.names),
        "edges": shown,
        "ways": {
            way: {kind: each.cells for kind, each in tally(_pairs(part), truth.dag).items()}
            for way, part in parts.items()
            if part is not None
        },
        "cpu": round(time.process_time() - begun, 1),
    }


def _pairs(posterior: ds.Posterior) -> Said:
    """Return how probable each pair is joined, and the first → second given that."""
    found = posterior.features("adjacencies", frame="dict")
    rows = zip(found["from"], found["to"], found["probability"], found["direction"], strict=True)
    return {(a, b): (p, 0.5 if way is None else way) for a, b, p, way in rows}


def edges(records: Sequence[Record]) -> pl.DataFrame:
    """Return all edges that reach 0.7, with the word that they have."""
    names = ("network", "rows", "seed", "verdict", "number", "reason", "true")
    rows = [
        (each["network"], each["rows"], each["seed"], *edge)
        for each in records
        for edge in each["edges"]
    ]
    return pl.DataFrame(rows, schema=names, orient="row")


def words(records: Sequence[Record]) -> Table:
    """Return how many edges of each word are true, by network and rows."""
    groups: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for each in records:
        groups[each["network"].upper(), f"{each['rows']:,}"].append(each)
        groups[each["network"].upper(), "all"].append(each)
        groups["all", "all"].append(each)
    order = {name.upper(): at for at, name in enumerate(NETWORKS)}
    lines = [
        [name, rows, str(len(own)), *_shares(own)]
        for (name, rows), own in sorted(
            groups.items(),
            key=lambda group: (
                order.get(group[0][0], len(order)),
                group[0][1] == "all",
                group[1][0]["rows"],
            ),
        )
    ]
    head = ["network", "rows", "tables", *(f"{word}, true" for word in WORDS)]
    return Table("Edges of each word that are true", head, lines)


def _shares(records: Sequence[Record]) -> Iterator[str]:
    for word in WORDS:
        right = [edge[-1] for each in records for edge in each["edges"] if edge[0] == word]
        share = f" ({sum(right) / len(right):.3f})" if len(right) >= MANY else ""
        yield f"{sum(right):,} of {len(right):,}{share}"


def lowered(records: Sequence[Record]) -> Table:
    """Return why edges that reach 0.7 are called less."""
    counts: Counter[tuple[str, bool]] = Counter()
    for each in records:
        counts.update((reason, true) for _, _, reason, true in each["edges"])
    lines = [
        [
            f"called less by {reason}" if reason else "keep their word",
            *(f"{counts[reason, true]:,}" for true in (True, False)),
        ]
        for reason in ("", *LOWERINGS)
        if not reason or counts[reason, True] or counts[reason, False]
    ]
    return Table("Edges that reach 0.7", ["", "true", "false"], lines)


def summed(records: Sequence[Record], way: str) -> dict[str, Tally]:
    """Return what was said in one way, over all tables that say it."""
    own = [each["ways"][way] for each in records if way in each["ways"]]
    return {kind: Tally.summed(each[kind] for each in own) for kind in ("presence", "direction")}


def pairs_of(records: Sequence[Record]) -> dict[str, int]:
    """Return how many pairs of variables all tables have in which each way says something."""
    many: Counter[str] = Counter()
    for each in records:
        n = each["variables"]
        many.update(dict.fromkeys(each["ways"], n * (n - 1) // 2))
    return many


def drawn(content: Any, folder: Path) -> None:
    """Draw how much of what was said is true."""
    for kind in ("presence", "direction"):
        (folder / f"trust-{kind}.svg").write_text(drawn_levels(content[kind], kind), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
