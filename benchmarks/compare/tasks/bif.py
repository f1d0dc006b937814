"""Reading and writing the bundled networks as BIF, each tool what each other wrote."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Record, Setup
from benchmarks.compare.peers import can, load_peer
from benchmarks.compare.report.ahead import OURS, Reasons, ahead
from benchmarks.compare.report.summary import cells
from benchmarks.compare.report.tables import not_done, table
from benchmarks.compare.report.words import seconds, times
from benchmarks.compare.tasks import Task

NAME = "bif"
QUICK = ("asia", "alarm", "hailfinder")
LIMIT = 20.0
NEARLY = 1e-9  # probabilities this near are the same
ABOUT = """
dagscape writes every bundled network; each tool reads that file and writes it again; then each
tool reads what each wrote. "Same" is the same arcs, the same states in the same order and every
probability within 1e-9 of the bundled network. PyBNesian and causal-learn read no BIF.
"""
REASONS: Reasons = {
    "cpu_seconds": """
pyAgrum's reader and writer are compiled, dagscape's are
Python; on the bundled networks both take less than a person notices.
""",
}


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield the jobs; each network is written before it is read."""
    import dagscape as ds

    tools = [tool for tool in setup.tools if can(tool, "read_bif")]
    if OURS not in tools:
        return
    for network in QUICK if setup.quick else ds.embedded_networks():
        files = {tool: f"{network}-{tool}.bif" for tool in tools}
        for tool, file in files.items():
            options = {"network": network, "source": files[OURS], "target": file}
            before = "open_embedded" if tool == OURS else "open_bif"
            yield Job(
                NAME,
                f"write {network}",
                tool,
                "write_bif",
                None,
                None,
                options,
                LIMIT,
                before=before,
            )
        for writer, file in files.items():
            for tool in tools:
                case = f"read {network}" + ("" if writer == OURS else f" by {writer}")
                options = {"network": network, "source": file, "writer": writer}
                yield Job(NAME, case, tool, "read_bif", None, None, options, LIMIT, before="load")


def judge(job: Job, answer: Any, data: DataSets) -> Record:  # noqa: ARG001
    """Compare a network that was read with the bundled one."""
    if job.action != "read_bif":
        return {}
    peer = load_peer(OURS)
    return compare(peer.describe_network(peer.open_embedded(job.options["network"])), answer)


def compare(truth: dict[str, Any], read: dict[str, Any]) -> Record:
    """Return whether a network is the same as another; if not, what is different."""
    if truth.keys() != read.keys():
        return {"same": False, "different": "variables"}
    worst = 0.0
    for name, node in truth.items():
        other = read[name]
        if set(node["parents"]) != set(other["parents"]):
            return {"same": False, "different": f"parents of {name}"}
        if node["states"] != other["states"]:
            return {"same": False, "different": f"states of {name}"}
        axes = [other["parents"].index(parent) for parent in node["parents"]]
        theirs = np.transpose(np.asarray(other["table"]), [*axes, len(axes)])
        worst = max(worst, float(np.abs(np.asarray(node["table"]) - theirs).max()))
    same = worst <= NEARLY
    return {"same": same, "error": worst}


def section(records: list[Record]) -> str:
    """Write the section of the page."""
    timed = [record for record in records if " by " not in record["case"]]
    parts = [ABOUT.strip(), _times(timed), _crossed(records), ahead(timed, REASONS)]
    return "\n\n".join(parts)


def _times(records: list[Record]) -> str:
    found = cells(records)
    tools = list(dict.fromkeys(tool for _, tool in found))
    rows = []
    for case in dict.fromkeys(case for case, _ in found):
        ours = found.get((case, OURS), [{}])[0].get("cpu_seconds")
        row = [case]
        for tool in tools:
            record = found[case, tool][0]
            if record["status"] == "done":
                ratio = times(record["cpu_seconds"] / ours) if ours and tool != OURS else ""
                row.append(f"{seconds(record['cpu_seconds'])} {f'({ratio})' if ratio else ''}")
            else:
                row.append(not_done(record))
        rows.append(row)
    return table(["CPU s", *(load_peer(tool).NAME for tool in tools)], rows)


def _crossed(records: list[Record]) -> str:
    """Return how many of the networks that each tool wrote each tool reads back the same."""
    reads = [record for record in records if record["action"] == "read_bif"]
    tools = list(dict.fromkeys(record["tool"] for record in reads))
    rows, remarks = [], []
    for writer in tools:
        row = [f"written by {load_peer(writer).NAME}"]
        for tool in tools:
            some = [r for r in reads if r["tool"] == tool and r["options"]["writer"] == writer]
            row.append(_count(some))
            remarks += [
                f"{load_peer(tool).NAME} on {r['options']['network']} by {load_peer(writer).NAME}: "
                + r.get("different", not_done(r))
                for r in some
                if "error" not in r
            ]
        rows.append(row)
    titles = ["same after reading", *(f"{load_peer(tool).NAME} reads" for tool in tools)]
    said = f"\n\nNot the same: {'; '.join(remarks)}." if remarks else ""
    return table(titles, rows) + said


def _count(records: list[Record]) -> str:
    """Return how many are the same, and how far off the probabilities of the others are."""
    count = f"{sum(record.get('same', False) for record in records)} of {len(records)}"
    off = [r["error"] for r in records if not r.get("same", False) and "error" in r]
    return f"{count}, {len(off)} to within {max(off):.0e}" if off else count


TASK = Task(NAME, "BIF files", jobs, judge, section)
