"""The tools. A file each: ``NAME``, ``PACKAGE``, ``prepare`` and a function for each thing it does.

``prepare(table)`` brings a table into the form that the tool wants, and is not measured. An action
takes that and options by name, and returns something for JSON; one that learns a network returns a
``found(...)``. What a tool cannot do has no function here: the page says "none".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any

from benchmarks.compare.table import Table

OF_SERIES = ("tigramite", "statsmodels")
"""Tools that have networks over time, and no others."""
TOOLS = ("dagscape", "pgmpy", "pyagrum", "pybnesian", "causal_learn", "gies", *OF_SERIES)


def load_peer(tool: str) -> ModuleType:
    """Return the file of a tool."""
    return import_module(f"benchmarks.compare.peers.{tool}_peer")


def can(tool: str, action: str) -> bool:
    """Tell whether a tool does something of this kind."""
    return hasattr(load_peer(tool), action)


def versions(tools: Iterable[str]) -> dict[str, str]:
    """Return what is installed."""
    return {peer.PACKAGE: version(peer.PACKAGE) for peer in map(load_peer, tools)}


def found(
    arcs: Iterable[tuple[str, str]], undirected: Iterable[tuple[str, str]] = (), **facts: Any
) -> dict[str, Any]:
    """Return a graph as a job's answer."""
    return {
        "arcs": sorted([str(a), str(b)] for a, b in arcs),
        "undirected": sorted([str(a), str(b)] for a, b in undirected),
        **facts,
    }


def by_series(table: Table) -> tuple[list[str], list[Any]]:
    """Return the names of series, and an array of steps for each value of the column "series"."""
    assert table.numbers is not None  # noqa: S101
    names = [name for name in table.names if name != "series"]
    values = table.numbers[:, [table.names.index(name) for name in names]]
    if "series" not in table.names:
        return names, [values]
    whose = table.numbers[:, table.names.index("series")]
    return names, [values[whose == each] for each in sorted(set(whose))]


def each(sources: Mapping[str, str], read: Callable[[str], Any]) -> dict[str, Any]:
    """Return what is read from each source, or a sentence where it cannot be read."""

    def one(source: str) -> Any:
        try:
            return read(source)
        except Exception as error:  # of whatever tool
            return " ".join(f"{type(error).__name__}: {error}".split())[:200]

    return {name: one(source) for name, source in sources.items()}
