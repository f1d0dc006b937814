"""TOML that is refused in a sentence where it cannot be read, or would take too long."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import read_text
from dagscape.variables import suggest

T = TypeVar("T")

MAX_KEY_PARTS = 20
"""No key of ours has more than three; the parser takes time by the square of their number."""

_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*(?:"{3,5}|\\?\Z)|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'
    r"'''(?:[^']|'{1,2}(?!'))*(?:'{3,5}|\Z)|'[^'\n]*'?|#[^\n]*",
    re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?:\.[^.,=\n\[\]{{}}]*){{{MAX_KEY_PARTS}}}")


def parse_toml(text: str, path: str | os.PathLike[str], of: str) -> dict[str, Any]:
    """Return what a TOML file says, or what is wrong with it."""
    if _LONG_KEY.search(_STRING_OR_COMMENT.sub("s", text)):
        raise FileFormatError(f"{path}: a key has more than {MAX_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileFormatError(f"{path}: not TOML: {error}") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise FileFormatError(f"{path}: {error}") from None
    except RecursionError:
        raise FileFormatError(f"{path}: brackets nested too deeply for {of}") from None


def read_toml(path: str | os.PathLike[str], of: str, known: Sequence[str]) -> dict[str, Any]:
    """Return what a TOML file says under known keys; refuse any other."""
    content = parse_toml(read_text(path), path, of)
    for name in content:
        if name not in known:
            raise FileFormatError(
                f'{path}: unknown key "{name}"; choose {", ".join(known)}{suggest(name, known)}'
            )
    return content


def made_of(content: dict[str, Any], path: str | os.PathLike[str], make: Callable[..., T]) -> T:
    """Return what a file says as an object; an error names the file."""
    try:
        return make(**content)
    except ParameterError as error:
        raise FileFormatError(f"{path}: {error}") from None
