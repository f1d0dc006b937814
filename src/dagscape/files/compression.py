"""Open plain, gzip and zstd files alike."""

from __future__ import annotations

import gzip
import importlib
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, cast

from dagscape import words
from dagscape.errors import DataError

# Tables are read a piece at a time, and pack well where much of them is alike.
LEAST_UNPACKED = 256_000_000
TIMES_PACKED = 100

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
                packed = os.fstat(raw.fileno()).st_size
                most = unpacked_limit(packed, LEAST_UNPACKED, TIMES_PACKED)
                yield stream if mode == "xb" else cast("IO[bytes]", _LimitedReader(stream, most))
        except errors as error:
            raise DataError(
                f"the file is damaged, cut short, or not what its ending {path.suffix} says "
                f"({error}); fetch or write it again"
            ) from None


def unpacked_limit(packed: int, least: int, times: int) -> int:
    """Return how many bytes may come of a packed file: many times its size, or a fixed number.

    A file of a few megabytes can be packed that unpacks to more than any machine holds.
    """
    return max(least, times * packed)


def too_much_unpacked(most: int) -> str:
    """Return what is wrong with a file that unpacks to more than it may."""
    return f"unpacks to more than {words.size(most)}; if that is meant, unpack it yourself first"


class _LimitedReader:
    """What is being unpacked, read up to a limit."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._most = stream, most

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        if self._stream.tell() > self._most:
            raise DataError(f"the file {too_much_unpacked(self._most)}")
        return content

    def seek(self, where: int) -> int:
        return self._stream.seek(where)


def _zstd() -> Any:
    """Return the zstd module: Python's own since 3.14, its backport before."""
    try:
        return importlib.import_module(ZSTD)
    except ImportError:
        raise DataError(f".zst files need the package {ZSTD}; install it, or use .gz") from None
