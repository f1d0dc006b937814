"""How many neighbors and blanket members are wrong: a table of docs/reproduce/accuracy.md.

python reproduce/accuracy_local.py [--data DIR] [--sets N] [--markdown out.md]
.venv-compare/bin/python reproduce/accuracy_local.py --pc     # after make compare

On samples of 500 rows of three embedded networks, three of each, and on the files of the paper on
MMHC where the folder of data sets is there. A wrong pair of neighbors counts twice, once for each.
--pc compares with the skeleton that causal-learn's PC finds, on the embedded networks alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

from _data import add_data_option
from _sll_data import NETWORKS, ROWS, SAMPLED, present, sample, truths
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

EMBEDDED = ("child", "alarm", "insurance")
SEEDS = 3
METHODS: dict[str, dict[str, Any]] = {
    "default": {},
    "sll, default score": {"method": "sll"},
    "sll, bic": {"method": "sll", "score": "bic"},
    "hiton, declared": {"method": "hiton", "degrees": "declared"},
    "hiton": {"method": "hiton"},
}
Case = tuple[str, Callable[[], tuple[ds.Data, ds.Dag]]]


def main() -> None:
    """Learn from all tables by all methods."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--sets", type=int, default=1, metavar="N", help="of each network's files")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for a method")
    parser.add_argument("--pc", action="store_true", help="beside causal-learn's PC")
    add_output_options(parser)
    options = parser.parse_args()
    if options.pc:
        put_out(console(), options, *beside_pc())
        return
    lines: dict[str, list[tuple[int, int, float]]] = {}
    for name, make in (*embedded(), *files(options)):
        data, truth = make()
        found = [judged(data, truth, asked, options.seconds) for asked in METHODS.values()]
        before = lines.setdefault(name, [(0, 0, 0.0)] * len(METHODS))
        lines[name] = [
            (a + x, b + y, c + z) for (a, b, c), (x, y, z) in zip(before, found, strict=True)
        ]
    columns = [[row[i] for row in lines.values()] for i in range(len(METHODS))]
    lines["sum"] = [
        (sum(a for a, _, _ in column), sum(b for _, b, _ in column), sum(c for _, _, c in column))
        for column in columns
    ]
    rows = [[name, *(f"{a:,} / {b:,}" for a, b, _ in cells)] for name, cells in lines.items()]
    rows.append(["CPU seconds", *(f"{cells[2]:.1f}" for cells in lines["sum"])])
    title = "Wrong neighbors / blanket members, over all variables"
    put_out(console(), options, [Table(title, ["table", *METHODS], rows)], lines)


def beside_pc() -> tuple[list[Table], Any]:
    """Return wrong neighbors by default and by PC with G² tests at 0.05, table by table."""
    from causallearn.search.ConstraintBased.PC import pc

    found: dict[str, list[tuple[int, int]]] = {}
    for name, make in embedded():
        data, truth = make()
        near: Any = ds.neighbors(data, threads=1)
        ends = pc(data.codes.astype(float), 0.05, "gsq", show_progress=False).G.graph
        wrong = [0, 0]
        for i, x in enumerate(data.names):
            true = {*truth.neighbors(x)}
            theirs = {y for j, y in enumerate(data.names) if ends[i, j]}
            wrong[0] += len({*near[x]} ^ true)
            wrong[1] += len(theirs ^ true)
        found.setdefault(name, []).append((wrong[0], wrong[1]))
    rows = []
    for name, pairs in found.items():
        columns = zip(*pairs, strict=True)
        rows.append([name, *(f"{sum(some)} ({', '.join(map(str, some))})" for some in columns)])
    title = "Wrong neighbors beside PC, in sum and in each of the samples"
    return [Table(title, ["table", "default", "PC"], rows)], found


def embedded() -> Iterator[Case]:
    """Yield samples of networks that need no file."""
    for name in EMBEDDED:
        for seed in range(SEEDS):
            yield f"{name}, 500 rows", lambda n=name, s=seed: sampled(n, s)  # type: ignore[misc]


def sampled(name: str, seed: int) -> tuple[ds.Data, ds.Dag]:
    """Return a sample of an embedded network, and its graph."""
    truth = ds.load_network(name)
    return truth.sample(500, seed=seed), truth.dag


def files(options: argparse.Namespace) -> Iterator[Case]:
    """Yield the files of the paper on MMHC, where they are."""
    folder = options.data
    for name in NETWORKS:
        if not present(folder, name) or name in SAMPLED:
            continue
        for rows in ROWS:
            for number in range(1, options.sets + 1):
                yield (
                    f"{name}, {rows:,} rows",
                    lambda n=name, r=rows, i=number: (  # type: ignore[misc]
                        sample(folder, n, r, i),
                        truths(folder, n)[n],
                    ),
                )


def judged(
    data: ds.Data, truth: ds.Dag, asked: dict[str, Any], seconds: float
) -> tuple[int, int, float]:
    """Return wrong neighbors, wrong members of blankets, and the CPU seconds of the former."""
    begun = time.process_time()
    near: Any = ds.neighbors(data, threads=1, time_limit=seconds, **asked)
    spent = time.process_time() - begun
    blankets: Any = ds.markov_blanket(data, threads=1, time_limit=seconds, **asked)
    wrong = sum(len({*near[x]} ^ {*truth.neighbors(x)}) for x in truth.names)
    far = sum(len({*blankets[x]} ^ {*truth.markov_blanket(x)}) for x in truth.names)
    return wrong, far, spent


if __name__ == "__main__":
    main()
