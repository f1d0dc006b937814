"""Settings by the names that the reader of a sentence knows them by.

Those who call the package from Python read ``choose missing="drop"``. While a command runs, the
same sentence speaks of its options, ``choose --missing drop``, and leaves out advice that only
Python can follow. So sentences ask here what a setting is called, when they are made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shlex import quote
from typing import TypeAlias

Options: TypeAlias = Mapping[str, str]
"""The options of a command by the names of its settings: ``{"max_parents": "--max-parents"}``."""

Value: TypeAlias = "str | tuple[str, str | int] | Mapping[str, str | tuple[str, str | int]]"
"""A word, a rule with a number (``("quantile", 3)``), or such a rule for a column by name."""


class _Reader:
    """Who reads sentences: one for the process, since a process runs one command, on any thread."""

    options: Options | None = None


@contextmanager
def speaking_of(options: Options | None) -> Iterator[None]:
    """Let sentences speak of these options, while a command runs; of Python if there are none."""
    before, _Reader.options = _Reader.options, options
    try:
        yield
    finally:
        _Reader.options = before


def spoken() -> Options | None:
    """Return the options that sentences speak of; None while they speak of Python."""
    return _Reader.options


def setting(name: str) -> str:
    """Return what the reader calls a setting."""
    if name == "kinds" and spoken() is not None:
        return "--continuous or --discrete"
    return (spoken() or {}).get(name, name)


def values(name: str, *choices: Value) -> str:
    """Return all values of a setting as the reader writes them."""
    write = _in_shell if name in (spoken() or {}) else _in_python
    return ", ".join(map(write, choices))


def choice(name: str, *choices: Value) -> str:
    """Return how the reader gives a setting one of these values."""
    return in_shell(name, *choices) or in_python(name, *choices)


def in_python(name: str, *choices: Value) -> str:
    """Write a setting, with a value or several to choose from, as a call in Python has it."""
    return f"{name}={_joined(_in_python, choices)}" if choices else name


def in_shell(name: str, *choices: Value) -> str:
    """Write a setting as an option of the command that runs; "" where it has none."""
    options = spoken() or {}
    if name == "kinds" and "discrete" in options:  # an option for each kind
        named = [each for each in choices if isinstance(each, Mapping)]
        given = [(str(kind), column) for each in named for column, kind in each.items()]
        return " ".join(f"{options[kind]} {quote(column)}" for kind, column in given)
    option = options.get(name, "")
    return f"{option} {_joined(_in_shell, choices)}" if option and choices else option


def changed(name: str, before: object, now: object) -> str:
    """Say how a setting differs from before."""
    return f"{setting(name)} was {_said(name, before)} and is {_said(name, now)}"


def _said(name: str, value: object) -> str:
    if value is None:
        return "not given"
    return values(name, value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def leave_out(column: str) -> str:
    """Return the advice to leave out a column, with how to do it where that is an option."""
    option = (spoken() or {}).get("leave_out")
    return "leave it out" if option is None else f"leave it out ({option} {quote(column)})"


def for_python(words: str, else_: str = "") -> str:
    """Return words for those who can follow them, in Python; others for those at a terminal."""
    return words if spoken() is None else else_


def _joined(write: Callable[[Value], str], choices: Sequence[Value]) -> str:
    *some, last = map(write, choices)
    return f"{', '.join(some)} or {last}" if some else last


def _in_python(value: Value) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_in_python(k)}: {_in_python(v)}' for k, v in value.items())}}}"
    if isinstance(value, tuple):
        rule, number = value
        return f"({_in_python(rule)}, {number})"
    return json.dumps(value, ensure_ascii=False)


def _in_shell(value: Value) -> str:
    if isinstance(value, Mapping):
        return quote(",".join(f"{column}={_unquoted(rule)}" for column, rule in value.items()))
    return "tab" if value == "\t" else quote(_unquoted(value))


def _unquoted(value: str | tuple[str, str | int]) -> str:
    if isinstance(value, tuple):
        rule, number = value
        return f"{rule}:{str(number).upper()}"
    return value
