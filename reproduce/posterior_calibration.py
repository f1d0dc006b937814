"""Whether probabilities are kept: of arcs said to have probability p, a share p is there.

python reproduce/posterior_calibration.py [--tables N] [--out FOLDER] [--prior fair] [--ess 1]

The prior-predictive test. A network of five variables is drawn from the prior, out of a list of all
29,281 that shares nothing with dagscape's sampler; its parameters from the Dirichlet prior of BDeu;
rows from both; then the posterior is asked. Under its own assumptions its probabilities must be
right at every level. Needed, not enough: the prior itself would pass too, so that the tests also
compare the posterior with a listing.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from _plot_style import PLAIN

import dagscape as ds

NAMES = "abcde"
ROWS = (10, 50, 250, 1000)
"""Tables of each length, in turn: the fewer the rows, the more is left open."""
KINDS = ("arcs", "adjacencies", "ancestors")
BINS = 10
CHUNK = 250

Parents = tuple[tuple[int, ...], ...]


def main() -> None:
    """Print a line for each kind of feature and level; write the numbers and a figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=80_000)
    parser.add_argument("--prior", default="fair", help="of structures: fair, uniform or edges")
    parser.add_argument("--ess", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, help="folder for calibration.json and .svg")
    options = parser.parse_args()
    start = time.perf_counter()
    tallies = {kind: Tally() for kind in KINDS}
    jobs = [
        (first, min(CHUNK, options.tables - first), options.prior, options.ess)
        for first in range(0, options.tables, CHUNK)
    ]
    with ProcessPoolExecutor(options.workers) as pool:
        for found in pool.map(judge_tables, jobs):
            for kind in KINDS:
                tallies[kind].add(found[kind])
    content = {
        "tables": options.tables,
        "rows": list(ROWS),
        "score": str(ds.BDeu(options.ess)),
        "prior": options.prior,
        "seconds": round(time.perf_counter() - start),
        "kinds": {kind: tallies[kind].lines() for kind in KINDS},
    }
    write_lines(content["kinds"])
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(content, indent=1)
        (options.out / "calibration.json").write_text(text + "\n", "utf-8")
        draw(content, options.out / "calibration.svg")
    worst = max(abs(line["off"]) for lines in content["kinds"].values() for line in lines)
    sys.stdout.write(f"at most {worst:.1f} standard errors off, {content['seconds']} s\n")


# --- networks from the prior ---------------------------------------------------------------------


@cache
def all_networks(n: int) -> list[Parents]:
    """Return every DAG of n variables by the parents of each: by plain trying."""
    others = [[u for u in range(n) if u != v] for v in range(n)]
    sets = [[s for k in range(n) for s in itertools.combinations(pool, k)] for pool in others]
    return list(_acyclic(sets, ()))


def _acyclic(sets: list[list[tuple[int, ...]]], chosen: Parents) -> Iterator[Parents]:
    if len(chosen) == len(sets):
        yield chosen
        return
    for parents in sets[len(chosen)]:
        longer = (*chosen, parents)
        if not _reaches_itself(longer):
            yield from _acyclic(sets, longer)


def _reaches_itself(parents: Parents) -> bool:
    """Tell whether the last variable is among its own ancestors."""
    last = len(parents) - 1
    seen: set[int] = set()
    stack = list(parents[last])
    while stack:
        v = stack.pop()
        if v == last:
            return True
        if v not in seen and v < len(parents):
            seen.add(v)
            stack.extend(parents[v])
    return False


@cache
def shares(prior: str) -> np.ndarray:
    """Return the probability of each network of the list, from the formula of the prior."""
    n = len(NAMES)
    p = min(2.0 / (n - 1), 0.5)
    weight = {
        "uniform": lambda _: 1.0,
        "fair": lambda k: 1 / math.comb(n - 1, k),
        "edges": lambda k: (p / 2 / (1 - p)) ** k,
    }[prior]
    weights = np.array(
        [math.prod(weight(len(parents)) for parents in network) for network in all_networks(n)]
    )
    return weights / weights.sum()


def draw_rows(parents: Parents, rows: int, ess: float, rng: np.random.Generator) -> ds.Data:
    """Return rows of a network whose parameters come from the prior of BDeu."""
    n = len(parents)
    arities = rng.integers(2, 4, n)
    codes = np.zeros((rows, n), dtype=np.int64)
    done: set[int] = set()
    while len(done) < n:
        for v in range(n):
            if v in done or not done.issuperset(parents[v]):
                continue
            cells = np.zeros(rows, dtype=np.int64)
            for u in parents[v]:
                cells = cells * arities[u] + codes[:, u]
            settings = math.prod(int(arities[u]) for u in parents[v])
            table = _dirichlet(ess / (settings * arities[v]), settings, int(arities[v]), rng)
            steps = np.cumsum(table, axis=1)[cells]
            codes[:, v] = (rng.random(rows)[:, None] * steps[:, -1:] >= steps[:, :-1]).sum(axis=1)
            done.add(v)
    states = {NAMES[v]: [str(s) for s in range(arities[v])] for v in range(n)}
    return ds.Data.from_codes(codes, states)


