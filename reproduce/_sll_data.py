"""The data of the paper on local learning: the networks of its Table 1, and samples of them."""

from __future__ import annotations

import csv
from pathlib import Path

import networkx as nx

import dagscape as ds

NETWORKS = (
    "Alarm1",
    "Alarm3",
    "Alarm5",
    "Barley",
    "Child",
    "Child3",
    "Child5",
    "Child10",
    "HailFinder",
    "Insurance",
    "Insurance3",
    "Insurance5",
)
ROWS = (500, 1000, 5000)
SETS = tuple(range(1, 11))
"""Of each network and number of rows, as many as in the paper."""

SAMPLED = {"Child10": "Child10_s5000_v4"}
"""Networks whose samples are lost but for this one: its fit to the true graph is sampled."""

MISNUMBERED = {"HailFinder": "hailfinder"}
"""Networks whose published graph numbers the variables otherwise than the data do.

The file's graph scores below the empty one. The embedded network has the columns' numbers of
states in the columns' order, and is the file's graph but for the numbering.
"""

FILED = ", graph as filed"
"""Added to the name of such a network where it is judged by the file after all."""


def present(folder: Path, network: str) -> bool:
    """Tell whether the files of a network are there."""
    return (folder / "mmhc" / f"{network}_graph.csv").is_file()


def sample(folder: Path, network: str, rows: int, number: int) -> ds.Data:
    """Return a data set of a network, with all states that the network has."""
    if name := SAMPLED.get(network):
        known = _read(folder, network, name)
        # Another seed for each size, lest the small samples begin the large ones.
        return ds.fit(_filed(folder, network), known).sample(rows, seed=rows + number)
    return _read(folder, network, f"{network}_s{rows}_v{number}")


def truths(folder: Path, network: str) -> dict[str, ds.Dag]:
    """Return the graphs to judge by: the true one, and the file's where it is another."""
    filed = _filed(folder, network)
    if network not in MISNUMBERED:
        return {network: filed}
    true = ds.load_network(MISNUMBERED[network])
    if list(map(len, true.states.values())) != list(map(len, _states(folder, network).values())):
        raise AssertionError(f"the columns of {network} are not in the order of the network")
    numbered = dict(zip(true.dag.names, filed.names, strict=True))
    arcs = [(numbered[parent], numbered[child]) for parent, child in true.dag.arcs]
    if not nx.is_isomorphic(true.dag.to_networkx(), filed.to_networkx()):
        raise AssertionError(f"the graph of {network} is not the embedded one, numbered otherwise")
    return {network: ds.Dag(filed.names, arcs), f"{network}{FILED}": filed}


def alarm(folder: Path) -> tuple[ds.Data, ds.Dag] | None:
    """Return the first 5,000 rows of bnlearn's sample of Alarm, if it is there, and the truth."""
    path = folder / "bnlearn" / "alarm.csv.gz"
    return (ds.read_data(path).head(5000), ds.load_network("alarm").dag) if path.is_file() else None


def state_counts(folder: Path, network: str) -> list[int]:
    """Return how many states each variable has."""
    return [len(states) for states in _states(folder, network).values()]


def _states(folder: Path, network: str) -> dict[str, list[str]]:
    """Return all states of each variable: small samples miss some."""
    with (folder / "mmhc" / "arities.csv").open(encoding="ascii") as lines:
        return {
            line["variable"]: [str(state) for state in range(int(line["states"]))]
            for line in csv.DictReader(lines)
            if line["network"] == network
        }


def _read(folder: Path, network: str, name: str) -> ds.Data:
    return ds.read_data(folder / "mmhc" / f"{name}.csv.gz", states=_states(folder, network))


def _filed(folder: Path, network: str) -> ds.Dag:
    with (folder / "mmhc" / f"{network}_graph.csv").open(encoding="ascii") as lines:
        arcs = [(line["parent"], line["child"]) for line in csv.DictReader(lines)]
    return ds.Dag(list(_states(folder, network)), arcs)
