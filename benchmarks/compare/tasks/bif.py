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
pyAgrum's reader and writer are compiled, dagscape's are Python.
""",
    "grown_mb": """
dagscape holds the whole text of a file beside the network while it reads or writes, and
probabilities in double precision, of which pyAgrum keeps half the digits.
""",
}

SINGLE = (
    "pyAgrum reads probabilities in single precision and writes them so, 0.9 as 0.8999999761581421"
)


def jobs(setup: Setup) -> Iterator[Job]:
    """Yield the jobs; each network is written before it is read."""
    import dagscape as ds

    tools = [tool for tool in setup.tools if can(tool, "read_bif")]
    if OURS not in tools:
        return
    networks = QUICK if setup.quick else ds.embedded_networks()
    for network in networks:
        for tool in tools:
            source, target = _file(network, OURS), _file(network, tool)
            options = {"network": network, "source": source, "target": target}
            before = "open_embedded" if tool == OURS else "open_bif"
            case = f"write {network}"
            yield Job(NAME, case, tool, "write_bif", None, None, options, LIMIT, before=before)
    for network in networks:
        for tool in tools:
            options = {"source": _file(network, OURS)}
            case = f"read {network}"
            yield Job(NAME, case, tool, "read_bif", None, None, options, LIMIT, before="load")
    # What the others wrote is read in one process for each pair, since only its content matters.
    for writer in tools:
        for tool in tools:
            options = {"sources": {network: _file(network, writer) for network in networks}}
            case = f"what {load_peer(writer).NAME} wrote"
            yield Job(NAME, case, tool, "read_all_bif", None, None, options, 60.0, before="load")


def _file(network: str, writer: str) -> str:
    return f"{network}-{writer}.bif"


def judge(job: Job, answer: Any, data: DataSets) -> Record:  # noqa: ARG001
    """Compare networks that were read with the bundled ones."""
    if job.action != "read_all_bif":
        return {}
    peer = load_peer(OURS)
    found = {}
    for network, read in answer.items():
        if isinstance(read, str):  # why it could not be read
            found[network] = {"same": False, "different": read}
        else:
            truth = peer.describe_network(peer.open_embedded(network))
            found[network] = compare(truth, read)
    return {"networks": found, "untimed": True}  # the time has more in it than reading


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
    timed = [record for record in records if record["action"] != "read_all_bif"]
    crossed = [record for record in records if record["action"] == "read_all_bif"]
    return "\n\n".join([ABOUT.strip(), _times(timed), _crossed(crossed), ahead(timed, REASONS)])


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
    found = cells(records)
    tools = list(dict.fromkeys(tool for _, tool in found))
    rows, remarks = [], []
    for case in dict.fromkeys(case for case, _ in found):
        row = [case]
        for tool in tools:
            record = found[case, tool][0]
            row.append(_count(record["networks"]) if "networks" in record else not_done(record))
            remarks += [
                f"{load_peer(tool).NAME} reading {network}, {case}: {facts['different']}"
                for network, facts in record.get("networks", {}).items()
                if "different" in facts
            ]
        rows.append(row)
    titles = ["the same after reading", *(f"{load_peer(tool).NAME} reads" for tool in tools)]
    single = any(
        not facts["same"] and "error" in facts
        for record in found.get((f"what {load_peer(OURS).NAME} wrote", "pyagrum"), [])
        for facts in record.get("networks", {}).values()
    )
    if single:
        remarks.append(SINGLE)
    said = f"\n\nNot the same: {'; '.join(remarks)}." if remarks else ""
    return table(titles, rows) + said


def _count(networks: dict[str, Record]) -> str:
    """Return how many are the same, and how far off the probabilities of the others are."""
    count = f"{sum(facts['same'] for facts in networks.values())} of {len(networks)}"
    off = [f["error"] for f in networks.values() if not f["same"] and "error" in f]
    return f"{count}, {len(off)} to within {max(off):.0e}" if off else count


TASK = Task(NAME, "BIF files", jobs, judge, section)