def _dirichlet(alpha: float, rows: int, states: int, rng: np.random.Generator) -> np.ndarray:
    """Draw distributions. Gamma draws of small shapes are taken by logs: they would all be 0."""
    logs = np.log(rng.random((rows, states))) / alpha
    logs += np.log(rng.gamma(alpha + 1, size=(rows, states)))
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


# --- what is said, and what is so ----------------------------------------------------------------


def judge_tables(job: tuple[int, int, str, float]) -> dict[str, np.ndarray]:
    """Return table, probability and truth of every feature, for some tables."""
    first, count, prior, ess = job
    found: dict[str, list[tuple[int, float, bool]]] = {kind: [] for kind in KINDS}
    for table in range(first, first + count):
        rng = np.random.default_rng([17, table])
        networks = all_networks(len(NAMES))
        parents = networks[rng.choice(len(networks), p=shares(prior))]
        data = draw_rows(parents, ROWS[table % len(ROWS)], ess, rng)
        said = ds.posterior(data, score=ds.BDeu(ess), prior=prior, threads=1, max_memory=1e9)
        arcs = [(NAMES[u], NAMES[v]) for v in range(len(NAMES)) for u in parents[v]]
        truth = {
            "arcs": set(arcs),
            "adjacencies": {tuple(sorted(arc)) for arc in arcs},
            "ancestors": _closure(set(arcs)),
        }
        for kind in KINDS:
            rows = said.features(kind, frame="dict")
            ends = zip(rows["from"], rows["to"], rows["probability"], strict=True)
            found[kind] += [(table, p, (a, b) in truth[kind]) for a, b, p in ends]
    return {kind: np.array(rows) for kind, rows in found.items()}


def _closure(arcs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    reach = set(arcs)
    while more := {(a, d) for a, b in reach for c, d in arcs if b == c} - reach:
        reach |= more
    return reach


class Tally:
    """Sums for each level of probability; standard errors by table, whose features go together."""

    def __init__(self) -> None:
        self.count = np.zeros(BINS)
        self.said = np.zeros(BINS)
        self.true = np.zeros(BINS)
        self.square = np.zeros(BINS)

    def add(self, rows: np.ndarray) -> None:
        """Take table, probability and truth."""
        level = np.minimum((rows[:, 1] * BINS).astype(int), BINS - 1)
        self.count += np.bincount(level, minlength=BINS)
        self.said += np.bincount(level, rows[:, 1], BINS)
        self.true += np.bincount(level, rows[:, 2], BINS)
        tables, at = np.unique(rows[:, 0], return_inverse=True)
        missed = np.bincount(at * BINS + level, rows[:, 2] - rows[:, 1], len(tables) * BINS)
        self.square += (missed.reshape(-1, BINS) ** 2).sum(axis=0)

    def lines(self) -> list[dict[str, Any]]:
        """Return what was said and what was so, level by level."""
        made = []
        for level in range(BINS):
            if not self.count[level]:
                continue
            said, true = self.said[level] / self.count[level], self.true[level] / self.count[level]
            error = math.sqrt(self.square[level]) / self.count[level]
            made.append(
                {
                    "level": f"{level / BINS:.1f}-{(level + 1) / BINS:.1f}",
                    "features": int(self.count[level]),
                    "said": float(said),
                    "true": float(true),
                    "error": error,
                    "off": float((true - said) / error) if error else 0.0,
                }
            )
        return made


def write_lines(kinds: dict[str, list[dict[str, Any]]]) -> None:
    """Print a table."""
    sys.stdout.write("kind\tlevel\tfeatures\tsaid\ttrue\tstandard error\terrors off\n")
    for kind, lines in kinds.items():
        for line in lines:
            sys.stdout.write(
                f"{kind}\t{line['level']}\t{line['features']}\t{line['said']:.4f}\t"
                f"{line['true']:.4f}\t{line['error']:.4f}\t{line['off']:+.1f}\n"
            )


def draw(content: dict[str, Any], path: Path) -> None:
    """Draw the share that is true against what was said, with three standard errors."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    with plt.rc_context(PLAIN):
        figure, panels = plt.subplots(1, len(KINDS), figsize=(7.2, 2.6), sharey=True)
        for panel, kind in zip(panels, KINDS, strict=True):
            lines = content["kinds"][kind]
            panel.plot([0, 1], [0, 1], color="#b5b5b5", linewidth=0.8)
            panel.errorbar(
                [line["said"] for line in lines],
                [line["true"] for line in lines],
                yerr=[3 * line["error"] for line in lines],
                fmt="o",
                markersize=3,
                color="#1b1b1b",
                elinewidth=0.8,
            )
            panel.set_title(kind)
            panel.set_xlabel("probability said")
            panel.set_aspect("equal")
        panels[0].set_ylabel("share that is there")
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    main()
