"""The data: sampled from the bundled networks and from random ones, or real files.

A name is ``network-rows`` ("alarm-1000"), ``network-rows-first-columns`` ("alarm-1000-first12") or
``binary-variables-rows`` ("binary-500-1593", from a random network that is the same in every run),
``series-variables-rows`` (one step each row, from a network over time),
and likewise ``gaussian-``, ``nonlinear-`` and ``mixed-variables-rows`` for tables with numbers, and
``touched-variables-rows`` for numbers of which half the rows come from experiments.
With a folder of files, names that a file stands for are read from it instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.compare.table import TARGET, Arc, Table, observed

if TYPE_CHECKING:
    import dagscape as ds

FILES = {
    "alarm": "bnlearn/alarm.csv.gz",
    "insurance": "bnlearn/insurance.csv.gz",
    "hailfinder": "bnlearn/hailfinder.csv.gz",
    "binary-500": "debd/tmovie_partial.csv.gz",
    "binary-1058": "debd/bbc.csv.gz",
}
# Columns that the file calls otherwise than the network.
RENAMED = {
    "N07muVerMo": "N0_7muVerMo",
    "AreaMesoALS": "AreaMeso_ALS",
    "ScenRel34": "ScenRel3_4",
}
MOST_PARENTS = 3
STEPS_BEFORE = 50  # of drawn series, left out so that the beginning does not show
EXPERIMENTS = 5  # each on one variable
FAR = 2.0  # standard deviations below and above the mean, where experiments set a variable
WINDOW = 20  # parents are among so many that come just before
WITH_NUMBERS = ("gaussian", "nonlinear", "mixed")
NEIGHBORS = 3.0  # of a variable, in the mean, in networks with numbers


@dataclass(frozen=True)
class DataSet:
    """A table, the arcs of the network it was sampled from where that is known, and whence."""

    table: Table
    truth: tuple[Arc, ...] | None
    source: str


class DataSets:
    """Data sets by name, and their files for child processes."""

    def __init__(self, scratch: Path, real: Path | None) -> None:
        self._scratch, self._real = scratch, real
        self._known: dict[str, DataSet] = {}

    def __getitem__(self, name: str) -> DataSet:
        if name not in self._known:
            self._known[name] = self._make(name)
        return self._known[name]

    def sources(self) -> dict[str, str]:
        """Return whence the data sets used so far are."""
        drawn = ("series-",)  # these are the same in every run
        return {
            name: data.source for name, data in self._known.items() if not name.startswith(drawn)
        }

    def file(self, name: str, shuffle: int | None) -> Path:
        """Return the file of a data set with its columns shuffled."""
        path = self._scratch / f"{name}-{shuffle}.npz"
        if not path.exists():
            self[name].table.shuffled(shuffle).write(path)
        return path

    def _make(self, name: str) -> DataSet:
        stem, *rest = name.split("-first")
        if rest:
            whole = self[stem]
            return DataSet(whole.table.head(int(rest[0])), None, whole.source)
        if "-seed" in stem:
            stem, seed = stem.split("-seed")
            return _sampled(*stem.rsplit("-", 1), int(seed))
        kind, rows = stem.rsplit("-", 1)
        if kind == "dream4":
            return _dream4(self._real, rows)
        if self._real and kind in FILES and (self._real / FILES[kind]).is_file():
            return _from_file(kind, self._real / FILES[kind], int(rows))
        return _sampled(kind, rows, 0)


def _sampled(kind: str, rows: str, seed: int) -> DataSet:
    if kind.startswith("series-"):
        return drawn_series(int(kind.removeprefix("series-")), int(rows), seed)
    if kind.startswith("touched-"):
        return _touched(kind.removeprefix("touched-"), int(rows), seed)
    net = _network(kind)
    data = net.sample(int(rows), seed=seed)
    return DataSet(as_table(data), net.dag.arcs, f"sampled from {kind}, seed {seed}")


def _touched(variables: str, rows: int, seed: int) -> DataSet:
    """Return half the rows observed, and as many from experiments that set a variable."""
    net = _network(f"gaussian-{variables}")
    rng = np.random.default_rng(seed)
    seen = as_table(net.sample(rows - rows // 2, seed=seed)).numbers
    assert seen is not None, "all columns hold numbers"  # noqa: S101
    targets = [int(v) for v in rng.choice(len(net.names), EXPERIMENTS, replace=False)]
    parts, codes = [seen], [np.zeros(len(seen), dtype=np.int32)]
    for number, v in enumerate(targets, start=1):
        for side in (-FAR, FAR):
            value = float(seen[:, v].mean() + side * seen[:, v].std())
            some = net.do({net.names[v]: value}).sample(
                rows // (4 * EXPERIMENTS), seed=seed + number
            )
            drawn = as_table(some).numbers
            assert drawn is not None, "all columns hold numbers"  # noqa: S101
            parts.append(drawn)
            codes.append(np.full(len(drawn), number, dtype=np.int32))
    numbers = np.concatenate(parts)
    coded = np.zeros((len(numbers), len(net.names) + 1), dtype=np.int32)
    coded[:, -1] = np.concatenate(codes)
    states = (*((),) * len(net.names), ("", *(net.names[v] for v in targets)))
    whole = np.column_stack([numbers, np.zeros(len(numbers))])
    table = Table((*net.names, TARGET), states, coded, whole)
    source = f"sampled from gaussian-{variables}, half of it from experiments, seed {seed}"
    return DataSet(table, net.dag.arcs, source)


def as_table(data: ds.Data) -> Table:
    """Return what a Data holds."""
    states = tuple(tuple(str(state) for state in data.states[name]) for name in data.names)
    if not data.numbers:
        return observed(tuple(data.names), states, data.codes)
    shape = (data.n_rows, data.n_variables)
    codes, numbers = np.zeros(shape, dtype=np.int32), np.zeros(shape)
    for i, name in enumerate(data.names):
        if name in data.numbers:
            numbers[:, i] = data.numbers[name]
        else:
            codes[:, i] = data.select([name]).codes[:, 0]
    return Table(tuple(data.names), states, codes, numbers)


def _from_file(kind: str, path: Path, rows: int) -> DataSet:
    import dagscape as ds

    table = as_table(ds.read_data(path))
    names = tuple(RENAMED.get(name, name) for name in table.names)
    table = observed(names, table.states, table.codes[:rows])
    truth = None if kind.startswith("binary-") else _network(kind).dag.arcs
    return DataSet(table, truth, f"the first {table.n_rows:,} rows of {path.name}")


def drawn_series(variables: int, rows: int, seed: int) -> DataSet:
    """Draw lines over time: each series has its own past and up to 2 others, 1 or 2 steps back."""
    rng = np.random.default_rng([variables, rows, seed])
    own = rng.uniform(0.2, 0.6, variables)
    arcs = []
    for child in range(variables):
        others = [other for other in range(variables) if other != child]
        for parent in rng.choice(others, int(rng.integers(0, 3)), replace=False):
            weight = rng.choice([-1, 1]) * rng.uniform(0.15, 0.5)
            arcs.append((int(parent), child, int(rng.integers(1, 3)), float(weight)))
    values = np.zeros((rows + STEPS_BEFORE, variables))
    for t in range(2, len(values)):
        mean = own * values[t - 1]
        for parent, child, lag, weight in arcs:
            mean[child] += weight * values[t - lag, parent]
        values[t] = np.clip(mean + rng.normal(size=variables), -50, 50)
    names = tuple(f"S{i:02}" for i in range(variables))
    table = _of_numbers(names, values[STEPS_BEFORE:])
    truth = tuple((f"{names[a]}[-{lag}]", names[b]) for a, b, lag, _ in arcs)
    return DataSet(table, truth, f"series drawn from a network over time, seed {seed}")


def _dream4(folder: Path | None, number: str) -> DataSet:
    """Read five series of ten genes, and the network that they are of."""
    if folder is None:
        raise FileNotFoundError("DREAM4 needs --data")
    path = folder / "series" / f"dream4-10-{number}.csv"
    lines = path.read_text("utf-8").splitlines()
    names = tuple(lines[0].replace('"', "").split(","))
    rows = [[float(cell) for cell in line.replace('"', "").split(",")] for line in lines[1:]]
    kept = [i for i, name in enumerate(names) if name not in ("time", "Time")]
    table = _of_numbers(tuple(names[i] for i in kept), np.array(rows)[:, kept])
    listed = path.with_name(f"dream4-10-{number}-truth.tsv").read_text("utf-8").split()
    arcs = zip(listed[::3], listed[1::3], listed[2::3], strict=True)
    return DataSet(table, tuple((a, b) for a, b, there in arcs if there == "1"), path.name)


def _of_numbers(names: tuple[str, ...], values: Any) -> Table:
    codes = np.zeros(values.shape, dtype=np.int32)
    return Table(names, ((),) * len(names), codes, np.ascontiguousarray(values))


@cache
def _network(kind: str) -> ds.Network:
    import dagscape as ds

    if kind.startswith("binary-"):
        return random_network(int(kind.removeprefix("binary-")), seed=0)
    what, _, variables = kind.partition("-")
    if what in WITH_NUMBERS:
        return ds.random_network(int(variables), kind=what, neighbors=NEIGHBORS, seed=0)
    return ds.load_network(kind)


def random_network(variables: int, seed: int) -> ds.Network:
    """Return a binary network: 0 to 3 parents among the 20 variables before, Beta(½, ½) tables."""
    import dagscape as ds

    rng = np.random.default_rng(seed)
    names = [f"V{i:04}" for i in rng.permutation(variables)]
    parents = dict(_random_parents(names, rng))
    tables = {}
    for name, some in parents.items():
        p = rng.beta(0.5, 0.5, size=(2,) * len(some))
        tables[name] = np.stack([p, 1 - p], axis=-1)
    dag = ds.Dag(sorted(names), [(a, b) for b, some in parents.items() for a in some])
    ordered = {
        name: np.moveaxis(
            table,
            range(len(parents[name])),
            [sorted(parents[name]).index(p) for p in parents[name]],
        )
        for name, table in tables.items()
    }
    return ds.Network(dag, dict.fromkeys(names, ("no", "yes")), ordered)


def _random_parents(names: list[str], rng: np.random.Generator) -> Iterator[tuple[str, list[str]]]:
    for i, name in enumerate(names):
        near = names[max(0, i - WINDOW) : i]
        number = min(len(near), int(rng.integers(0, MOST_PARENTS + 1)))
        yield name, [str(p) for p in rng.choice(near, size=number, replace=False)] if number else []
