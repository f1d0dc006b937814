"""What is right of graphs in which causes may be hidden, where the truth is known.

python reproduce/hidden.py --out FOLDER [--fci PYTHON] [--seeds N] [--networks A,B]
    [--network ges|learn]

Hides 5 and 10 % of the variables of CHILD, INSURANCE, ALARM, BARLEY and HAILFINDER, those with two
children or more first, and draws 1,000 and 10,000 rows of the rest, with three seeds each. The true
graph is that of the separations among the rest. Beside ``ds.hidden`` it judges what the best
network says by definition (``to_pag``), and causal-learn's FCI (G² tests at 0.01), if --fci names
an interpreter that has it. Thresholds were chosen on other seeds (100 and 101).
FOLDER/hidden.jsonl keeps what was done; the same command goes on from there, and writes
FOLDER/table.md, which docs/reproduce/hidden.md shows.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _kept import Kept
from rich.console import Console

import dagscape as ds

NETWORKS = ("child", "insurance", "alarm", "hailfinder", "barley")
SHARES = (0.05, 0.1)
ROWS = (1000, 10000)
RESAMPLES = 10
FCI_ALPHA, FCI_SECONDS = 0.01, 300
LEARN_SECONDS = 30
BINS = ((0.0, 0.5), (0.5, 0.9), (0.9, 1.01))
"""Shares of drawn tables whose tests support an arrow too."""

Edge = tuple[str, str, str]
Record = dict[str, Any]


def main() -> None:
    """Do the tables that are missing, then tell of all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fci", metavar="PYTHON", help="an interpreter with causal-learn")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--networks", default=",".join(NETWORKS), metavar="A,B", help="all")
    parser.add_argument("--network", choices=("ges", "learn"), default="ges")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    kept = Kept(options.out / "hidden.jsonl")
    records = []
    screen = Console(stderr=True)
    seeds = range(options.first, options.first + options.seeds)
    for table in designs(seeds, options.networks.split(",")):
        own = {**table, "network": options.network}
        ours = kept.get(own, lambda own=own: judged(own))
        peer = {}
        if options.fci:
            asked = {**table, "fci": FCI_ALPHA}
            peer = kept.get(asked, lambda asked=asked: judged_fci(asked, options.fci))
        records.append({**table, **ours, **peer})
        screen.print(table)
    text = markdown(records, options.networks.split(","))
    (options.out / "table.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def designs(seeds: Iterable[int], networks: Iterable[str] = NETWORKS) -> Iterator[Record]:
    """Yield what makes each table."""
    for name in networks:
        for seed in seeds:
            for share in SHARES:
                for rows in ROWS:
                    yield {"net": name, "share": share, "rows": rows, "seed": seed}


def unseen(dag: ds.Dag, share: float, seed: int) -> list[str]:
    """Return the variables to hide: drawn, those with two children or more first."""
    names = list(dag.names)
    random.Random(f"{share} {seed}").shuffle(names)  # noqa: S311, no secret
    names.sort(key=lambda name: len(dag.children(name)) < 2)
    return sorted(names[: max(1, round(share * len(names)))])


def table_of(table: Record) -> tuple[ds.Dag, list[str], ds.Data]:
    """Return the network, what is hidden of it, and a sample of the rest."""
    network = ds.load_network(table["net"])
    hidden = unseen(network.dag, table["share"], table["seed"])
    data = network.sample(table["rows"], seed=table["seed"])
    return network.dag, hidden, data.select([x for x in data.names if x not in hidden])


def judged(table: Record) -> Record:
    """Ask dagscape, and count what is right."""
    dag, hidden, data = table_of(table)
    begun = time.process_time()
    if table["network"] == "ges":
        best = ds.ges(data, turning=True).dag
    else:
        best = ds.learn(data, runs=0, resamples=0, time_limit=LEARN_SECONDS, threads=1, seed=0).dag
    searched = time.process_time()
    plain = ds.hidden(data, dag=best, resamples=0)
    seconds = time.process_time() - begun
    drawn = ds.hidden(data, dag=best, resamples=RESAMPLES, seed=0)
    truth = dag.to_pag(hidden)
    supported = [
        [drawn.support_shares.get(arrow, 0.0), is_cause(dag, *arrow), arrow in truth.directed]
        for arrow in plain.arrows
    ]
    graph = best.to_pag()
    return {
        "to_pag": counts(graph.edges, truth, dag) | {"seconds": searched - begun},
        "hidden": counts(plain.pag.edges, truth, dag) | {"seconds": seconds},
        "supported": arrow_counts(plain.arrows, truth, dag) | {"seconds": seconds},
        "shares": supported,
        "removed": [sum(truth.edge(e.a, e.b) is None for e in plain.removed), len(plain.removed)],
    }


def judged_fci(table: Record, python: str) -> Record:
    """Ask causal-learn's FCI, and count what is right; nothing where it took too long."""
    dag, hidden, data = table_of(table)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.npz"
        np.savez(path, codes=data.codes.astype(int), names=np.array(data.names))
        script = Path(__file__).with_name("_fci.py")
        try:
            done = subprocess.run(  # noqa: S603, the interpreter that was named
                [python, str(script), str(path), str(table["fci"])],
                capture_output=True,
                text=True,
                timeout=FCI_SECONDS,
                check=True,
            )
        except subprocess.TimeoutExpired:
            return {}
    found = json.loads(done.stdout)
    edges = [tuple(edge) for edge in found["edges"]]
    return {"fci": counts(edges, dag.to_pag(hidden), dag) | {"seconds": found["seconds"]}}


def is_cause(dag: ds.Dag, a: str, b: str) -> bool:
    """Tell whether a variable is a cause of another, perhaps through others."""
    return b in dag.descendants(a)


def counts(edges: Iterable[Edge], truth: ds.Pag, dag: ds.Dag) -> Record:
    """Return how many adjacencies, heads, tails and arrows were found, are there, and are both."""
    edges = list(edges)
    mine, true = marks(edges), marks(truth.edges)
    found: Record = {}
    for what, mark in (("heads", ">"), ("tails", "-")):
        ours = {ends for ends, each in mine.items() if each == mark}
        theirs = {ends for ends, each in true.items() if each == mark}
        found[what] = [len(ours & theirs), len(ours), len(theirs)]
    both = {frozenset(ends) for ends in mine} & {frozenset(ends) for ends in true}
    found["adjacencies"] = [len(both), len(mine) // 2, len(true) // 2]
    arrows = [(a, b) for a, edge, b in edges if edge == "->"]
    arrows += [(b, a) for a, edge, b in edges if edge == "<-"]
    return found | arrow_counts(arrows, truth, dag)


def arrow_counts(arrows: Iterable[tuple[str, str]], truth: ds.Pag, dag: ds.Dag) -> Record:
    """Return how many arrows are true ones, and how many begin at a cause."""
    found, true = {*arrows}, {*truth.directed}
    causes = sum(is_cause(dag, a, b) for a, b in found)
    return {
        "arrows": [len(found & true), len(found), len(true)],
        "causes": [causes, len(found), len(true)],
    }


def marks(edges: Iterable[Edge]) -> dict[tuple[str, str], str]:
    """Return the mark at the first of two variables, of their edge."""
    found = {}
    for a, edge, b in edges:
        found[a, b] = {"<": ">", "-": "-", "o": "o"}[edge[0]]
        found[b, a] = edge[-1]
    return found


WAYS = {
    "supported": "arrows supported by tests",
    "hidden": "`ds.hidden`, the whole graph",
    "to_pag": "`to_pag()` of the same network",
    "fci": "FCI of causal-learn",
}


def markdown(records: list[Record], networks: Iterable[str] = NETWORKS) -> str:
    """Return the tables of the page."""
    lines = []
    for rows in ROWS:
        chosen = [r for r in records if r["rows"] == rows]
        lines += [
            f"{rows:,} rows, {len(chosen)} tables",
            "",
            "| | arrows | are causes | in the true graph | of the true arrows | F1 heads "
            "| F1 tails | F1 edges | CPU seconds |",
            "| --- | " + "---: | " * 8,
        ]
        lines += [row for way in WAYS if (row := _row(way, chosen))]
        lines.append("")
    lines += ["By network:", "", "| | rows | supported | are causes | of the true arrows |"]
    lines.append("| --- | ---: | ---: | ---: | ---: |")
    for name in networks:
        for rows in ROWS:
            own = [r for r in records if r["rows"] == rows and r["net"] == name]
            right, found, true = _sum(own, "supported", "causes")
            hit = _sum(own, "supported", "arrows")[0]
            lines.append(
                f"| {name.upper()} | {rows:,} | {found} | {_share(right, found)} | "
                f"{_share(hit, true)} |"
            )
    lines += ["", "By the share of drawn tables whose tests support the arrow too:", ""]
    lines += ["| share | arrows | are causes |", "| --- | ---: | ---: |"]
    shares = [each for record in records for each in record["shares"]]
    for low, high in BINS:
        inside = [cause for share, cause, _ in shares if low <= share < high]
        top = min(high, 1.0)
        lines.append(f"| {low:g} to {top:g} | {len(inside)} | {_share(sum(inside), len(inside))} |")
    gone = [sum(r["removed"][i] for r in records) for i in (0, 1)]
    lines += ["", f"Edges taken away: {gone[1]}, of which {gone[0]} are not in the true graph."]
    return "\n".join(lines) + "\n"


def _sum(records: list[Record], way: str, what: str) -> list[int]:
    return [sum(r[way][what][i] for r in records if way in r) for i in range(3)]


def _row(way: str, records: list[Record]) -> str:
    own = [r for r in records if way in r]
    if not own:
        return ""
    hit, found, true = _sum(own, way, "arrows")
    causes = _sum(own, way, "causes")[0]
    cells = [str(found), _share(causes, found), _share(hit, found), _share(hit, true)]
    for what in ("heads", "tails", "adjacencies"):
        cells += [""] if way == "supported" else [f"{_f1(_sum(own, way, what)):.2f}"]
    seconds = sum(r[way]["seconds"] for r in own)
    fewer = "" if len(own) == len(records) else f" ({len(own)} tables)"
    return f"| {WAYS[way]}{fewer} | " + " | ".join([*cells, f"{seconds:.1f}"]) + " |"


def _f1(numbers: list[int]) -> float:
    both, found, true = numbers
    return 2 * both / max(1, found + true)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else ""


if __name__ == "__main__":
    main()
