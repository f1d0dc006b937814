"""Files to be written: what is wrong with them is said before the work, not after it."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import dagscape as ds


def refuse_unwritable(output: Path) -> None:
    """Refuse a file that has no place, or none where one may write."""
    folder = output.parent
    if output.is_dir():
        raise ds.ParameterError(f'"{output}" is a folder; name a file in it')
    if not folder.is_dir():
        raise ds.ParameterError(f'"{output}" cannot be written: there is no folder "{folder}"')
    if not os.access(folder, os.W_OK):
        raise ds.ParameterError(f'"{output}" cannot be written: "{folder}" is read-only')


def rehearse(write: Callable[[Path], None], name: str, shown: str) -> None:
    """Write something small elsewhere, to see whether names and ending will do."""
    with tempfile.TemporaryDirectory() as elsewhere:
        trial = Path(elsewhere, name)
        try:
            write(trial)
        except ds.DagscapeError as error:
            raise type(error)(str(error).replace(str(trial), shown)) from None
