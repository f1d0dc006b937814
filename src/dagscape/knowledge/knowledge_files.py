"""Knowledge in a text file, TOML, for the command line and for keeping beside the data."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import read_text, refuse_too_many
from dagscape.knowledge.knowledge import KNOWLEDGE_PARTS as PARTS
from dagscape.knowledge.knowledge import Knowledge
from dagscape.variables import suggest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MAX_KEY_PARTS = 20
"""No key of knowledge has more than two; the parser takes time by the square of their number."""

_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*(?:"{3,5}|\\?\Z)|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'
    r"'''(?:[^']|'{1,2}(?!'))*(?:'{3,5}|\Z)|'[^'\n]*'?|#[^\n]*",
    re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?:\.[^.,=\n\[\]{{}}]*){{{MAX_KEY_PARTS}}}")

ENDS = ("roots", "leaves")


def read_knowledge(path: str | os.PathLike[str]) -> Knowledge:
    """Read what is known from a TOML file, whose keys are the arguments of :class:`Knowledge`.

    Examples
    --------
    A file that has all of them::

        required = [["A", "B"]]
        forbidden = [["C", "A"], ["C", "B"]]
        tiers = [["A"], ["B", "C"]]
        roots = ["A"]
        leaves = ["C"]
        max_parents = {B = 2}
    """
    content = _parse(read_text(path), path)
    for name, value in content.items():
        if name not in PARTS:
            raise FileFormatError(
                f'{path}: unknown key "{name}"; choose {", ".join(PARTS)}{suggest(name, PARTS)}'
            )
        if name in ENDS:
            _check_names(name, value, path)
        elif name != "max_parents":
            _check_lists(name, value, path)
        if name == "required":
            refuse_too_many(len({end for arc in value for end in map(str, arc)}), path)
    try:
        return Knowledge(**content)
    except ParameterError as error:
        raise FileFormatError(f"{path}: {error}") from None


def _parse(text: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    if _LONG_KEY.search(_STRING_OR_COMMENT.sub("s", text)):
        raise FileFormatError(f"{path}: a key has more than {MAX_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileFormatError(f"{path}: not TOML: {error}") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise FileFormatError(f"{path}: {error}") from None
    except RecursionError:
        raise FileFormatError(f"{path}: brackets nested too deeply for knowledge") from None


def _check_names(name: str, value: object, path: str | os.PathLike[str]) -> None:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise FileFormatError(
            f'{path}: "{name}" must be a list of names, such as ["A", "B"], got {value!r}'
        )


def _check_lists(name: str, value: object, path: str | os.PathLike[str]) -> None:
    """Refuse what a loop over it would misread: a string is a sequence of names too."""
    if not isinstance(value, list) or not all(isinstance(item, list) for item in value):
        raise FileFormatError(
            f'{path}: "{name}" must be a list of lists of names, such as [["A", "B"]], '
            f"got {value!r}"
        )
