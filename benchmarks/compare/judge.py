"""How good an answer is: one scorer and one distance for all tools."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.datasets import DataSet, DataSets
from benchmarks.compare.graphs import essential, extension, shd
from benchmarks.compare.job import Job, Record
from benchmarks.compare.scorer import bic, gaussian_bic


def judge_graph(answer: dict[str, Any], data: DataSet) -> Record:
    """Return BIC, arcs and, where the true network is known, SHD of a graph.

    Tables of numbers and states have no score here: every tool has its own.

    A graph with undirected edges is extended to a DAG first; one that has no extension has no
    score, and says so.
    """
    names = data.table.names
    directed = [(a, b) for a, b in answer["arcs"]]
    undirected = [(a, b) for a, b in answer["undirected"]]
    facts: Record = {"edges": len(directed) + len(undirected)}
    try:
        arcs = extension(names, directed, undirected)
    except ValueError as error:
        return {**facts, "remark": f"not scored: {error}"}
    if data.table.numbers is None:
        facts["score"] = bic(data.table, arcs)
    elif not any(data.table.states):
        facts["score"] = gaussian_bic(data.table, arcs)
    if data.truth is not None:
        facts["shd"] = shd(essential(names, arcs), essential(names, data.truth))
    return facts


def judge_learned(job: Job, answer: Any, data: DataSets) -> Record:
    """Judge the graph that a job learned from its data."""
    facts = judge_graph(answer, data[job.data or ""])
    return facts | ({"proven": answer["proven"]} if "proven" in answer else {})
