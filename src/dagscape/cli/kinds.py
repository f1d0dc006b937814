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
    NETWORK: (".bif", ".xmlbif", ".xml", ".json", ".xdsl", ".net"),
    GRAPH: (".graphml", ".gml", ".dot"),
    SCORES: (".jkl", ".pss"),
    ARCS: (".csv", ".tsv"),
    TABLE: (".tab", ".parquet", ".pq", ".arrow", ".feather", ".ipc"),
}
PACKED = (".gz", ".zst")


def kind_of(name: str | Path) -> str:
    """Return what a file of this name holds."""
    path = Path(name)
    ending = Path(path.stem if path.suffix.lower() in PACKED else path).suffix.lower()
    return next((kind for kind, endings in ENDINGS.items() if ending in endings), UNKNOWN)
