"""Networks in files that other programs open: names are made safe where that is needed."""

import csv
import io
from pathlib import Path

import dagscape as ds
from dagscape.cli.output import write_text
from dagscape.files.spreadsheets import guarded
from dagscape.networks import Renamed
from dagscape.words import counted

SAFE = {".bif": True, ".bifxml": True, ".xmlbif": True, ".xml": True, ".xdsl": False}
"""Formats whose other readers take words of letters, digits and underscores alone, and whether
states may be whole numbers in them."""


def write_portable(net: ds.Network, target: Path) -> list[Renamed]:
    """Write a network with names that other readers take; where some changed, a table of them."""
    endings = [suffix.lower() for suffix in target.suffixes[-2:]]
    ending = next((each for each in endings if each in SAFE), None)
    safe, renamed = (net, []) if ending is None else ds.portable(net, numbers=SAFE[ending])
    ds.write_network(safe, target)
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


def said_of_names(renamed: list[Renamed], target: Path) -> str:
    """Say that names were made safe, and where the table of them is."""
    first = renamed[0]
    return (
        f"{counted(len(renamed), 'name')} made safe for other readers, such as "
        f'"{first.state or first.variable}" ({first.became}), in {target}; '
        f"{names_file(target)} lists them"
    )
