"""Knowledge in a text file, TOML, for the command line and for keeping beside the data."""

from __future__ import annotations

import os

from dagscape.errors import FileFormatError
from dagscape.files.text import refuse_too_many
from dagscape.files.toml import made_of, read_toml
from dagscape.knowledge.knowledge import KNOWLEDGE_PARTS as PARTS
from dagscape.knowledge.knowledge import Knowledge

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
    content = read_toml(path, "knowledge", PARTS)
    for name, value in content.items():
        if name in ENDS:
            _check_names(name, value, path)
        elif name != "max_parents":
            _check_lists(name, value, path)
        if name == "required":
            refuse_too_many(len({end for arc in value for end in map(str, arc)}), path)
    return made_of(content, path, Knowledge)


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
