"""Scored parent sets in the text files of other programs, plain or gzip.

``.jkl`` is GOBNILP's format, ``.pss`` URLearning's; scores are better when higher in both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from dagscape import _core
from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.endings import SCORES
from dagscape.files.text import decode_text, encode_text, ending_of, read_bytes, replacing
from dagscape.variables import Variables

FilePath = str | os.PathLike[str]
Facts = Mapping[str, Mapping[str, str]]


class ScoreFile(NamedTuple):
    """What a score file says.

    Attributes
    ----------
    names
        In the order of the file.
    lists
        Numbered as :class:`Variables` numbers the names.
    facts
        What a ``.pss`` file says in META lines, by variable and key; of the file as a whole
        under the name "".
    """

    names: tuple[str, ...]
    lists: _core.ParentLists
    facts: Facts


def read_score_file(path: FilePath) -> ScoreFile:
    """Read scored parent sets; the ending of the name says how.

    Lists come back best first. The file cannot say whether they hold every set that matters, so
    they do not count as exhaustive.
    """
    read = _format(path).read
    content = read_bytes(path)
    if not content.isascii():
        decode_text(path, content)
    try:
        names, lists, facts = read(content)
    except FileFormatError as error:
        raise FileFormatError(f"{os.fspath(path)}, {error}") from None
    return ScoreFile(tuple(names), lists, facts)


def write_score_file(
    lists: _core.ParentLists, names: Sequence[str], path: FilePath, facts: Facts | None = None
) -> None:
    """Write scored parent sets; the ending of the name says how.

    Scores get the digits it takes to read them back equal. Variables are written in the order of
    `names`; names with blanks in them cannot be written.

    Parameters
    ----------
    lists
        Numbered as :class:`Variables` numbers the names.
    facts
        META lines of a ``.pss`` file, as in :class:`ScoreFile`. In ``.jkl``, which has no place for
        them, what is said of the file as a whole stands in comments at the end.
    """
    write = _format(path).write
    names = Variables(names).names
    facts = facts or {}
    encode_text(
        path, "".join([*names, *(k + v for pairs in facts.values() for k, v in pairs.items())])
    )
    with replacing(path) as file:
        write(lists, names, facts, file.write)


class _ScoreFormat(NamedTuple):
    read: Callable[[bytes], tuple[list[str], _core.ParentLists, Facts]]
    write: Callable[[_core.ParentLists, Sequence[str], Facts, Callable[[bytes], object]], None]


_FORMATS = {
    "jkl": _ScoreFormat(_core.read_jkl, _core.write_jkl),
    "pss": _ScoreFormat(_core.read_pss, _core.write_pss),
}


def _format(path: FilePath) -> _ScoreFormat:
    ending = ending_of(path)
    if ending not in SCORES:
        known = ", ".join(SCORES)
        raise ParameterError(
            f'"{os.fspath(path)}" has no ending of a score file; choose {known} (.gz may follow)'
        )
    return _FORMATS[SCORES[ending]]
