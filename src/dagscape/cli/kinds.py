"""What kind of thing a file holds, by the ending of its name."""

from pathlib import Path

NETWORK, GRAPH, SCORES, TABLE, ARCS, UNKNOWN = (
    "network",
    "graph",
    "file of scores",
    "table",
    "table or list of arcs",
    "unknown",
)
ENDINGS = {
    NETWORK: (".bif", ".xmlbif", ".bifxml", ".xml", ".json", ".xdsl", ".net", ".r"),
    GRAPH: (".graphml", ".gml", ".dot"),
    SCORES: (".jkl", ".pss"),
    ARCS: (".csv", ".tsv"),
    TABLE: (".tab", ".parquet", ".pq", ".arrow", ".feather", ".ipc"),
}
PACKED = (".gz", ".zst")


def kind_of(name: str | Path) -> str:
    """Return what a file of this name holds."""
    ending = _ending(name)
    return next((kind for kind, endings in ENDINGS.items() if ending in endings), UNKNOWN)


def is_text(name: str | Path) -> bool:
    """Tell whether a table of this name is text, without types of columns."""
    return _ending(name) in (*ENDINGS[ARCS], ".tab")


def _ending(name: str | Path) -> str:
    path = Path(name)
    return Path(path.stem if path.suffix.lower() in PACKED else path).suffix.lower()
