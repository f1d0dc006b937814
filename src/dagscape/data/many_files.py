"""Tables in several files: a folder of parts, or a pattern of names."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from dagscape.arguments import file_path
from dagscape.data.formats import split_ending
from dagscape.data.labels import natural_order
from dagscape.errors import DataError
from dagscape.files.endings import ARROW, PARQUET, TEXT
from dagscape.variables import suggest

_TABLES = (*PARQUET, *ARROW, *TEXT)


def files_of(path: str | os.PathLike[str]) -> list[Path]:
    """Return the files that a name stands for, in natural order ("part-2" before "part-10").

    A file is itself. A folder is all its files, which must be tables of one format; names that
    begin with "_" or "." are not taken for such. "*", "?" and "[" make a pattern, unless there is a
    file of just this name.
    """
    file = file_path(path)
    if file.is_dir():
        return _of_folder(file)
    if not file.exists() and glob.has_magic(os.fspath(file)):
        found = [Path(name) for name in glob.glob(os.fspath(file), recursive=True)]
        if files := [each for each in found if each.is_file()]:
            return _in_order(files)
        raise DataError(f'no file is named like "{file}"')
    return [find(file)]


def find(path: str | os.PathLike[str]) -> Path:
    """Return the file of this name, or say why there is none."""
    file = file_path(path)
    if file.is_dir():
        raise DataError(f'"{file}" is a folder; give the name of a file in it')
    if not file.exists():
        folder = file.parent
        if not folder.is_dir():
            raise DataError(f'there is no folder "{folder}", and so no file "{file.name}"')
        hint = suggest(file.name, (each.name for each in folder.iterdir()))
        raise DataError(f'there is no file "{file}"{hint}')
    return file


def _of_folder(folder: Path) -> list[Path]:
    files = [
        each for each in folder.iterdir() if each.is_file() and not each.name.startswith(("_", "."))
    ]
    endings = {split_ending(each)[0]: each for each in files}
    strange = next((each for end, each in endings.items() if end not in _TABLES), None)
    if not files or strange or len(endings) > 1:
        what = (
            "has no files"
            if not files
            else f'also has "{strange.name}", which is no table'
            if strange
            else f"has tables of several formats ({', '.join(sorted(endings))})"
        )
        raise DataError(
            f'"{folder}" is a folder and {what}; give the name of a file in it, or a pattern such '
            f'as "{folder / "*.parquet"}"'
        )
    return _in_order(files)


def _in_order(files: list[Path]) -> list[Path]:
    by_name = {os.fspath(each): each for each in files}
    return [by_name[name] for name in natural_order(list(by_name))]
