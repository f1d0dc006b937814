"""Where the data sets are: an option, a variable, or beside the repository."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

import dagscape as ds

BESIDE = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def data_folder() -> Path:
    """Return where the data sets are if nothing is said: by the variable, or beside."""
    given = os.environ.get("DAGSCAPE_DATA")
    return Path(given) if given else BESIDE


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--data``; without it ``DAGSCAPE_DATA`` counts, then the folder beside this one."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=data_folder(),
        help="folder of data sets; DAGSCAPE_DATA, or ../shared/data, if not given",
    )


def check_folder(parser: argparse.ArgumentParser, folder: Path) -> None:
    """End with a sentence if the folder is not there."""
    if not folder.is_dir():
        parser.error(
            f"there is no folder {folder}; --data names the one with the data sets, and "
            "docs/reproduce/data.md says where they are from"
        )


def each_set(
    screen: Console,
    options: argparse.Namespace,
    folder: str,
    file: Callable[[str], str] = str,
) -> Iterator[tuple[str, ds.Data]]:
    """Yield the tables that were asked for, by name; say which are not there."""
    for name in options.only:
        path = options.data / folder / f"{file(name)}.csv.gz"
        if not path.is_file():
            screen.print(f"{name}: left out, there is no {path} (docs/reproduce/data.md)")
            continue
        yield name, ds.read_data(path)
