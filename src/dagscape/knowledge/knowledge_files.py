"""Knowledge in a text file, TOML, for the command line and for keeping beside the data."""

from __future__ import annotations

import os

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import read_text, refuse_too_many
from dagscape.files.toml import parse_toml
from dagscape.knowledge.knowledge import KNOWLEDGE_PARTS as PARTS
from dagscape.knowledge.knowledge import Knowledge
from dagscape.variables import suggest

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
    content = parse_toml(read_text(path), path, "knowledge")
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
