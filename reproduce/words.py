"""How often edges that are called near certain or likely are true, on samples of known networks.

python reproduce/words.py [--tables 10] [--networks asia ...] [--edges edges.csv]

Tables of 100 to 5,000 rows are drawn from each network, and learned from as `learn` does by
default, with 12 resampled tables. An edge is true where the network joins the two. The last table
says why words were lower than numbers. docs/explain/trust.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl

import dagscape as ds
from dagscape.claims.verdicts import LOWERINGS, word_of

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm", "hailfinder")
ROWS, RESAMPLES, SECONDS = (100, 250, 1000, 5000), 12, 60.0
WORDS = ("near certain", "likely")
MANY = 30
"""Edges of which a share says something."""


def main() -> None:
    """Tell how many edges of each word are true."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--networks", nargs="+", default=NETWORKS, choices=NETWORKS)
    parser.add_argument("--edges", type=Path, help="a file for all edges")
    options = parser.parse_args()
    kept: list[pl.DataFrame] = []
    for line in told(options.networks, options.tables, kept):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    if options.edges is not None:
        pl.concat(kept).write_csv(options.edges)


def told(networks: Iterable[str], tables: int, kept: list[pl.DataFrame]) -> Iterator[str]:
    """Yield the tables; keep all edges."""
    yield f"| network | rows | {' | '.join(f'{word}, true' for word in WORDS)} |"
    yield f"| --- | --: |{' --: |' * len(WORDS)}"
    lowered: Counter[tuple[str, str]] = Counter()
    for network in networks:
        for rows in ROWS:
            found = pl.concat([edges(network, rows, seed) for seed in range(tables)])
            kept.append(found)
            yield f"| {network.upper()} | {rows:,} | {' | '.join(_shares(found))} |"
            for true, number, reason in found.select("true", "number", "reason").iter_rows():
                if number in WORDS:
                    lowered["true" if true else "false", reason] += 1
    yield ""
    yield "| edges that reach 0.7 | true | false |"
    yield "| --- | --: | --: |"
    for reason, words in {"": "keep their word", **dict.fromkeys(LOWERINGS, "")}.items():
        what = words or f"called less by {reason}"
        yield f"| {what} | {lowered['true', reason]:,} | {lowered['false', reason]:,} |"


def _shares(found: pl.DataFrame) -> Iterator[str]:
    true: dict[str, list[bool]] = defaultdict(list)
    for verdict, right in found.select("verdict", "true").iter_rows():
        true[verdict].append(right)
    for word in WORDS:
        right = true[word]
        share = f" ({sum(right) / len(right):.3f})" if len(right) >= MANY else ""
        yield f"{sum(right)} of {len(right)}{share}"


def edges(network: str, rows: int, seed: int) -> pl.DataFrame:
    """Return what is said of the edges of one sample."""
    truth = ds.load_network(network)
    joined = {frozenset(arc) for arc in truth.dag.arcs}
    data = truth.sample(rows, seed=1000 + seed)
    learned = ds.learn(data, runs=0, resamples=RESAMPLES, time_limit=SECONDS, seed=0)
    found = learned.features()
    pairs = zip(found["from"], found["to"], strict=True)
    shares = [edge.share or 0.0 for edge in learned.edges]
    return found.with_columns(
        pl.Series("true", [frozenset(pair) in joined for pair in pairs], dtype=pl.Boolean),
        pl.Series("number", [word_of(share) for share in shares], dtype=pl.String),
        network=pl.lit(network),
        rows=pl.lit(rows),
        sample=pl.lit(seed),
    )


if __name__ == "__main__":
    main()
