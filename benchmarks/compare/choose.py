"""Which confidence ranks edges best: how the setting of the task "confidence" was chosen.

python -m benchmarks.compare.choose [--only child insurance ...] [--rows 1000 20000] [--seeds N]

Not on alarm, which the comparison is about. Prints the mean average precision for each setting.
"""

from __future__ import annotations

import argparse
import sys
from statistics import mean
from typing import Any

from benchmarks.compare.ranking import rank

import dagscape as ds

NETWORKS = ("child", "insurance", "hailfinder")
SAMPLES = 200
SETTINGS: dict[str, dict[str, Any]] = {
    "landscape, BIC": {"score": "bic"},
    "landscape, qNML": {"score": "qnml"},
    "bootstrap of GES, BIC": {"method": "ges", "score": "bic"},
    "bootstrap of GES, qNML": {"method": "ges", "score": "qnml"},
    "bootstrap of KES 0.5, BIC": {"method": "kes", "k": 0.5, "score": "bic"},
    "bootstrap of KES 0.5, BDeu": {"method": "kes", "k": 0.5, "score": "bdeu"},
    "bootstrap of KES 0.5, qNML": {"method": "kes", "k": 0.5, "score": "qnml"},
}


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=NETWORKS, default=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=[1000, 20_000])
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    for rows in options.rows:
        for name in options.only:
            network = ds.load_network(name)
            samples = [network.sample(rows, seed=seed) for seed in range(1, options.seeds + 1)]
            for setting, asked in SETTINGS.items():
                found = [_precision(data, network, asked) for data in samples]
                sys.stdout.write(f"{name}\t{rows}\t{setting}\t{mean(found):.3f}\n")
                sys.stdout.flush()
    return 0


def _precision(data: ds.Data, network: ds.Network, asked: dict[str, Any]) -> float:
    models = (
        ds.bootstrap(data, runs=SAMPLES, threads=1, **asked)
        if "method" in asked
        else ds.local_optima(data, threads=1, **asked)
    )
    table = models.strengths(frame="dict")
    strengths = zip(table["from"], table["to"], table["strength"], strict=True)
    return rank(data.names, strengths, network.dag.arcs)["precision"]


if __name__ == "__main__":
    sys.exit(main())
