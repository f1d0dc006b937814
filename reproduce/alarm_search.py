"""How rare samples of Alarm are on which greedy search finds what it found in the papers.

python reproduce/alarm_search.py [--network fitted embedded] [--seeds FIRST:END ...] [--store FILE]

Greedy search on samples of 20,000 rows: of the embedded network, and of the same network with its
tables fitted to the sample at hand. In the papers it found the true network without the arc that
data do not support. BIC with the uniform prior on networks.

Sources: Nielsen, Kočka and Peña, UAI 2003, Table 1; Peña, Kočka and Nielsen, IPMU 2004, Figure 1.
"""

from __future__ import annotations

import argparse
import math
import sys
from functools import partial
from pathlib import Path
from typing import Any

from _data import add_data_option
from _kept import Kept
from _optima_data import ALARM, CASES, supported_alarm
from _tables import Table, add_output_options, console, put_out

import dagscape as ds

NETWORKS = ("fitted", "embedded")
AT_HAND = "sample at hand"
SEEDS = {"fitted": "0:400", "embedded": "0:300 1000:1100"}
"""Those that were gone through for the samples that the pages show."""

BELOW = (0.0, 100.0, 300.0)
"""Where the columns of the table begin, in log base 10 below the network of the papers."""

Record = dict[str, Any]


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    path = options.data / ALARM
    networks = {"embedded": ds.load_network("alarm")}
    kept = Kept(options.store)
    records = []
    if path.is_file():
        at_hand = ds.read_data(path)
        networks["fitted"] = ds.fit(networks["embedded"].dag, at_hand)
        records.append({"alarm": AT_HAND, "seed": None, **_where(at_hand)})
    else:
        screen.print(f"fitted samples are left out: there is no {path}")
    for name in options.network:
        for seed in _seeds(options.seeds or SEEDS[name].split()) if name in networks else ():
            asked = {"alarm": name, "seed": seed, "rows": options.rows}
            found = kept.get(asked, partial(_on_sample, networks[name], seed, options.rows))
            records.append({**asked, **found})
    put_out(screen, options, [_table(records)], records)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--network", nargs="+", choices=NETWORKS, default=NETWORKS, metavar="NAME")
    words = "; ".join(f"{name} {seeds}" for name, seeds in SEEDS.items())
    parser.add_argument("--seeds", nargs="+", metavar="FIRST:END", help=f"without END; {words}")
    parser.add_argument("--rows", type=int, default=CASES, metavar="N", help=f"{CASES:,}")
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep each sample there, and do not run it again"
    )
    add_output_options(parser)
    return parser.parse_args()


def _seeds(ranges: list[str]) -> list[int]:
    return [seed for words in ranges for seed in range(*map(int, words.split(":")))]


def _on_sample(network: ds.Network, seed: int, rows: int) -> Record:
    return _where(network.sample(rows, seed=seed))


def _where(data: ds.Data) -> Record:
    """Return how far below the network of the papers greedy search ends, in log base 10."""
    greedy = ds.ges(data, phases=1, score="bic", prior="uniform")
    wanted = supported_alarm()
    there = ds.score(data, wanted, score="bic", prior="uniform")
    return {
        "below": (there - greedy.score) / math.log(10),
        "there": there / math.log(10),
        "as_in_papers": greedy.cpdag == wanted.to_cpdag(),
    }


def _table(records: list[Record]) -> Table:
    rows = []
    for name in (AT_HAND, *NETWORKS):
        some = [record for record in records if record["alarm"] == name]
        if not some:
            continue
        seeds = [str(record["seed"]) for record in some if record["as_in_papers"]]
        row = [name, str(len(some)), f"{len(seeds)} ({', '.join(seeds)})" if seeds else "0"]
        below = [record["below"] for record in some if not record["as_in_papers"]]
        row.append(str(sum(value < BELOW[0] for value in below)))
        for least, most in zip(BELOW, (*BELOW[1:], math.inf), strict=True):
            inside = [value for value in below if least <= value < most]
            ends = f" ({min(inside):.0f} to {max(inside):.0f})" if inside else ""
            row.append(f"{len(inside)}{ends}")
        rows.append([*row, _mean_and_deviation([record["there"] for record in some])])
    header = ["network", "samples", "as in the papers (seeds)", "above", "0 to 100 below"]
    header += ["100 to 300 below", "further", "score of the papers' network"]
    return Table("Where greedy search ends, log base 10", header, rows)


def _mean_and_deviation(values: list[float]) -> str:
    middle = sum(values) / len(values)
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / len(values))
    return f"{middle:,.0f} ± {spread:,.0f}" if len(values) > 1 else f"{middle:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
