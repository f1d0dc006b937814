"""What the ending of a file name promises: the one list of endings, by kind of file.

Readers and writers find themselves by the format that an ending stands for; the command line tells
kinds of files apart by it.
"""

NETWORKS = {
    ".bif": "bif",
    ".xmlbif": "xmlbif",
    ".bifxml": "xmlbif",
    ".xml": "xmlbif",
    ".json": "json",
    ".xdsl": "xdsl",
    ".net": "net",
    ".r": "r",
}
GRAPHS = {
    ".graphml": "graphml",
    ".gml": "gml",
    ".dot": "dot",
    ".tetrad": "tetrad",
    ".dagitty": "dagitty",
    ".modelstring": "modelstring",
}
ARCS = {".csv": "csv", ".tsv": "tsv"}
"""Lists of arcs, which tables may be as well."""
SCORES = {".jkl": "jkl", ".pss": "pss"}
TEXT = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
"""Tables as text, and what separates their cells."""
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
COMPRESSIONS = (".gz", ".zst")
