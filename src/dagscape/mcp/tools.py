"""What the tools answer: a claim with its scope, and the numbers that it is about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

import dagscape as ds
from dagscape.mcp.permissions import Permissions

Answer = dict[str, Any]

READING = (
    *("columns", "leave_out", "separator", "missing_values", "missing", "header", "states"),
    *("discretize", "kinds", "trim", "decimal", "rows_independent", "weights", "survey_weights"),
    *("clusters", "groups"),
)
"""Settings of :func:`read_data` that an agent may give."""

MOST_ROWS = 500
"""Of a table in an answer; the strongest are kept, and how many were left out is said."""

SURE = "as the table and these settings have it; arcs are causes only if nothing else explains them"


def check(permissions: Permissions, table: str) -> Answer:
    """Look for what is wrong with a table."""
    found = ds.check(permissions.to_read(table))
    told = found.to_dict()
    del told["command"], told["call"], told["file"]
    problems = len(found.sentences)
    claim = f"{problems} to look at" if found else "nothing to mend"
    if found.refused:
        claim = f"cannot be read: {found.refused}"
    return {"claim": claim, "reading": told.pop("settings"), **told}


def learn(
    permissions: Permissions,
    table: str,
    reading: Mapping[str, Any] | None = None,
    seed: int = 0,
    save: str | None = None,
    **asked: Any,
) -> Answer:
    """Learn a network, and what to trust in it."""
    files = _files_of(permissions, save)
    problem = _problem(permissions, table, reading, **asked)
    r = ds.learn(problem, **_means(permissions), seed=seed)
    if files:
        _network(r, problem.data).write(files["network"])
        r.report(files["page"])
    edges, left_out = _rows(r.features(frame="polars").to_dicts())
    consensus = r.consensus
    return {
        "claim": r.claim,
        "scope": r.scope.to_dict(),
        "holds": SURE,
        "score": r.score,
        "score_name": r.score_name,
        "bound": r.bound,
        "method": r.method,
        "stopped": r.stopped,
        "seconds": r.seconds,
        "graph": _graph(r.mpdag),
        "consensus": None if consensus is None else _graph(consensus),
        "edges": edges,
        "edges_left_out": left_out,
        "notes": _notes(problem.data),
        "files": {what: path.name for what, path in files.items()},
    }


def posterior(
    permissions: Permissions,
    table: str,
    reading: Mapping[str, Any] | None = None,
    kind: str = "arcs",
    least: float = 0.05,
    seed: int = 0,
    **asked: Any,
) -> Answer:
    """Compute how probable features of networks are."""
    problem = _problem(permissions, table, reading, **asked)
    P = ds.posterior(problem, **_means(permissions), seed=seed)
    rows, left_out = _rows(P.features(kind, least=least, frame="polars").to_dicts())
    return {
        "claim": P.claim,
        "scope": P.scope.to_dict(),
        "holds": SURE,
        "exact": P.exact,
        "rows_independent": P.rows_independent,
        "kind": kind,
        "least": least,
        "features": rows,
        "features_left_out": left_out,
        "stopped": P.stopped,
        "seconds": P.seconds,
        "notes": _notes(problem.data),
    }


def query(
    permissions: Permissions,
    targets: Sequence[str],
    network: str | None = None,
    table: str | None = None,
    reading: Mapping[str, Any] | None = None,
    given: Mapping[str, Any] | None = None,
    do: Mapping[str, str] | None = None,
) -> Answer:
    """Ask a network, or the one that is learned from a table."""
    if (network is None) == (table is None):
        raise ds.ParameterError("give a network or a table, one of them")
    if network is not None:
        net, of, notes = ds.read_network(permissions.to_read(network)), f"the network {network}", []
    else:
        data = _table(permissions, str(table), reading)
        r = ds.learn(data, runs=0, resamples=0, **_means(permissions))
        net = _network(r, data)
        of, notes = f"the network learned from {table}: {r.claim}, {r.score_name}", _notes(data)
    if do:
        net = net.do(dict(do))
    answers = [net.query(name, given=dict(given or {})) for name in _names(targets)]
    exact = all(answer.exact for answer in answers)
    return {
        "claim": f"{'exact' if exact else 'estimated'} answers of {of}",
        "scope": {"network": of, "given": dict(given or {}), "do": dict(do or {})},
        "answers": [answer.to_dict() for answer in answers],
        "notes": notes,
    }


def effect(
    permissions: Permissions,
    table: str,
    cause: str,
    outcome: str,
    reading: Mapping[str, Any] | None = None,
    seed: int = 0,
    **asked: Any,
) -> Answer:
    """Estimate what setting a cause does to an outcome."""
    problem = _problem(permissions, table, reading, **asked)
    for name in (cause, outcome):
        problem.data.select([name])  # refuses a wrong name before anything takes long
    P = ds.posterior(problem, **_means(permissions), seed=seed)
    found = ds.effect(
        P, cause, outcome, data=problem.data, seed=seed, max_memory=permissions.memory
    )
    return {
        **found.to_dict(),
        "scope": P.scope.to_dict(),
        "posterior": P.claim,
        "words": str(found).splitlines(),
        "stopped": P.stopped,
        "notes": _notes(problem.data),
    }


def examine(
    permissions: Permissions,
    table: str,
    graph: str | Sequence[Sequence[str]],
    reading: Mapping[str, Any] | None = None,
    seed: int = 0,
    **asked: Any,
) -> Answer:
    """Set a graph beside a table."""
    problem = _problem(permissions, table, reading, **asked)
    drawn: Any = graph
    if isinstance(graph, str):
        drawn = ds.read_graph(permissions.to_read(graph))
    else:
        drawn = [(str(a), str(b)) for a, b in map(_pair, graph)]
    found = ds.examine(drawn, problem, **_means(permissions), seed=seed)
    told = found.to_dict()
    del told["dagscape"], told["kind"]
    if isinstance(found, ds.examinations.PagExamination):
        holds = "tests of what the graph implies, corrected for their number"
    elif found.proven:
        holds = "no network scores higher than the best, which is proven"
    else:
        holds = "the best network is the best found, not proven"
    return {
        "claim": repr(found)[1:-1].partition(": ")[2],
        "scope": found.best.scope.to_dict(),
        "holds": holds,
        **told,
        "summary": found.summary.splitlines(),
    }


TOOLS = {each.__name__: each for each in (check, learn, posterior, query, effect, examine)}
"""The tools by name."""


def finite(value: Any) -> Any:
    """Return a value as JSON has it: infinite numbers and none as null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    return value


