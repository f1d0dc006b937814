"""What the page tells of the table, and of each variable: states, counts and its own table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dagscape as ds
from dagscape.networks import GaussianNode, SoftmaxNode
from dagscape.notes import NAMED, Note, in_no_words, sentences

CELLS = 4096
"""The most cells of a table that is shown."""
MOST_FITTED = 300
"""Variables of tables with numbers to which lines are fitted for the page."""
ALL_CELLS = 100_000
"""The most cells of all tables together, a megabyte; the smaller tables come first."""


def variables_of(
    dag: ds.Dag, data: ds.Data | None, network: ds.Network | None
) -> list[dict[str, Any]]:
    """Return for each variable its parents, states, counts and table, as far as they are known.

    The table has a row for each configuration of the parents, the last parent's states changing
    fastest.
    """
    number = {name: i for i, name in enumerate(dag.names)}
    shown = set() if network is None else _that_fit(network)
    states = None if network is None else network.states
    counts = {} if data is None else counts_of(dag.names, data, states)
    found = []
    for name in dag.names:
        about: dict[str, Any] = {"parents": [number[parent] for parent in dag.parents(name)]}
        if network is not None:
            about["states"] = list(network.states[name])
            about["cells"] = network.table(name).size
            if name in shown:
                axes = [network.dag.parents(name).index(parent) for parent in dag.parents(name)]
                table = network.table(name).transpose(*axes, len(axes))
                about["table"] = _rounded(table.reshape(-1, table.shape[-1]))
        if name in counts and data is not None:
            about.setdefault("states", list(data.states[name]))
            about["counts"] = counts[name]
        found.append(about)
    return found


def add_tables(variables: list[dict[str, Any]], dag: ds.Dag, data: ds.Data) -> None:
    """Beside numbers, add the tables of variables of which the parents, too, hold states."""
    discrete = [name for name in dag.names if data.states[name]]
    arcs = [(a, b) for a, b in dag.arcs if data.states[a] and data.states[b]]
    if not discrete:
        return
    network = ds.fit(ds.Dag(discrete, arcs), data.select(discrete))
    tables = variables_of(network.dag, None, network)
    for name, told in zip(network.dag.names, tables, strict=True):
        if all(data.states[parent] for parent in dag.parents(name)):
            about = variables[dag.names.index(name)]
            about |= {key: told[key] for key in ("cells", "table") if key in told}


def add_lines(
    variables: list[dict[str, Any]], dag: ds.Dag, data: ds.Data, network: ds.Network | None
) -> None:
    """Beside numbers, add what the page answers by: lines, odds that follow numbers, and tables."""
    if network is None and len(dag.names) <= MOST_FITTED:
        try:
            network = ds.fit(dag, data)
        except ds.DagscapeError:
            return  # a column that cannot be fitted; the page says that it cannot answer
    if network is None:
        return
    for about, name in zip(variables, dag.names, strict=True):
        node = network.node_for(name, dag)
        if isinstance(node, GaussianNode | SoftmaxNode):
            parts = {part: [_short(x) for x in values] for part, values in node.values().items()}
            about["node"] = {"kind": node.kind} | parts


def _short(value: float) -> float:
    return float(f"{value:.10g}")


def counts_of(
    names: Sequence[str], data: ds.Data, states: Mapping[str, Sequence[str]] | None
) -> dict[str, list[int]]:
    """Return how often each state of each variable occurs, in the order of a network's states.

    Continuous variables have none.
    """
    discrete = [name for name in names if data.states[name]]
    if not discrete:
        return {}
    own = data.states
    found = {}
    for name in discrete:
        counts = list(data.counts(name).values())
        if states is not None and tuple(states[name]) != tuple(own[name]):
            counts = _in_order(name, dict(zip(own[name], counts, strict=True)), states[name])
        found[name] = counts
    return found


def _in_order(name: str, counts: Mapping[str, int], states: Sequence[str]) -> list[int]:
    known = set(states)
    for state, count in counts.items():
        if count and state not in known:
            raise ds.ParameterError(
                f'column "{name}" of the data has a state "{state}" that the network lacks'
            )
    return [counts.get(state, 0) for state in states]


def _that_fit(network: ds.Network) -> set[str]:
    """Return the variables whose tables there is room for."""
    room, shown = ALL_CELLS, set()
    for cells, name in sorted((network.table(name).size, name) for name in network.names):
        room -= cells
        if cells > CELLS or room < 0:
            break
        shown.add(name)
    return shown


def _rounded(rows: Any) -> list[list[float]]:
    return [[float(f"{value:.6g}") for value in row] for row in rows]


# What the page tells of the table: sentences, and all the columns that a sentence is about.

MOST_LISTED = 1000
"""The most columns that are listed below a sentence: some tens of kilobytes."""


def notes_of(notes: Sequence[Note]) -> list[dict[str, Any]]:
    """Return what is to be known of the table, the loud first.

    A sentence names a few columns; where it is about more, `columns` has each with its values or
    counts, and `more` says how many are left out even so.
    """
    shown = []
    for said in sorted(sentences(notes, in_no_words), key=lambda said: not said.loud):
        about = [note for note in said.notes if note.column is not None]
        listed = about[:MOST_LISTED] if len(about) > NAMED else []
        shown.append(
            {
                "words": said.words,
                "loud": said.loud,
                "columns": [[note.column, _detail(note)] for note in listed],
                "more": len(about) - len(listed) if listed else 0,
            }
        )
    return shown


def _detail(note: Note) -> str:
    if note.examples:
        return ", ".join(f'"{example}"' for example in note.examples)
    return ", ".join(f"{number:,} {name}" for name, number in note.counts.items())
