"""``dagscape convert``: the same network or table in another format."""

from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.inputs import Discretize, Missing, Seed, Separator, read_data, read_network
from dagscape.cli.output import note, note_warnings

NETWORK = (".bif", ".xmlbif", ".xml", ".json", ".xdsl", ".net")


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="File to read, or the name of an embedded network.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write.")],
    missing: Missing = "error",
    discretize: Discretize = None,
    separator: Separator = None,
    seed: Seed = 0,
) -> None:
    """Convert a network or a table; the endings of the names say from what to what.

    Networks: .bif, .xmlbif, .json; with pyAgrum also .xdsl and .net. Tables: .csv, .tsv, .parquet,
    .arrow. The options are for tables.
    """
    if source in ds.embedded_networks() or _is_network(Path(source)):
        if missing != "error" or discretize is not None or separator is not None:
            raise ds.ParameterError(
                f'--missing, --discretize and --separator are for tables; "{source}" is a network'
            )
        net = read_network(source)
        ds.write_network(net, target)
        note(f"{len(net.names):,} variables and {len(net.dag.arcs):,} arcs in {target}")
    else:
        data = read_data(Path(source), discretize, missing, separator, seed)
        data.write(target)
        note(f"{data.n_rows:,} rows of {data.n_variables:,} variables in {target}")
        note_warnings(data)


def _is_network(path: Path) -> bool:
    endings = [ending.lower() for ending in path.suffixes if ending.lower() != ".gz"]
    return endings[-1:] != [] and endings[-1] in NETWORK
