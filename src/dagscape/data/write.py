"""Tables to files, each written under a temporary name and then moved into place."""

from __future__ import annotations

import os
import secrets
from typing import Literal

import polars as pl
from polars.exceptions import PolarsError

from dagscape.arguments import file_path
from dagscape.data.formats import split_ending, unknown_ending
from dagscape.errors import DataError
from dagscape.files.compression import open_binary
from dagscape.files.endings import ARROW, PARQUET, TEXT
from dagscape.files.spreadsheets import guarded_frame


def write_frame(frame: pl.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a frame of Enum columns in the format that the ending names."""
    target = file_path(path)
    ending, compression = split_ending(target)
    if ending not in (*TEXT, *ARROW, *PARQUET) or (compression and ending not in TEXT):
        raise unknown_ending(target)
    # The compression is read off the name, so the temporary one ends alike.
    name = f".{target.stem}.{secrets.token_hex(4)}.tmp{compression}"
    temporary = target.with_name(name)
    try:
        with open_binary(temporary, "xb") as stream:
            if ending in TEXT:
                text = guarded_frame(frame.cast(pl.String))
                text.write_csv(stream, separator=TEXT[ending], quote_style=_quoting(frame))
            elif ending in PARQUET:
                frame.write_parquet(stream)
            else:
                frame.write_ipc(stream)
        os.replace(temporary, target)
    except (OSError, PolarsError) as error:
        raise DataError(f'cannot write "{target}": {_reason(error)}') from error
    finally:
        temporary.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    """Return what the system said, which polars wraps in words of its own, or passes on."""
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    before, mark, _ = said.partition(" (os error")
    return before.rpartition(": ")[2] if mark else said.partition("\n")[0]


def _quoting(frame: pl.DataFrame) -> Literal["always", "necessary"]:
    """Return when to quote: a lone column and a byte order mark read back only if quoted."""
    return "always" if frame.width == 1 or frame.columns[0].startswith("\ufeff") else "necessary"