def _table(permissions: Permissions, table: str, reading: Mapping[str, Any] | None) -> ds.Data:
    given = dict(reading or {})
    if unknown := [name for name in given if name not in READING]:
        raise ds.ParameterError(
            f'reading has no setting "{unknown[0]}"; it has {", ".join(READING)}'
        )
    if isinstance(cuts := given.get("discretize"), list | dict):
        given["discretize"] = _cuts(cuts)
    return ds.read_data(permissions.to_read(table), **({"missing": "keep"} | given))


def _cuts(cuts: Any) -> Any:
    """Return rules for cutting with pairs as tuples, which JSON has not."""
    if isinstance(cuts, dict):
        return {name: _cuts(rule) for name, rule in cuts.items()}
    return tuple(cuts) if isinstance(cuts, list) and cuts and isinstance(cuts[0], str) else cuts


def _problem(
    permissions: Permissions,
    table: str,
    reading: Mapping[str, Any] | None,
    knowledge: Mapping[str, Any] | None = None,
    **asked: Any,
) -> ds.Problem:
    data = _table(permissions, table, reading)
    return ds.Problem(data, knowledge=_known(knowledge), **asked)


def _known(knowledge: Mapping[str, Any] | None) -> ds.Knowledge | None:
    if not knowledge:
        return None
    parts = signature(ds.Knowledge).parameters
    if unknown := [name for name in knowledge if name not in parts]:
        raise ds.ParameterError(f'knowledge has no part "{unknown[0]}"; it has {", ".join(parts)}')
    return ds.Knowledge(**knowledge)


def _means(permissions: Permissions) -> dict[str, Any]:
    return {"time_limit": permissions.search_seconds, "max_memory": permissions.memory}


def _network(r: Any, data: ds.Data) -> ds.Network:
    """Return the network with its tables; what was learned with gaps has them already."""
    net: ds.Network = ds.fit(r.dag, data) if r.network is None else r.network
    return net


def _files_of(permissions: Permissions, save: str | None) -> dict[str, Any]:
    if save is None:
        return {}
    return {
        "network": permissions.to_write(f"{save}.json"),
        "page": permissions.to_write(f"{save}.html"),
    }


def _graph(graph: ds.Mpdag) -> Answer:
    return {
        "directed": [list(arc) for arc in graph.directed],
        "undirected": [list(edge) for edge in graph.undirected],
    }


def _rows(rows: list[Answer]) -> tuple[list[Answer], int]:
    return rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS)


def _notes(data: ds.Data) -> list[Answer]:
    return [note.to_dict() for note in data.notes]


def _names(targets: Sequence[str]) -> list[str]:
    if isinstance(targets, str) or not targets:
        raise ds.ParameterError(f"targets must be a list of variables, got {targets!r}")
    return list(targets)


def _pair(arc: Sequence[str]) -> tuple[str, str]:
    if isinstance(arc, str) or len(arc) != 2:
        raise ds.ParameterError(f"an arc is a pair of variables, from and to, got {arc!r}")
    return arc[0], arc[1]
