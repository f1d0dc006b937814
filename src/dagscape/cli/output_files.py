"""Files to be written: what is wrong with them is said before the work."""

import csv
import io
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import dagscape as ds
from dagscape.cli.file_kinds import ARCS, GRAPH, GRAPH_ENDINGS, kind_of
from dagscape.cli.output import write_text
from dagscape.files.spreadsheets import guarded
from dagscape.networks import SafeName
from dagscape.words import counted

SAFE = {".bif": True, ".bifxml": True, ".xmlbif": True, ".xml": True, ".xdsl": False}
"""Formats whose other readers take words of letters, digits and underscores alone, and whether
states may be whole numbers in them."""


def write_portable(net: ds.Network, target: Path) -> list[SafeName]:
    """Write a network with names that other readers take; where some changed, a table of them."""
    endings = [suffix.lower() for suffix in target.suffixes[-2:]]
    ending = next((each for each in endings if each in SAFE), None)
    safe, renamed = (net, []) if ending is None else net.portable(numbers=SAFE[ending])
    safe.write(target)
    if renamed:
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(("variable", "state", "became"))
        writer.writerows([guarded(each or "") for each in row] for row in renamed)
        write_text(names_file(target), lines.getvalue())
    return renamed


def names_file(target: Path) -> Path:
    """Return the file that says what became what."""
    return target.with_name(f"{target.name.split('.')[0]}-names.csv")


def said_of_names(renamed: list[SafeName], target: Path) -> str:
    """Say that names were made safe, and where the table of them is."""
    first = renamed[0]
    return (
        f"{counted(len(renamed), 'name')} made safe for other readers, such as "
        f'"{first.state or first.variable}" ({first.became}), in {target}; '
        f"{names_file(target)} lists them"
    )


def seconds_to_write(data: ds.Data, *, page: bool = False, pictures: bool = False) -> float:
    """Return roughly how long it takes to fit a network and write it, and a page that shows it.

    Pictures are drawn beside the page, one as SVG and one as PDF.

    Measured: what each row, variable and state costs. A drawing takes a second or two at most, and
    what is said of each edge less than a thousandth of a second; beside numbers, all other numbers
    are looked at for each edge.
    """
    states = sum(data.arities.values())
    seconds = 0.05 + 5e-9 * data.n_rows * data.n_variables + 5e-5 * data.n_variables + 3e-6 * states
    if page:
        drawing = min(2.0, 2e-3 * data.n_variables) + 6e-4 * data.n_variables
        seconds += 1e-7 * len(data.numbers) ** 2
        seconds = 2 * seconds + 1e-4 * data.n_variables + drawing * (3 if pictures else 1)
    return seconds


def refuse_unwritable(output: Path) -> None:
    """Refuse a file that has no place, or none where one may write."""
    folder = output.parent
    if output.is_dir():
        raise ds.ParameterError(f'"{output}" is a folder; name a file in it')
    if not folder.is_dir():
        raise ds.ParameterError(f'"{output}" cannot be written: there is no folder "{folder}"')
    if not os.access(folder, os.W_OK):
        raise ds.ParameterError(f'"{output}" cannot be written: "{folder}" is read-only')


def try_out(write: Callable[[Path], object], name: str, shown: str) -> None:
    """Write something small elsewhere, to see whether names and ending will do."""
    with tempfile.TemporaryDirectory() as elsewhere:
        trial = Path(elsewhere, name)
        try:
            write(trial)
        except ds.DagscapeError as error:
            raise type(error)(str(error).replace(str(trial), shown)) from None


def needs_table(output: Path) -> bool:
    """Tell whether a file takes a network with its tables, not a graph alone."""
    return kind_of(output) not in (GRAPH, ARCS)


def write_found(dag: ds.Dag, table: ds.Data | None, output: Path) -> list[SafeName]:
    """Write a network that was found: its graph alone, or fitted to the table.

    Returns the names that were made safe for other readers, if there are any.
    """
    if not needs_table(output):
        ds.write_graph(dag, output)
    elif table is not None:
        return write_portable(ds.fit(dag, table), output)
    else:
        raise ds.ParameterError(
            f'"{output}" needs a table to fit the network to, and a score file has no rows; name a '
            f"graph file ({GRAPH_ENDINGS}), or use --save"
        )
    return []


def try_network(names: Sequence[str], table: ds.Data | None, output: Path) -> None:
    """Write a network without arcs elsewhere, to see whether names and file will do."""
    refuse_unwritable(output)
    empty = ds.Dag(names)
    if needs_table(output) and table is None:
        write_found(empty, table, output)  # which refuses it
    try_out(lambda path: write_found(empty, table, path), output.name, str(output))
