"""Networks over time: DREAM4's ten genes, and how often a probability of an arc comes true.

python reproduce/series.py [--data DIR] [--simulated 60] [--wide] [--within]

DREAM4: the time series of five networks of ten genes (five perturbations, 21 times each); arcs are
set against the truth by average precision (AUPR) and by AUROC, arcs to themselves left out. With a
posterior by default, with lags given or chosen, and, beside it, correlation with the value before
and the weights of a vector autoregression (least squares, in units of the columns' spread).

--simulated: so many networks with known arcs and lags, of numbers and of states, are drawn, and
arcs counted by the probability that they were said to have. --wide: 200 series of 1,000 rows and 3
lags, the proven optimum and the posterior with the own past and at most 2 others: seconds.

--within: 20 and 37 series of 400 rows with arcs from the step before and within a step, 5 networks
of each; the proven optimum with the own past and at most 2 others: seconds.

docs/reproduce/series.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

import numpy as np
import polars as pl
from _data import add_data_option, check_folder
from numpy.typing import NDArray

import dagscape as ds
from dagscape.posteriors import Posterior

Floats = NDArray[np.float64]
Arcs = dict[tuple[str, str], float]

NETWORKS, LEVELS = range(1, 6), (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95)
MOST = 4
"""Parents: the own past and 3 others, as ``learn`` allows where nobody says more."""
LAGS: dict[str, int | None] = {"1": 1, "2": 2, "chosen": None}


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--simulated", type=int, metavar="N")
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--within", action="store_true")
    options = parser.parse_args()
    if options.simulated:
        say = calibration(options.simulated)
    elif options.wide:
        say = wide()
    elif options.within:
        say = within()
    else:
        check_folder(parser, options.data / "series")
        say = dream4(options.data / "series")
    for line in say:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def dream4(folder: object) -> Iterator[str]:
    """Yield AUPR and AUROC of each way on each network."""
    found: dict[str, list[tuple[float, float]]] = {}
    for number in NETWORKS:
        path = f"{folder}/dream4-10-{number}.csv"
        lines = open(f"{folder}/dream4-10-{number}-truth.tsv", encoding="utf-8").read().split()  # noqa: SIM115
        truth = {
            (a, b): int(there)
            for a, b, there in zip(lines[::3], lines[1::3], lines[2::3], strict=True)
        }
        for name, arcs in ways(path):
            said = np.array([arcs.get(arc, 0.0) for arc in truth])
            found.setdefault(name, []).append(judged(said, np.array([*truth.values()])))
    yield "| way | AUPR | AUROC | AUPR of each network |"
    yield "| --- | --: | --: | --- |"
    for name, marks in found.items():
        precision, area = np.mean(marks, axis=0)
        each = ", ".join(f"{one:.2f}" for one, _ in marks)
        yield f"| {name} | {precision:.3f} | {area:.3f} | {each} |"


def ways(path: str) -> Iterator[tuple[str, Arcs]]:
    """Yield what each way says of arcs between series."""
    for lags, number in LAGS.items():
        table = ds.series(path, series="series", lags=number)
        yield f"`ds.posterior`, lags {lags}", summed(ds.posterior(table, max_parents=MOST))
        if number == 1:
            yield (
                "the same, 50 resamples",
                summed(ds.posterior(table, max_parents=MOST, resamples=50)),
            )
            yield (
                "the same, ranks (`rank_bge`)",
                summed(ds.posterior(table, score="rank_bge", prior="fair", max_parents=MOST)),
            )
            now, past = list(table.rows.series.variables), list(table.rows.series.places)
            values = np.column_stack([table.column(x) for x in (*now, *past)])
            values = (values - values.mean(axis=0)) / values.std(axis=0)
            n = len(now)
            weights = np.linalg.lstsq(values[:, n:], values[:, :n], rcond=None)[0]
            yield "vector autoregression", named(np.abs(weights), now)
            yield "correlation", named(np.abs(values[:, n:].T @ values[:, :n]) / len(values), now)


def named(weights: Floats, names: list[str]) -> Arcs:
    """Return weights from a row to a column by names."""
    return {(a, b): weights[i, j] for i, a in enumerate(names) for j, b in enumerate(names)}


def summed(posterior: Posterior) -> Arcs:
    """Return how probable an arc is at any lag, as if lags were independent."""
    none: Arcs = {}
    for start, end, share in posterior.features("arcs").select("from", "to", "probability").rows():
        if "[" in start:
            arc = (start.split("[")[0], end)
            none[arc] = none.get(arc, 1.0) * (1 - share)
    return {arc: 1 - share for arc, share in none.items()}


def judged(said: Floats, truth: NDArray[np.int64]) -> tuple[float, float]:
    """Return average precision and the area under the ROC curve; ties count together."""
    order = np.argsort(-said, kind="stable")
    said, truth = said[order], truth[order]
    last = np.append(said[1:] != said[:-1], True)
    right, wrong = np.cumsum(truth)[last], np.cumsum(1 - truth)[last]
    recall = np.append(0, right / truth.sum())
    area = np.trapezoid(recall, np.append(0, wrong / (1 - truth).sum()))
    return float((np.diff(recall) * right / (right + wrong)).sum()), float(area)


def drawn(seed: int, states: bool) -> tuple[dict[str, NDArray[np.float64]], set[tuple[str, str]]]:
    """Return series that follow a network with up to 2 lags, and its arcs."""
    rng = np.random.default_rng([seed, int(states)])
    n, rows = int(rng.integers(4, 9)), int(rng.choice([100, 200, 400]))
    own = rng.uniform(0.2, 0.6, n)
    arcs = [
        (i, j, int(lag), rng.choice([-1, 1]) * rng.uniform(0.15, 0.5))
        for j in range(n)
        for i, lag in zip(
            rng.choice(n, int(rng.integers(0, 3)), replace=False),
            rng.integers(1, 3, 2),
            strict=False,
        )
        if i != j
    ]
    values = np.zeros((rows + 50, n))
    for t in range(2, len(values)):
        mean = own * values[t - 1]
        for i, j, lag, weight in arcs:
            mean[j] += weight * values[t - lag, i]
        if states:
            values[t] = np.where(rng.random(n) < 1 / (1 + np.exp(-3 * mean)), 1.0, -1.0)
        else:
            values[t] = np.clip(mean + rng.normal(size=n), -50, 50)
    kept = values[50:]
    columns = {f"s{i}": kept[:, i].astype(int) if states else kept[:, i] for i in range(n)}
    return columns, {(f"s{i}[-{lag}]", f"s{j}") for i, j, lag, _ in arcs}


def calibration(networks: int) -> Iterator[str]:
    """Yield how many arcs with their lag were there, by the probability said."""
    yield "| columns | said | arcs | mean said | true |"
    yield "| --- | --- | --: | --: | --: |"
    for states in (False, True):
        said, true = [], []
        for seed in range(networks):
            columns, arcs = drawn(seed, states)
            table = ds.series(columns, lags=2)
            found = ds.posterior(table, max_parents=MOST, resamples=20).features("arcs")
            own = {(x, name) for x, (name, lag) in table.rows.series.places.items() if lag == 1}
            for start, end, share in found.select("from", "to", "probability").rows():
                name = table.rows.series.places.get(start, ("", 0))[0]
                if name and end in table.rows.series.variables and (start, end) not in own:
                    if name == end:
                        continue  # a further past of its own may stand in for what is not a line
                    said.append(share)
                    true.append((start, end) in arcs)
        bins = np.digitize(said, LEVELS[1:])
        table_ = pl.DataFrame({"bin": bins, "said": said, "true": true})
        for at, part in sorted(table_.group_by("bin"), key=lambda each: each[0]):
            low, high = LEVELS[at[0]], (*LEVELS[1:], 1.0)[at[0]]
            yield (
                f"| {'states' if states else 'numbers'} | {low:g} to {high:g} | {len(part):,} | "
                f"{part['said'].mean():.3f} | {part['true'].mean():.3f} |"
            )


def wide() -> Iterator[str]:
    """Yield seconds for 200 series, 3 lags, 1,000 rows."""
    rng = np.random.default_rng(0)
    n = 200
    parents = [rng.choice(n, 2, replace=False) for _ in range(n)]
    lags = [rng.integers(1, 4, 2) for _ in range(n)]
    values = np.zeros((1003, n))
    for t in range(1, len(values)):
        values[t] = 0.4 * values[t - 1] + rng.normal(size=n)
        for i in range(n) if t > 3 else ():
            values[t, i] += sum(
                0.3 * values[t - b, a] for a, b in zip(parents[i], lags[i], strict=True)
            )
    true = {
        (f"v{a:03}[-{b}]", f"v{i:03}")
        for i in range(n)
        for a, b in zip(parents[i], lags[i], strict=True)
        if (a, b) != (i, 1)
    }
    yield "| columns | proven, s | posterior, s | true arcs found | arcs beside them |"
    yield "| --- | --: | --: | --: | --: |"
    for words, table in (("numbers", values), ("states", (values > 0).astype(int))):
        data = ds.series({f"v{i:03}": table[:, i] for i in range(n)}, lags=3)
        begun = time.perf_counter()
        found = ds.exact(data, max_parents=3)
        middle = time.perf_counter()
        ds.posterior(data, max_parents=3)
        done = time.perf_counter()
        arcs = {(a, b) for a, b in found.dag.arcs if a != f"{b}[-1]"}
        yield (
            f"| {words} | {middle - begun:.1f} | {done - middle:.1f} | "
            f"{len(arcs & true)} of {len(true)} | {len(arcs - true)} |"
        )


def drawn_within(n: int, seed: int) -> tuple[Floats, set[tuple[str, str]]]:
    """Return series with up to one arc from the step before and one within a step each."""
    rng = np.random.default_rng([n, seed])
    rows = 400
    past = [int(rng.integers(n)) for _ in range(n)]
    now = [int(rng.integers(i)) if i else None for i in range(n)]
    sign = rng.choice([-1, 1], (2, n))
    weight = sign * np.stack([rng.uniform(0.2, 0.5, n), rng.uniform(0.3, 0.6, n)])
    values = np.zeros((rows + 50, n))
    for t in range(1, len(values)):
        for i in range(n):  # in an order in which causes within the step come first
            mean = 0.4 * values[t - 1, i]
            mean += weight[0, i] * values[t - 1, past[i]] if past[i] != i else 0.0
            mean += 0.0 if now[i] is None else weight[1, i] * values[t, now[i]]
            values[t, i] = np.clip(mean + rng.normal(), -50, 50)
    arcs = {(f"v{past[i]:02}[-1]", f"v{i:02}") for i in range(n) if past[i] != i}
    return values[50:], arcs | {(f"v{now[i]:02}", f"v{i:02}") for i in range(1, n)}


def within() -> Iterator[str]:
    """Yield seconds for the proven optimum with arcs within a step, and what it finds."""
    yield "| series | columns | proven | seconds, at most | true arcs found | arcs beside them |"
    yield "| --: | --- | --: | --: | --: | --: |"
    for n in (20, 37):
        drawn_all = [drawn_within(n, seed) for seed in range(5)]
        for words in ("numbers", "states"):
            proven = most = found = true = beside = 0.0
            for values, arcs in drawn_all:
                shown = values if words == "numbers" else (values > 0).astype(int)
                columns = {f"v{i:02}": shown[:, i] for i in range(n)}
                table = ds.series(columns, lags=1, within_step=True)
                begun = time.perf_counter()
                best = ds.exact(table, max_parents=3)
                most = max(most, time.perf_counter() - begun)
                others = {(a, b) for a, b in best.dag.arcs if a != f"{b}[-1]"}
                proven += best.optimal
                found, true = found + len(others & arcs), true + len(arcs)
                beside += len(others - arcs)
            yield (
                f"| {n} | {words} | {proven:.0f} of 5 | {most:.1f} | {found:.0f} of {true:.0f} | "
                f"{beside:.0f} |"
            )


if __name__ == "__main__":
    main()
