"""Do probabilities come true where cells are missing? Samples of mixed networks with gaps.

python reproduce/gaps_calibration.py [--tables 12] [--rounds 20] [--markdown FILE]

Networks of six variables, half of them numbers, are drawn, and tables of 60 and of 240 rows from
them, in turn. Of every column but the first, 2, 10 or 30 % of the cells are taken out: each with
the same probability, three times as often where the first column is high, or three times as often
where the cell itself is, which breaks what is assumed. Counted is what the posterior says of each
pair of variables, and which are joined; and the same of the whole tables.
docs/reproduce/gaps-calibration.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _calibration_tally import Tally, measures, tally
from numpy.typing import NDArray

import dagscape as ds

VARIABLES, NEIGHBORS, ROWS = 6, 2, (60, 240)
SHARES = (0.02, 0.1, 0.3)
AT_RANDOM, BY_FIRST, BY_ITSELF = "at random", "by the first column", "by the value itself"
LIKELIER = 3.0
"""How much more often a cell is missing where what it depends on is in its upper half."""
SAID = ((0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.0))
MOST_PARENTS = 3


def main() -> None:
    """Tell of each kind of gaps what was said, and how often it was true."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=20, help="of each chain")
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    begun, lines = time.process_time(), []
    for line in report(options.tables, options.rounds):
        lines.append(line)
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{time.process_time() - begun:.0f} CPU seconds\n")
    if options.markdown is not None:
        options.markdown.write_text("\n".join([*lines, ""]), "utf-8")


def report(tables: int, rounds: int) -> Iterator[str]:
    """Yield the table, a row for each kind of gaps."""
    bounds = [f"{low:g} to {high:g}" for low, high in SAID]
    yield f"| cells missing | pairs | ECE | Brier | {' | '.join(bounds)} |"
    yield f"| --- {'| --: ' * (3 + len(SAID))}|"
    yield row("none", [judged(seed, None, rounds) for seed in range(tables)])
    for how in (AT_RANDOM, BY_FIRST, BY_ITSELF):
        for share in SHARES:
            found = [judged(seed, (how, share), rounds) for seed in range(tables)]
            yield row(f"{100 * share:g} %, {how}", found)


def row(name: str, found: list[Tally]) -> str:
    """Return what was said in all tables: of each band, how many pairs, and the true share."""
    total = Tally.summed(one.cells for one in found)
    pairs = len(found) * VARIABLES * (VARIABLES - 1) // 2
    told = measures(total, pairs)
    cells = [
        f"{true / n:.2f} of {n:.0f}" if n else "0"
        for n, true in (band(total, *bounds) for bounds in SAID)
    ]
    return (
        f"| {name} | {pairs} | {told['ece']:.3f} | {told['brier_all']:.4f} | {' | '.join(cells)} |"
    )


def band(total: Tally, low: float, high: float) -> tuple[float, float]:
    """Return how many pairs were said between two levels, and how many are joined."""
    cells = total.cells[round(20 * low) : round(20 * high)]
    return sum(cell[0] for cell in cells), sum(cell[2] for cell in cells)


def judged(seed: int, gaps: tuple[str, float] | None, rounds: int) -> Tally:
    """Count what is said of one table."""
    network = ds.random_network(VARIABLES, kind="mixed", neighbors=NEIGHBORS, seed=seed)
    whole = network.sample(ROWS[seed % len(ROWS)], seed=seed)
    settings: dict[str, Any] = {"max_parents": MOST_PARENTS, "seed": seed, "threads": 1}
    if gaps is None:
        found = ds.posterior(whole, **settings)
    else:
        found = ds.posterior(holed(whole, *gaps, seed), rounds=rounds, **settings)
    told = found.features("adjacencies", frame="dict")
    pairs = zip(told["from"], told["to"], told["probability"], strict=True)
    return tally({(a, b): (p, 0.5) for a, b, p in pairs}, network.dag)["presence"]


def holed(whole: ds.Data, how: str, share: float, seed: int) -> ds.Data:
    """Return the table with a share of the cells of every column but the first taken out."""
    rng = np.random.default_rng([seed, 3])
    frame = whole.to_polars().to_dict(as_series=False)
    first, *others = whole.names
    for name in others:
        high = upper(whole, first if how == BY_FIRST else name)
        chances = np.full(whole.n_rows, share)
        if how != AT_RANDOM:
            chances = np.where(high, LIKELIER, 1.0)
            chances *= share / chances.mean()
        gone = rng.random(whole.n_rows) < chances
        frame[name] = [None if no else x for no, x in zip(gone, frame[name], strict=True)]
    states = {name: own for name, own in whole.states.items() if own}
    return ds.Data(frame, states=states, missing="keep", rows_independent=True)


def upper(whole: ds.Data, name: str) -> NDArray[np.bool_]:
    """Return in which rows a column is in its upper half, or has not its first state."""
    values = whole.column(name)
    return values > (np.median(values) if name in whole.numbers else 0)


if __name__ == "__main__":
    main()
