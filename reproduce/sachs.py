"""Sachs' proteins: what experiments tell of a table that many papers use, and what they do not.

python reproduce/sachs.py [--data DIR] [--part optima learned measured foretold next]

optima: 5,400 discretized rows with their targets (Sachs et al., Science 2005). The proven optimum
by BDeu, with the experiments and with them ignored, beside two published graphs: how many of their
arcs it has, has the other way round, leaves open, lacks, and has beside them. By the default score
too. learned: what `ds.learn` says of the same rows.
measured: all 7,466 rows as measured, cut at tertiles. Inhibitors hold what their target does, not
what is measured of it: with measured values, with the values that were set, and ignored.
foretold: each experiment left out. next: what the observed rows alone say of which to make.

docs/reproduce/sachs.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from _data import add_data_option, check_folder

import dagscape as ds

GRAPHS = {"literature, 20 arcs": "sachs-literature-20.csv", "paper, 17 arcs": "sachs-paper-17.csv"}
CONDITIONS: dict[str, dict[str, str | None]] = {
    "aktinhib": {"Akt": "LOW"},
    "g0076": {"PKC": "LOW"},
    "psitect": {"PIP2": "LOW"},
    "u0126": {"Mek": "LOW"},
    "pma": {"PKC": "HIGH"},
    "b2camp": {"PKA": "HIGH"},
}
"""What conditions set, and to what; ly acts on PI3K, which was not measured, and is taken as
stimulation, as cd3_cd28 and icam2 are."""
STIMULI = ("cd3_cd28", "icam2", "ly")
STATES = ("LOW", "AVG", "HIGH")


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--part", nargs="+", choices=tuple(PARTS), default=tuple(PARTS))
    options = parser.parse_args()
    folder = options.data / "interventions"
    check_folder(parser, folder)
    for part in options.part:
        sys.stdout.write(f"\n{part}\n\n")
        for line in PARTS[part](folder):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


def table(folder: Path, *, ignored: bool = False) -> ds.Data:
    """Return the 5,400 rows; the columns hold what others saw of targets."""
    frame = pl.read_csv(folder / "sachs5400.csv.gz")
    if ignored:
        return ds.Data(frame.drop("target"))
    return ds.Data(frame, interventions=ds.Interventions(column="target", how="randomized"))


def published(folder: Path) -> dict[str, set[tuple[str, str]]]:
    """Return the arcs of each published graph."""
    return {name: set(pl.read_csv(folder / file).rows()) for name, file in GRAPHS.items()}


def beside(graph: ds.Mpdag, truth: set[tuple[str, str]]) -> str:
    """Return how many arcs are right, the other way round, open, missing and more."""
    arcs, is_open = set(graph.directed), {frozenset(edge) for edge in graph.undirected}
    right, turned = len(arcs & truth), sum((b, a) in arcs for a, b in truth)
    either = sum(frozenset(arc) in is_open for arc in truth)
    joined = right + turned + either
    counts = (right, turned, either, len(truth) - joined, len(arcs) + len(is_open) - joined)
    return ", ".join(map(str, counts))


def line(name: str, found: ds.Result, graphs: Iterable[set[tuple[str, str]]]) -> str:
    """Return a row of a table of optima."""
    proven = "proven" if found.optimal else "not proven"
    cells = [beside(found.mpdag, truth) for truth in graphs]
    return f"| {name} | {found.score:,.4f} | {proven} | {' | '.join(cells)} |"


def optima(folder: Path) -> Iterator[str]:
    """Yield the optima of the 5,400 rows, and the scores of published graphs."""
    graphs = published(folder)
    asked: dict[str, dict[str, Any]] = {
        "BDeu, ess 1": {"score": ds.BDeu(ess=1)},
        "BDeu, ess 1, at most 5 parents": {"score": ds.BDeu(ess=1), "max_parents": 5},
        "BDeu, ess 10, at most 5 parents": {"score": ds.BDeu(ess=10), "max_parents": 5},
        "the default": {},
    }
    yield "| rows | score | optimum | | " + " | ".join(graphs) + " |"
    yield "| --- | --- | --: | --- | --- | --- |"
    seconds = []
    for ignored in (False, True):
        for name, settings in asked.items():
            start = time.process_time()
            found = ds.exact(table(folder, ignored=ignored), **settings)
            seconds.append(time.process_time() - start)
            how = "ignored" if ignored else "used"
            yield f"| {how} {line(name, found, graphs.values())}"
    yield ""
    yield f"seconds of the processor for each, reading included: at most {max(seconds):.1f}"
    scored = {
        name: ds.score(table(folder), sorted(arcs), score=ds.BDeu(ess=1))
        for name, arcs in graphs.items()
    }
    yield f"score of the paper's 17 arcs, BDeu, ess 1: {scored['paper, 17 arcs']:,.4f}"


def learned(folder: Path) -> Iterator[str]:
    """Yield what learning says of the 5,400 rows."""
    graphs = published(folder)
    found = ds.learn(table(folder), runs=0, time_limit=120)
    said = {name: beside(found.consensus, truth) for name, truth in graphs.items()}
    yield f"`ds.learn`, the graph of least expected error: {said}"
    yield found.ignored.told


def measured(folder: Path) -> Iterator[str]:
    """Yield the optima of all 7,466 rows, cut at tertiles."""
    graphs = published(folder)
    frame = pl.read_csv(folder / "sachs7466.csv.gz")
    names = [name for name in frame.columns if name not in (*STIMULI, *CONDITIONS)]
    cut = frame.with_columns(pl.Series(name, thirds(frame[name])) for name in names)
    without: dict[str, Any] = {name: {} for name in STIMULI}
    values = {**without, **CONDITIONS}
    as_measured = {**without, **{name: [*each] for name, each in CONDITIONS.items()}}
    states = {name: list(STATES) for name in names}
    ways = {
        "ignored": ds.Data(cut.select(names), states=states),
        "as measured": ds.Data(
            cut, states=states, interventions=ds.Interventions(conditions=as_measured)
        ),
        "set": ds.Data(cut, states=states, interventions=ds.Interventions(conditions=values)),
    }
    yield "| targets | score | optimum | | " + " | ".join(graphs) + " |"
    yield "| --- | --- | --: | --- | --- | --- |"
    for name, data in ways.items():
        for words, score in (("BDeu, ess 1", ds.BDeu(ess=1)), ("the default", None)):
            settings = {} if score is None else {"score": score}
            found = ds.exact(data, max_parents=5, **settings)
            yield f"| {name} {line(words, found, graphs.values())}"


def thirds(column: pl.Series) -> list[str]:
    """Return a column as states, of a third of the rows each."""
    values = column.to_numpy()
    return [STATES[at] for at in np.searchsorted(np.quantile(values, [1 / 3, 2 / 3]), values)]


def foretold(folder: Path) -> Iterator[str]:
    """Yield how well each experiment is foretold without it."""
    found = ds.leave_one_experiment_out(table(folder), "exact")
    rows = found.by_experiment(frame="dict")
    yield "| left out | " + " | ".join(name for name in rows if name != "experiment") + " |"
    yield "| --- |" + " --: |" * (len(rows) - 1)
    means = {"experiment": "all", "rows": table(folder).n_rows, **found.log_loss}
    lists = zip(*rows.values(), strict=True)
    each = [dict(zip(rows, cells, strict=True)) for cells in lists]
    for row in [*each, means]:
        cells = [f"{x:.4f}" if isinstance(x, float) else f"{x or ''}" for x in row.values()]
        yield f"| {' | '.join(cells)} |"


def next_ones(folder: Path) -> Iterator[str]:
    """Yield which experiments the observed rows alone ask for."""
    data = table(folder)
    free = [not targets for targets in data.rows.interventions.targets]
    rows = [at for at, code in enumerate(data.rows.interventions.codes) if free[code]]
    seen = data.take(rows).untouched
    found = ds.posterior(seen).next_experiments(frame="dict")
    yield f"edges that are open by the {seen.n_rows:,} observed rows: {found['open'][0]:.2f}"
    yield ", ".join(
        f"{x} {settled:.2f}"
        for x, settled in zip(found["variable"], found["expected_settled"], strict=True)
    )


PARTS = {
    "optima": optima,
    "learned": learned,
    "measured": measured,
    "foretold": foretold,
    "next": next_ones,
}

if __name__ == "__main__":
    main()
