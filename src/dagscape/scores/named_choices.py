"""Choices that describe themselves as data, a name with parameters, and are made again from it.

A score is such a choice: ``{"name": "bdeu", "ess": 1.0}`` in a file, ``bdeu(ess=1)`` in words. Each
kind is a frozen dataclass; its fields are the parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, ClassVar, Generic, TypeVar

from dagscape.errors import ParameterError
from dagscape.variables import suggest

_WORDS = re.compile(r"(\w+)(?:\s*\(([^()]*)\))?")


class NamedChoice:
    """What has a name and parameters, and can say both."""

    names: ClassVar[tuple[str, ...]] = ()
    """The names under which it may be asked for, the usual one first."""

    def to_dict(self) -> dict[str, Any]:
        """Return name and parameters as plain values that JSON can hold."""
        return {"name": self.names[0], **_parameters(self)}

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={_word(value)}" for name, value in _parameters(self).items())
        return f"{self.names[0]}({shown})" if shown else self.names[0]


T = TypeVar("T", bound=NamedChoice)


class Registry(Mapping[str, type[T]], Generic[T]):
    """All choices of one sort by their names; files, command lines and searches look here."""

    def __init__(self, what: str) -> None:
        """Make a registry of what this word calls: a "score"."""
        self._what = what
        self._kinds: dict[str, type[T]] = {}

    def add(self, kind: type[T]) -> type[T]:
        """Let a kind be asked for by its names; to be written above its class."""
        if not is_dataclass(kind) or not kind.names:
            raise TypeError(f"{kind.__name__} must be a dataclass that has names")
        if bare := [f.name for f in fields(kind) if f.default is MISSING]:
            # Its name alone must do: "bdeu".
            raise TypeError(f"{kind.__name__}.{bare[0]} must have a default")
        if taken := [name for name in kind.names if name in self._kinds]:
            raise TypeError(f'there is a {self._what} of the name "{taken[0]}" already')
        self._kinds |= dict.fromkeys(kind.names, kind)
        return kind

    def from_dict(self, values: object) -> T:
        """Return what :meth:`NamedChoice.to_dict` told."""
        name = values.get("name") if isinstance(values, Mapping) else None
        if not isinstance(values, Mapping) or not isinstance(name, str):
            raise ParameterError(
                f'a {self._what} as data is {{"name": ...}} with parameters, got {values!r}'
            )
        return self._made(name, {key: value for key, value in values.items() if key != "name"})

    def from_words(self, words: str) -> T:
        """Return what a name, or a name with parameters in brackets, stands for."""
        name, inside = _split(words)
        kind = self._kind(name, words)
        texts = {}
        for part in filter(None, map(str.strip, inside.split(","))):
            parameter, equals, text = part.partition("=")
            if not equals:
                raise ParameterError(f'parameters of {name} are written name=value, got "{part}"')
            texts[parameter.strip()] = text.strip()
        self._refuse_unknown(kind, texts)
        defaults = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]
        return kind(**{key: _read(key, text, defaults[key]) for key, text in texts.items()})

    def known(self, words: str) -> T | None:
        """Return what words of ours stand for; None for any others, such as another program's."""
        if _split(words)[0] not in self._kinds:
            return None
        try:
            made = self.from_words(words)
        except ParameterError:
            return None
        return made if str(made) == words else None

    def changed(self, given: T, **parameters: Any) -> T:
        """Return a choice with other parameters."""
        return self._made(given.names[0], {**_parameters(given), **parameters})

    def with_parameter(self, parameter: str) -> list[str]:
        """Return the usual names of the kinds that have a parameter."""
        kinds = dict.fromkeys(self._kinds.values())
        return [kind.names[0] for kind in kinds if parameter in _names(kind)]

    def _made(self, name: str, parameters: Mapping[str, Any]) -> T:
        kind = self._kind(name, name)
        self._refuse_unknown(kind, parameters)
        return kind(**parameters)

    def _kind(self, name: str, given: str) -> type[T]:
        if name in self._kinds:
            return self._kinds[name]
        hint = suggest(name, self._kinds) or f"; choose {', '.join(self._kinds)}"
        raise ParameterError(f'unknown {self._what} "{given}"{hint}')

    def _refuse_unknown(self, kind: type[T], parameters: Mapping[str, Any]) -> None:
        for parameter in parameters:
            if parameter not in _names(kind):
                own = ", ".join(_names(kind)) or "none"
                raise ParameterError(
                    f'the {self._what} {kind.names[0]} has no parameter "{parameter}"; it has {own}'
                )

    def __getitem__(self, name: str) -> type[T]:
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


def _split(words: str) -> tuple[str, str]:
    """Return a name, and what stands in brackets behind it."""
    found = _WORDS.fullmatch(words.strip())
    return (found[1].lower(), found[2] or "") if found else (words, "")


def _names(kind: type[NamedChoice]) -> list[str]:
    return [field.name for field in fields(kind)]  # type: ignore[arg-type]


def _parameters(given: NamedChoice) -> dict[str, Any]:
    return {name: getattr(given, name) for name in _names(type(given))}


def _word(value: object) -> str:
    """Return a parameter in few digits, yet such that it can be read back."""
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value)


def _read(parameter: str, text: str, default: object) -> object:
    """Return a parameter of the type that its default has."""
    if isinstance(default, bool):
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
        raise ParameterError(f'{parameter} must be true or false, got "{text}"')
    if not isinstance(default, float | int):
        return text
    try:
        return type(default)(text)
    except ValueError:
        raise ParameterError(f'{parameter} must be a number, got "{text}"') from None
