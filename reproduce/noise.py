"""How often an edge is called likely where there is none, and what the guard costs where there are.

python reproduce/noise.py [--tables 100] [--store FILE] [--minutes M] [--keep FILE]
python reproduce/noise.py [--tables 100] --families
python reproduce/noise.py --networks
python reproduce/noise.py --figure docs/explain/noise.svg

Tables of many kinds without relations (_noise_families.py): in how many an edge that is not there
has a number of 0.7 or more, and in how many it is called likely or near certain. One table of each
kind is drawn, then a second of each, and so on; what is done stays in the file of --store, and with
--minutes no table is begun after as many minutes of the processor. With --families: in how many of
them the best network has such an arc, by score. With --networks: samples of known networks with 100
to 5,000 rows, and how many edges are called less since shuffled rows may relate two columns as
strongly, true and false ones. docs/explain/trust.md and scores.md have the figures; --figure draws
the table of scores.md, which takes long to make.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from _kept import Kept, Record
from _noise_families import FAMILIES, Family
from _sizes import likely_size
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape.learning import TRUST_LEVELS
from dagscape.scores import as_score

ROWS, SEED = (100, 300, 1000, 5000), 5
RESAMPLES, SECONDS = 12, 120.0
LIKELY = TRUST_LEVELS["likely"]
PROVEN, MOST_PARENTS = 12, 3
PAGE = Path(__file__).resolve().parent.parent / "docs/explain/scores.md"
SCORES: dict[str, Callable[[ds.Data], ds.Score]] = {
    "default": ds.default_score,
    "fitted": lambda _: ds.FittedDirichlet(),
    "BDeu by rule": lambda data: ds.BDeu(likely_size(data)),
    "BDeu 1": lambda _: ds.BDeu(1),
    "BDeu 10": lambda _: ds.BDeu(10),
    "qNML": lambda _: ds.QNML(),
    "BIC": lambda _: ds.BIC(),
}
"""Scores to compare; all but the default with the prior below."""
PRIOR = ds.EdgePrior(neighbors=2)


def main() -> None:
    """Tell what is said of tables of noise, or which words change on known networks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--store", type=Path, help="a file for what is done")
    parser.add_argument("--minutes", type=float, help="of the processor; no limit unless given")
    parser.add_argument("--networks", action="store_true")
    parser.add_argument("--families", action="store_true")
    parser.add_argument("--figure", type=Path, help="draw the table of docs/explain/scores.md")
    add_output_options(parser)
    options = parser.parse_args()
    if options.figure is not None:
        from _noise_figure import draw  # needs matplotlib

        draw(PAGE.read_text("utf-8"), options.figure)
    elif options.networks or options.families:
        for line in known_networks() if options.networks else families(options.tables):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    else:
        kept = Kept(options.store)
        until = None if options.minutes is None else 60 * options.minutes
        records = [*words(options.tables, kept, until)]
        put_out(console(), options, [words_of(records)], records)


def words(tables: int, kept: Kept, until: float | None = None) -> Iterator[Record]:
    """Yield what is said of the tables, one of each family after the other."""
    for seed in range(tables):
        for name, family in FAMILIES.items():
            if until is not None and time.process_time() > until:
                return
            if seed % family.every:
                continue
            asked = {"family": name, "seed": seed, "resamples": RESAMPLES}
            yield asked | kept.get(asked, lambda at=(family, seed): said_of(*at))


def said_of(family: Family, seed: int) -> Record:
    """Return whether an edge that is not there reaches 0.7 in one table, and is called so."""
    begun = time.process_time()
    data = ds.Data(family.draw(np.random.default_rng(seed)), missing="keep")
    learned = ds.learn(data, runs=0, resamples=RESAMPLES, time_limit=SECONDS, threads=1, seed=0)
    false = [edge for edge in learned.edges if frozenset((edge.a, edge.b)) not in family.related]
    return {
        "number": any((edge.share or 0.0) >= LIKELY for edge in false),
        "word": any(edge.verdict in ("likely", "near certain") for edge in false),
        "cpu": round(time.process_time() - begun, 2),
    }


def words_of(records: list[Record]) -> Table:
    """Return in how many tables of each family an edge is called likely where there is none."""
    rows, others = [], []
    for name in FAMILIES:
        own = [record for record in records if record["family"] == name]
        if any(record["number"] for record in own) or FAMILIES[name].every > 1:
            rows.append([name, *_counts(own)])
        else:
            others += own
    kinds = len({record["family"] for record in others})
    rows.append([f"{kinds} other kinds", *_counts(others)])
    rows.append(["all", *_counts(records)])
    head = ["tables of", "tables", "0.7 and more by its number", "called likely or better"]
    return Table("Tables with an edge between columns that are not related", head, rows)


def _counts(records: list[Record]) -> list[str]:
    counts = (sum(record[what] for record in records) for what in ("number", "word"))
    return [f"{many:,}" for many in (len(records), *counts)]


def families(tables: int) -> Iterator[str]:
    """Yield in how many tables of each family the best network joins what is not related."""
    yield f"| {tables} tables of | {' | '.join(SCORES)} |"
    yield f"| --- |{' --: |' * len(SCORES)}"
    for name, family in FAMILIES.items():
        if family.kind == "gaps":  # which not every search takes
            continue
        scores = [*SCORES] if family.kind == "states" else ["default"]
        hit = Counter(
            way
            for seed in range(tables)
            for data in [ds.Data(family.draw(np.random.default_rng(seed)))]
            for way in scores
            if any(frozenset(arc) not in family.related for arc in best(data, way).arcs)
        )
        cells = [str(hit[way]) if way in scores else "" for way in SCORES]
        yield f"| {name} | {' | '.join(cells)} |"


def best(data: ds.Data, way: str) -> ds.Dag:
    """Return the best network by one of the scores, by proof if columns are few."""
    kind = SCORES[way](data) if way == "default" else as_score(SCORES[way](data), PRIOR)
    if data.n_variables <= PROVEN:
        return ds.exact(data, score=kind, max_parents=MOST_PARENTS).dag
    return ds.hill_climb(data, score=kind, max_parents=MOST_PARENTS, seed=0).dag


def known_networks() -> Iterator[str]:
    """Yield how many edges are called less since shuffled rows may relate as strongly."""
    total: Counter[str] = Counter()
    for name in ("asia", "child", "insurance", "alarm"):
        truth = ds.load_network(name)
        joined = {frozenset(arc) for arc in truth.dag.arcs}
        for rows in ROWS:
            data = truth.sample(rows, seed=SEED)
            learned = ds.learn(data, runs=0, resamples=RESAMPLES, time_limit=40)
            for edge in learned.edges:
                if (edge.share or 0.0) >= LIKELY:
                    kind = "true" if frozenset((edge.a, edge.b)) in joined else "false"
                    kept = edge.reason not in ("chance", "given")
                    total[f"{kind} edges {'kept their word' if kept else 'called less'}"] += 1
        yield f"up to {name}: {', '.join(f'{many} {what}' for what, many in total.items())}"


if __name__ == "__main__":
    main()
