"""How much of a network survives gaps, and by which way: the table of docs/reproduce/missing.md.

python reproduce/missing.py gaps.jsonl [--seeds N] [--only child ...] [--rows 1000] [--shares 0.1]
python reproduce/missing.py gaps.jsonl --report [--figures FOLDER]

Each line of the file is one answer: a truth, rows, the share of cells removed, how, a seed and a
way. What is there is not done again, so that a run can be ended at any time and goes on later.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

import dagscape as ds
from dagscape.gaps.model import Incomplete

TRUTHS = ("child", "insurance", "alarm")
ROWS = (1000, 5000)
SHARES = (0.1, 0.02, 0.3)
HOW = ("mcar", "mar")
WAYS = ("complete", "drop", "mode", "em", "available")
HELD_OUT = 5000
ALPHA = 0.6
RESTARTS = 200
Key = tuple[str, int, float, str, int, str]


def main() -> None:
    """Fill the file, and tell what is in it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--report", action="store_true", help="only tell what the file has")
    parser.add_argument("--figures", type=Path, metavar="FOLDER", help="draw what the file has")
    parser.add_argument("--seeds", type=int, default=1, metavar="N")
    parser.add_argument("--only", nargs="+", choices=TRUTHS, default=TRUTHS, metavar="TRUTH")
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    options = parser.parse_args()
    if not options.report:
        fill(options)
    records = list(read(options.file))
    sys.stdout.write("\n".join([*table(records), ""]))
    if options.figures is not None:
        from _missing_figures import draw  # needs matplotlib

        for path in draw(records, options.figures):
            sys.stdout.write(f"{path}\n")


def fill(options: argparse.Namespace) -> None:
    """Do what is missing in the file."""
    have = {key(record) for record in read(options.file)}
    with options.file.open("a", encoding="utf-8") as file:
        for seed in range(options.seeds):
            for share in options.shares:
                for rows in options.rows:
                    for truth in options.only:
                        for how in HOW:
                            for way in WAYS:
                                cell = (truth, rows, share, how, seed, way)
                                if cell not in have:
                                    file.write(f"{json.dumps(one(*cell))}\n")
                                    file.flush()


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the answers that are there; a line that was cut short is none."""
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            if line.endswith("}"):
                yield json.loads(line)


def key(record: dict[str, Any]) -> Key:
    """Return what tells one answer from another."""
    fields = ("truth", "rows", "share", "how", "seed", "way")
    return tuple(record[name] for name in fields)  # type: ignore[return-value]


def one(truth: str, rows: int, share: float, how: str, seed: int, way: str) -> dict[str, Any]:
    """Return how near one way comes."""
    asked = {"truth": truth, "rows": rows, "share": share, "how": how, "seed": seed, "way": way}
    network = ds.load_network(truth)
    whole = network.sample(rows, seed=seed)
    gaps = holed(whole, share, how, seed)
    begun = time.process_time()
    found = learned(way, whole, gaps)
    if found is None:
        return asked | {"shd": None, "held_out": None, "seconds": 0.0}
    dag, fitted = found
    seconds = time.process_time() - begun
    test = network.sample(HELD_OUT, seed=10_000 + seed)
    return asked | {
        "shd": ds.shd(dag, network.dag),
        "held_out": fitted.log_likelihood(test) / HELD_OUT,
        "seconds": seconds,
    }


def holed(whole: ds.Data, share: float, how: str, seed: int) -> ds.Data:
    """Return the table with cells removed.

    "mcar": each with the same probability. "mar": the first column stays whole, and where it has
    its commonest state, cells of all others are missing three times as often as elsewhere.
    """
    rng = np.random.default_rng([seed, round(1000 * share), len(how)])
    chances = np.full(whole.codes.shape, share)
    if how == "mar":
        column = whole.codes[:, 0]
        common = column == np.bincount(column).argmax()
        often = 3 * share / (1 + 2 * common.mean())
        chances = np.repeat(np.where(common, often, often / 3)[:, None], whole.n_variables, axis=1)
        chances[:, 0] = 0
    gaps = rng.random(whole.codes.shape) < chances
    frame = {
        x: [
            None if gap else whole.states[x][code]
            for code, gap in zip(whole.codes[:, i], gaps[:, i], strict=True)
        ]
        for i, x in enumerate(whole.names)
    }
    return ds.Data(frame, missing="keep", states=dict(whole.states))


def learned(way: str, whole: ds.Data, gaps: ds.Data) -> tuple[ds.Dag, ds.Network] | None:
    """Return a network and its tables by one of the ways; None where no row is left."""
    if way == "em":
        r = ds.structural_em(gaps, score="bic", search="hill_climb")
        return None if r.network is None else (r.dag, r.network)
    if way == "available":
        dag = ds.hill_climb(gaps, score=ds.NAL(ALPHA), restarts=RESTARTS).dag
        table = Incomplete(gaps)
        return dag, table.network(table.fitted(dag, table.available))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ds.DataWarning)
            data = whole if way == "complete" else ds.Data(gaps, missing=way)
    except ds.DataError:
        return None
    dag = ds.hill_climb(data, score="bic", restarts=RESTARTS).dag
    return dag, ds.fit(dag, data)


def table(records: list[dict[str, Any]]) -> Iterator[str]:
    """Yield lines of a table: SHD and held-out log-likelihood per row, means over seeds."""
    columns = " | ".join(WAYS)
    yield f"| truth | rows | missing | how | {columns} |"
    yield f"|{' --- |' * (4 + len(WAYS))}"
    cases = sorted({key(record)[:4] for record in records}, key=lambda c: (TRUTHS.index(c[0]), c))
    for truth, rows, share, how in cases:
        shown = []
        for way in WAYS:
            some = [
                r for r in records if key(r)[:4] == (truth, rows, share, how) and r["way"] == way
            ]
            if not some:
                shown.append("")
            elif any(r["shd"] is None for r in some):
                shown.append("no rows")
            else:
                shd = mean(r["shd"] for r in some)
                shown.append(f"{shd:.0f} ({mean(r['held_out'] for r in some):.2f})")
        yield f"| {truth} | {rows:,} | {share:.0%} | {how.upper()} | {' | '.join(shown)} |"


if __name__ == "__main__":
    main()
