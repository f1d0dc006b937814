"""From the words on the command line to data, networks and graphs."""

import csv
import re
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds

ARC_FILES = {".csv": ",", ".tsv": "\t"}

NETWORKS = ", ".join(ds.embedded_networks())
GRAPH_KINDS = f"network file, a .csv of arcs (columns from,to), or one of {NETWORKS}"

NetworkName = Annotated[
    str,
    typer.Argument(
        metavar="NETWORK", help=f"Network file (.bif, .xmlbif, .json), or one of {NETWORKS}."
    ),
]
Discretize = Annotated[
    str | None,
    typer.Option(
        metavar="RULE", help="Cut columns of decimal numbers: mean, median, quantile:3, width:4."
    ),
]
Missing = Annotated[
    str,
    typer.Option(metavar="POLICY", help="Missing values: error, drop, mode, random or state."),
]
Separator = Annotated[
    str | None, typer.Option(metavar="CHAR", help="What separates the cells of a text file.")
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of what is drawn at random.")]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def read_data(
    path: Path, discretize: str | None, missing: str, separator: str | None, seed: int
) -> ds.Data:
    """Read a table as the options say."""
    return ds.read_data(
        path,
        discretize=None if discretize is None else _rule(discretize),
        missing=missing,
        separator="\t" if separator in (r"\t", "tab") else separator,
        seed=seed,
    )


def _rule(text: str) -> str | tuple[str, int]:
    found = re.fullmatch(r"(mean|median)|(quantile|width):(\d{1,9})", text)
    if not found:
        raise ds.ParameterError(
            f'--discretize must be mean, median, quantile:K or width:K, got "{text}"'
        )
    return found[1] or (found[2], int(found[3]))


def read_network(name: str) -> ds.Network:
    """Read a network file, or load an embedded network by name."""
    if name in ds.embedded_networks():  # a file of that name would have an ending
        return ds.load_network(name)
    if not Path(name).suffix and not Path(name).exists():
        raise ds.ParameterError(
            f'no network is called "{name}"; give a file such as {name}.bif or one of {NETWORKS}'
        )
    return ds.read_network(name)


class Arcs(list[tuple[str, str]]):
    """Arcs of a graph whose other variables are not known."""


def read_graph(name: str) -> ds.Dag | Arcs:
    """Read the graph of a network, or a text file of arcs."""
    separator = ARC_FILES.get(Path(name).suffix.lower())
    return read_network(name).dag if separator is None else _read_arcs(Path(name), separator)


def _read_arcs(path: Path, separator: str) -> Arcs:
    arcs = Arcs()
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file, delimiter=separator, strict=True)
        try:
            header = next(lines, [])
            if sorted(header) != ["from", "to"]:
                got = separator.join(header) or "nothing"
                raise ds.FileFormatError(
                    f'{path}: a file of arcs has the columns "from" and "to", got {got}'
                )
            for cells in lines:
                if cells and len(cells) != 2:
                    where = f"{path}, line {lines.line_num}"
                    raise ds.FileFormatError(
                        f"{where}: an arc has two ends, got {len(cells)} cells"
                    )
                if cells:
                    start, end = cells if header[0] == "from" else reversed(cells)
                    arcs.append((start, end))
        except UnicodeDecodeError:
            raise ds.FileFormatError(f"{path}: not UTF-8 text; save it as UTF-8") from None
        except csv.Error as error:
            raise ds.FileFormatError(f"{path}, line {lines.line_num}: {error}") from None
    return arcs


def chosen_score(name: str, ess: float | None) -> ds.Score | str:
    """Return the score that --score and --ess name."""
    if ess is None:
        return name
    if name.lower() not in ds.BDeu.names:
        raise ds.ParameterError(f'--ess is a parameter of bdeu, the score is "{name}"')
    return ds.BDeu(ess=ess)
