"""What users give, checked for its shape: names of files, lists, tables of settings, switches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from dagscape.errors import ParameterError
from dagscape.speech import setting

T = TypeVar("T")


def file_path(path: str | os.PathLike[str], name: str = "path") -> Path:
    """Return the name of a file; refuse what no file can be called."""
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise ParameterError(f"{setting(name)} must be the name of a file, got {path!r}")
    text = os.fspath(path)
    try:
        possible = b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise ParameterError(f"{setting(name)}: no file can be called {text!r}")
    return Path(path)


def as_list(name: str, given: Iterable[T], things: str) -> list[T]:
    """Return the items of a list, or of anything that can be iterated; refuse a string."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ParameterError(f"{setting(name)} must be a list of {things}, got {given!r}")
    try:
        return list(given)
    except TypeError:  # a class, say, that only its objects make sense of
        raise ParameterError(f"{setting(name)} must be a list of {things}, got {given!r}") from None


def as_mapping(name: str, given: Mapping[str, T] | None, things: str) -> dict[str, T]:
    """Return a mapping as a dict, empty where nothing is given."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(f"{setting(name)} must be a dict of {things} by name, got {given!r}")
    return dict(given)


def as_switch(name: str, given: Any) -> bool:
    """Return True or False."""
    if not isinstance(given, bool):
        raise ParameterError(f"{setting(name)} must be True or False, got {given!r}")
    return given
