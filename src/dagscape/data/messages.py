"""Columns as messages between two processes: JSON and the bytes of an array, nothing that runs.

A message is the length of its JSON in eight bytes, the JSON, and as many bytes as its "size" says.
"""

from __future__ import annotations

import json
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.data.columns import Column, Levels, Numbers

_LENGTH = 8
_TYPES = ("|u1", "<u2", "<u4", "<f8")


def send(stream: IO[bytes], message: dict[str, Any], content: bytes | memoryview = b"") -> None:
    """Write one message, with bytes that belong to it."""
    text = json.dumps(message | {"size": len(content)}).encode()
    stream.write(len(text).to_bytes(_LENGTH, "little") + text)
    stream.write(content)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytearray]:
    """Read one message; EOFError if the other process ended before it was whole."""
    length = int.from_bytes(_exactly(stream, _LENGTH), "little")
    message = json.loads(_exactly(stream, length))
    return message, _exactly(stream, message["size"])


def _exactly(stream: IO[bytes], count: int) -> bytearray:
    content = bytearray(count)
    view, done = memoryview(content), 0
    while done < count:
        read = stream.readinto(view[done:])  # type: ignore[attr-defined]
        if not read:
            raise EOFError
        done += read
    return content


def send_column(stream: IO[bytes], column: Column) -> None:
    """Write a column."""
    numbers = isinstance(column, Numbers)
    values: NDArray[Any] = column.values if isinstance(column, Numbers) else column.codes
    array: Any = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    described: dict[str, Any] = {"name": column.name, "type": array.dtype.str, "numbers": numbers}
    if isinstance(column, Numbers):
        described["whole"] = column.whole
    else:
        described |= {"labels": column.labels, "kind": column.kind, "declared": column.declared}
    send(stream, {"column": described}, memoryview(array).cast("B") if array.size else b"")


def column_of(described: dict[str, Any], content: bytearray) -> Column:
    """Return the column of a message; ValueError if it cannot be one."""
    if described["type"] not in _TYPES:
        raise ValueError(described["type"])
    array = np.frombuffer(content, dtype=np.dtype(described["type"]))
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    if described["numbers"]:
        return Numbers(described["name"], array, whole=described["whole"])
    labels = tuple(described["labels"])
    if array.size and int(array.max()) > len(labels):
        raise ValueError("a code beyond the labels")
    return Levels(described["name"], array, labels, described["kind"], described["declared"])
