"""What kind of thing a file holds, by the ending of its name."""

from pathlib import Path

from dagscape.files import endings

NETWORK, GRAPH, SCORES, TABLE, ARCS, UNKNOWN = (
    "network",
    "graph",
    "file of scores",
    "table",
    "table or list of arcs",
    "unknown",
)
ENDINGS: dict[str, tuple[str, ...]] = {
    NETWORK: tuple(endings.NETWORKS),
    GRAPH: tuple(endings.GRAPHS),
    SCORES: tuple(endings.SCORES),
    ARCS: tuple(endings.ARCS),
    TABLE: tuple(
        ending
        for ending in (*endings.TEXT, *endings.PARQUET, *endings.ARROW)
        if ending not in endings.ARCS
    ),
}

GRAPH_ENDINGS = ", ".join((*endings.GRAPHS, ".csv"))
"""Those of files that hold a graph alone, for help and messages."""


def kind_of(name: str | Path) -> str:
    """Return what a file of this name holds."""
    ending = ending_of(name)
    return next((kind for kind, known in ENDINGS.items() if ending in known), UNKNOWN)


def is_text(name: str | Path) -> bool:
    """Tell whether a table of this name is text, without types of columns."""
    return ending_of(name) in endings.TEXT


def ending_of(name: str | Path) -> str:
    """Return the ending of a file's name, without that of a packed one."""
    path = Path(name)
    return Path(path.stem if path.suffix.lower() in endings.COMPRESSIONS else path).suffix.lower()
