"""Open plain, gzip and zstd files alike."""

from __future__ import annotations

import gzip
import importlib
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal

from dagscape.errors import DataError

ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


@contextmanager
def open_binary(path: Path, mode: Literal["rb", "xb"]) -> Iterator[IO[bytes]]:
    """Open a file by its ending, to read or to write anew; damage is a DataError."""
    ending = path.suffix.lower()
    with path.open(mode) as raw:
        if ending not in (".gz", ".zst"):
            yield raw
            return
        if ending == ".zst":
            zstd = _zstd()
            errors: tuple[type[Exception], ...] = (EOFError, zstd.ZstdError)
            opened = zstd.ZstdFile(raw, mode[0].replace("x", "w"))
        else:
            errors = (EOFError, zlib.error, gzip.BadGzipFile)
            # Neither name nor time in the file: equal tables make equal bytes.
            opened = gzip.GzipFile("", mode[0].replace("x", "w"), 6, raw, mtime=0)
        try:
            with opened as stream:
                yield stream
        except errors as error:
            raise DataError(
                f"the file is damaged, cut short, or not what its ending {path.suffix} says "
                f"({error}); fetch or write it again"
            ) from None


def _zstd() -> Any:
    """Return the zstd module: Python's own since 3.14, its backport before."""
    try:
        return importlib.import_module(ZSTD)
    except ImportError:
        raise DataError(f".zst files need the package {ZSTD}; install it, or use .gz") from None
