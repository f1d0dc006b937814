"""Text files, plain or gzip: read whole, written under a temporary name and moved into place."""

from __future__ import annotations

import gzip
import io
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dagscape.arguments import file_path
from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.compression import too_much_unpacked, unpacked_limit
from dagscape.variables import suggest

# Of text that is read whole, parts are held many times over: a small packed file must not become
# more than the machine holds. Networks and graphs pack to a tenth of their size or so.
LEAST_UNPACKED = 32_000_000
TIMES_PACKED = 30


MAX_VARIABLES = 50_000
"""How many variables a file may name: a graph holds some bits for every pair of them."""


def refuse_too_many(variables: int, source: str | os.PathLike[str]) -> None:
    """Refuse a file of more variables than there is memory for pairs of them."""
    if variables > MAX_VARIABLES:
        raise FileFormatError(
            f"{source}: {variables:,} variables; a file may name {MAX_VARIABLES:,} at most"
        )


def refuse_half_characters(texts: Iterable[str], source: str | os.PathLike[str]) -> None:
    """Refuse names that no file could hold: an escape may spell half a character."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise FileFormatError(f"{source}: a name or label holds half a character") from None


def ending_of(path: str | os.PathLike[str]) -> str:
    """Return the ending of a name in lower case, the one before ``.gz`` where it ends in that."""
    name = file_path(path)
    return Path(name.stem if name.suffix.lower() == ".gz" else name).suffix.lower()


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file, decompressed where its name ends in ``.gz``."""
    path = file_path(path)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise ParameterError(f'there is no file "{path}"{_nearest(path)}') from None
    except IsADirectoryError:
        raise ParameterError(f'"{path}" is a folder; name a file in it') from None
    except OSError as error:
        raise ParameterError(f'"{path}" cannot be read: {error.strerror}') from None
    if path.suffix.lower() != ".gz":
        return raw
    most = unpacked_limit(len(raw), LEAST_UNPACKED, TIMES_PACKED)
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            content = packed.read(most + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise FileFormatError(f'"{path}" ends in .gz but is not a complete gzip file') from None
    if len(content) > most:
        raise FileFormatError(f'"{path}" {too_much_unpacked(most)}')
    return content


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a UTF-8 file, decompressed where its name ends in ``.gz``."""
    return decode_text(path, read_bytes(path))


def decode_text(path: str | os.PathLike[str], content: bytes) -> str:
    """Return the content of a file as text; an error names the line that is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileFormatError(f"{path}, line {line}: not UTF-8 text; save it as UTF-8") from None


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write UTF-8 text, gzip where the name ends in ``.gz``; all of it or nothing."""
    content = encode_text(path, text)
    with replacing(path) as file:
        file.write(content)


def encode_text(path: str | os.PathLike[str], text: str) -> bytes:
    """Return the bytes of a text that is to be written."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise ParameterError(
            f'"{path}" cannot be written: a name or label holds half a character (a lone surrogate)'
        ) from None


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[io.BufferedIOBase]:
    """Open a file for writing, gzip where the name ends in ``.gz``.

    It is written under a temporary name and takes its place when the block ends without error.
    """
    path = file_path(path)
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                if path.suffix.lower() == ".gz":
                    # Neither name nor time in the file: equal content makes equal bytes.
                    with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                        yield packed
                else:
                    yield file
            share_as_new(temporary)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise ParameterError(f'"{path}" cannot be written: {error.strerror}') from None


def share_as_new(temporary: str | os.PathLike[str]) -> None:
    """Give a temporary file, private by birth, the rights of any newly made file."""
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(temporary, 0o666 & ~mask)


def _nearest(path: Path) -> str:
    try:
        return suggest(path.name, [p.name for p in path.parent.iterdir()])
    except OSError:
        return ""
