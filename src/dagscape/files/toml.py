"""TOML that is refused in a sentence where it cannot be read, or would take too long."""

from __future__ import annotations

import os
import re
import tomllib
from typing import Any

from dagscape.errors import FileFormatError

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
