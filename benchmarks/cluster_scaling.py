"""How runs on a cluster scale: measured with 1 and 2 workers, and reckoned for many.

    python benchmarks/cluster_scaling.py [--network NAME] [--rows N] [--runs N] [--json FILE]

Workers are processes of this machine with one thread each, so more than there are cores prove
nothing. What limits many workers is measured singly: how many tasks a second the scheduler does,
how fast this side takes in results and keeps them, and what travels.
"""

from __future__ import annotations

import argparse
import json
import pickle
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster
from machine import describe
from rich.console import Console

import dagscape as ds
from dagscape.control.budget import Budget
from dagscape.control.limits import use_memory
from dagscape.executors.dask.parcels import Parcel
from dagscape.executors.dask.tasks import TASK_SECONDS, TASKS_PER_SECOND
from dagscape.landscape import optima
from dagscape.stores.runs import Store

say = Console(markup=False, highlight=False, width=120, soft_wrap=True).print

MANY = (1, 10, 100, 1_000, 10_000)
EMPTY_TASKS = 3_000


def main() -> None:
    """Measure, print and keep what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", default="hailfinder")
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    data = ds.load_network(asked.network).sample(asked.rows, seed=0)
    facts: dict[str, Any] = {
        "machine": describe(),
        "asked": {name: value for name, value in vars(asked).items() if name != "json"},
    }
    facts["seconds"] = scaling(data, asked.runs, asked.repeat)
    facts["sizes"], run_seconds = sizes(data)
    facts["run_seconds"] = run_seconds
    facts["rates"] = rates(data)
    report(facts, asked.runs)
    if asked.json:
        asked.json.write_text(json.dumps(facts, indent=1) + "\n")


def scaling(data: ds.Data, runs: int, repeat: int) -> dict[str, float]:
    """Return the seconds of so many runs, the least of some tries: here, and on workers."""
    best: dict[str, float] = {}

    def note(how: str, seconds: float) -> None:
        best[how] = min(seconds, best.get(how, seconds))

    for seed in range(repeat):  # another seed each time; all ways in turn, since machines are noisy
        for threads in (1, 2):
            fresh = ds.Data(data)
            start = time.perf_counter()
            ds.local_optima(fresh, score="bic", runs=runs, seed=seed, threads=threads)
            note(f"threads {threads}", time.perf_counter() - start)
        for workers in (1, 2):
            with workers_here(workers) as client:
                start = time.perf_counter()
                ds.local_optima(data, score="bic", runs=runs, seed=seed, cluster=client)
                note(f"workers {workers}", time.perf_counter() - start)
    return best


@contextmanager
def workers_here(workers: int) -> Iterator[Client]:
    """Yield a client of a cluster of processes, warmed up: imports are done."""
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs="ERROR"
        ) as processes,
        Client(processes) as client,
    ):
        tiny = ds.load_network("asia").sample(50, seed=0)
        ds.local_optima(tiny, score="bic", runs=20, cluster=client)
        yield client


def sizes(data: ds.Data) -> tuple[dict[str, float], float]:
    """Return the bytes that travel, and the seconds that a run takes when the counts are there."""
    settings = optima.KesRuns(ds.BIC(), 0.8, None, "auto", 0)
    budget = Budget(None, use_memory(None), 1, None)
    optima.kes_batch(data, settings, range(20), budget)
    start = time.perf_counter()
    runs, _ = optima.kes_batch(data, settings, range(20, 120), budget)
    each = (time.perf_counter() - start) / len(runs)
    task = (optima.kes_batch, settings, range(100), None, "0.0.0")
    return {
        "table": data.codes.nbytes,
        "parcel": len(pickle.dumps(Parcel(data.fingerprint, data))),
        "task": len(pickle.dumps(task)),
        "result_of_a_run": len(pickle.dumps(runs)) / len(runs),
    }, each


def rates(data: ds.Data) -> dict[str, float]:
    """Return tasks a second through a scheduler, and runs a second into a store."""
    with workers_here(1) as client:
        start = time.perf_counter()
        client.gather(client.map(int, range(EMPTY_TASKS), pure=False))
        tasks = EMPTY_TASKS / (time.perf_counter() - start)
    settings = optima.KesRuns(ds.BIC(), 0.8, None, "auto", 0)
    budget = Budget(None, use_memory(None), 1, None)
    runs, _ = optima.kes_batch(data, settings, range(200), budget)
    batch = [run._replace(run=i) for i, run in enumerate(runs * 25)]
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "runs", {"kind": "measured"}, data.names) as store,
    ):
        start = time.perf_counter()
        store.add(batch)
        kept = len(batch) / (time.perf_counter() - start)
    return {"tasks_a_second": tasks, "runs_kept_a_second": kept}


def report(facts: dict[str, Any], runs: int) -> None:
    """Print what was measured, and what follows for many workers."""
    seconds, sizes, rates = facts["seconds"], facts["sizes"], facts["rates"]
    each = facts["run_seconds"]
    say(f"{runs:,} runs, seconds (the least of {facts['asked']['repeat']} tries)")
    for how, took in seconds.items():
        say(f"  {how:10} {took:7.2f}")
    for how in ("threads", "workers"):
        say(f"  {how}: efficiency at 2 {seconds[f'{how} 1'] / seconds[f'{how} 2'] / 2:.0%}")
    say(f"a run takes {1000 * each:.2f} ms once its counts are there")
    for name, size in sizes.items():
        say(f"  {name.replace('_', ' '):16} {size:12,.0f} bytes")
    for name, rate in rates.items():
        say(f"  {name.replace('_', ' '):20} {rate:10,.0f}")
    say(f"{'threads':>8} {'task takes':>11} {'tasks/s':>8} {'runs/s':>10} {'results':>12}  limit")
    for threads in MANY:
        task = max(TASK_SECONDS, threads / TASKS_PER_SECOND)
        per_second = threads / each
        traffic = per_second * sizes["result_of_a_run"] / 1e6
        limit = ""
        if per_second > rates["runs_kept_a_second"]:
            limit = f"keeping runs: {rates['runs_kept_a_second'] / per_second:.0%} of it"
        say(
            f"{threads:8,} {task:9.0f} s {threads / task:8.0f} {per_second:10,.0f} "
            f"{traffic:8.1f} MB/s  {limit}"
        )


if __name__ == "__main__":
    main()
