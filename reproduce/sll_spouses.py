"""Which searches must find a common child: what that changes on samples, and in the limit.

python reproduce/sll_spouses.py [--only NETWORK ...] [--rows N ...] [--graphs N]

Score-based local learning counts two variables as spouses if the search around either finds a
common child of them: of any kind ("published"), one that a search of its own or of the spouse's
finds to be a neighbor ("either"), or one that both find so ("checked"). The first data set of each
network of the paper is learned with each, and with common children joined to both spouses as its
Algorithm 5 has it ("printed") or not ("strict"). `--graphs` looks at random graphs of six
variables with the distribution itself in place of rows; that is slow, and needs the tests' oracles.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from _data import add_data_option, check_folder
from _sll_data import NETWORKS, ROWS, sample, truths
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape.search import LocalSets

SPOUSES = ("published", "either", "checked")
LEFT_OUT = {"Alarm5", "Child5", "Child10", "Insurance5", "Barley"}
"""The larger ones, and one whose best networks take long."""


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    tables, facts = [], {}
    if options.graphs:
        wrong = in_the_limit(options.graphs)
        tables.append(_of_graphs(wrong, options.graphs))
        facts["graphs"] = wrong
    else:
        records = [on_sample(options, name, rows) for name in options.only for rows in options.rows]
        tables += [_of_samples(records)]
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
    for spouses, skeleton in (
        ("published", "printed"),
        ("either", "printed"),
        ("checked", "strict"),
    ):
        found = ds.sll_c(
            data, score=ds.BDeu(ess=1.0), prior="uniform", spouses=spouses, skeleton=skeleton
        )
        record[f"SLL+C, {spouses}, {skeleton}"] = ds.shd(found.dag, truth)
    return record


def in_the_limit(graphs: int) -> dict[str, int]:
    """Return in how many random graphs of six variables a blanket is wrong, of some orders."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from agreement.test_local_truth import random_limit, some_orders

    wrong = dict.fromkeys(SPOUSES, 0)
    for seed in range(graphs):
        limit = random_limit(6, seed)
        true = {t: limit.true_neighbors(t) | limit.true_spouses(t) for t in range(6)}
        for spouses in SPOUSES:
            wrong[spouses] += any(
                steps.markov_blanket(t, spouses) != true[t]
                for steps in map(limit.steps, some_orders(6, 6))
                for t in range(6)
            )
    return wrong


def _of_samples(records: list[dict[str, object]]) -> Table:
    names = list(records[0])
    total = ["sum", ""] + [str(sum(int(str(r[name])) for r in records)) for name in names[2:]]
    rows = [[str(r[name]) if name != "rows" else f"{r[name]:,}" for name in names] for r in records]
    return Table(
        "Wrong members of blankets by BIC, and SHD of SLL+C by BDeu", names, [*rows, total]
    )


def _of_graphs(wrong: dict[str, int], graphs: int) -> Table:
    title = f"Graphs with a wrong blanket in some order, of {graphs:,}"
    return Table(title, list(wrong), [[str(count) for count in wrong.values()]])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add_data_option(parser)
    usual = [name for name in NETWORKS if name not in LEFT_OUT]
    parser.add_argument("--only", nargs="+", choices=NETWORKS, default=usual, metavar="NETWORK")
    parser.add_argument(
        "--rows", nargs="+", type=int, choices=ROWS, default=list(ROWS), metavar="N"
    )
    parser.add_argument("--graphs", type=int, default=0, metavar="N", help="so many random graphs")
    add_output_options(parser)
    options = parser.parse_args()
    if not options.graphs:
        check_folder(parser, options.data)
    return options


if __name__ == "__main__":
    sys.exit(main())
