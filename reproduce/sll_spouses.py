"""Which searches must find a common child: what that changes on samples, and in the limit.

python reproduce/sll_spouses.py [--only NETWORK ...] [--rows N ...]
python reproduce/sll_spouses.py --graphs N [--orders N]

Score-based local learning counts two variables as spouses if the search around either finds a
common child of them: of any kind ("published"), one that a search of its own or of the spouse's
finds to be a neighbor ("either"), or one that both find so ("checked"). The first data set of each
network of the paper is learned with each, and with common children joined to both spouses as its
Algorithm 5 has it ("printed") or not ("strict"). `--graphs` looks at the example of the page on
spouses in all orders, and at random graphs of six variables in some, with the distribution itself
in place of rows; that is slow, and needs the tests' oracles.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import permutations
from pathlib import Path
from types import ModuleType
from typing import Any

from _data import add_data_option, check_folder
from _sll_data import NETWORKS, ROWS, sample, truths
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape.search import LocalSets

SPOUSES = ("published", "either", "checked")
NETWORKS_BY = (("published", "printed"), ("either", "printed"), ("checked", "strict"))
SUMS = {
    "wrong members of blankets, by BIC": [f"blankets, {spouses}" for spouses in SPOUSES],
    "edges of SLL+C that differ, by BDeu": [f"SLL+C, {', '.join(each)}" for each in NETWORKS_BY],
}
LEFT_OUT = {"Alarm5", "Child5", "Child10", "Insurance5", "Barley"}
"""The larger ones, and one whose best networks take long."""


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    tables, facts = [], {}
    if options.graphs:
        example, wrong = of_the_example(), in_the_limit(options.graphs, options.orders)
        tables.append(_of_graphs(example, wrong, options))
        facts |= {"example": example, "graphs": wrong}
    else:
        records = [on_sample(options, name, rows) for name in options.only for rows in options.rows]
        tables += _of_samples(records)
        facts["samples"] = records
    put_out(console(), options, tables, facts)
    return 0


def on_sample(options: argparse.Namespace, name: str, rows: int) -> dict[str, object]:
    """Return wrong members of blankets by BIC, and distances of SLL+C by BDeu."""
    truth = truths(options.data, name)[name]
    data = sample(options.data, name, rows, 1)
    record: dict[str, object] = {"network": name, "rows": rows}
    for spouses in SPOUSES:
        blankets = ds.markov_blanket(data, None, method="sll", score="bic", spouses=spouses)
        assert isinstance(blankets, LocalSets), "of all variables"  # noqa: S101
        record[f"blankets, {spouses}"] = sum(
            len(set(found) ^ set(truth.markov_blanket(x))) for x, found in blankets.items()
        )
    for spouses, skeleton in NETWORKS_BY:
        found = ds.sll_c(
            data, score=ds.BDeu(ess=1.0), prior="uniform", spouses=spouses, skeleton=skeleton
        )
        record[f"SLL+C, {spouses}, {skeleton}"] = ds.shd(found.dag, truth)
    return record


def of_the_example() -> dict[str, int]:
    """Return in how many of all orders a blanket of the example is wrong."""
    limit = _limits().example_limit()
    return _wrong(limit, permutations(range(6)), sum)


def in_the_limit(graphs: int, orders: int) -> dict[str, int]:
    """Return in how many random graphs of six variables some order has a wrong blanket."""
    limits, wrong = _limits(), Counter(dict.fromkeys(SPOUSES, 0))
    for seed in range(graphs):
        wrong.update(_wrong(limits.random_limit(6, seed), limits.some_orders(6, orders), any))
    return dict(wrong)


def _limits() -> ModuleType:
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    return import_module("toys.local_limits")


def _wrong(
    limit: Any, orders: Iterable[tuple[int, ...]], count: Callable[[Iterable[bool]], int]
) -> dict[str, int]:
    """Return by how spouses are counted what is counted of orders with a wrong blanket."""
    true = {t: limit.true_neighbors(t) | limit.true_spouses(t) for t in range(limit.n)}
    steps = [limit.steps(order) for order in orders]
    return {
        spouses: int(
            count(any(each.markov_blanket(t, spouses) != true[t] for t in true) for each in steps)
        )
        for spouses in SPOUSES
    }


def _of_samples(records: list[dict[str, object]]) -> Iterator[Table]:
    names = list(records[0])
    total = {name: sum(int(str(record[name])) for record in records) for name in names[2:]}
    rows = [[str(r[name]) if name != "rows" else f"{r[name]:,}" for name in names] for r in records]
    yield Table(
        f"{len(records)} samples",
        ["", *SPOUSES],
        [[what, *(f"{total[each]:,}" for each in keys)] for what, keys in SUMS.items()],
    )
    yield Table("Wrong members of blankets by BIC, and SHD of SLL+C by BDeu", names, rows)


def _of_graphs(
    example: dict[str, int], wrong: dict[str, int], options: argparse.Namespace
) -> Table:
    told = {
        "orders of the example, of 720": example,
        f"random graphs, in some of {options.orders} orders, of {options.graphs:,}": wrong,
    }
    return Table(
        "Wrong blankets in the limit",
        ["", *SPOUSES],
        [[what, *(f"{counts[each]:,}" for each in SPOUSES)] for what, counts in told.items()],
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add_data_option(parser)
    usual = [name for name in NETWORKS if name not in LEFT_OUT]
    parser.add_argument("--only", nargs="+", choices=NETWORKS, default=usual, metavar="NETWORK")
    parser.add_argument(
        "--rows", nargs="+", type=int, choices=ROWS, default=list(ROWS), metavar="N"
    )
    parser.add_argument("--graphs", type=int, default=0, metavar="N", help="so many random graphs")
    parser.add_argument(
        "--orders", type=int, default=24, metavar="N", help="of the variables of each; 24"
    )
    add_output_options(parser)
    options = parser.parse_args()
    if not options.graphs:
        check_folder(parser, options.data)
    return options


if __name__ == "__main__":
    sys.exit(main())
