"""Groups of options: one parameter of a command stands for several options, declared once.

A command has a parameter such as ``limits: LimitOptions = ALL``. It is given the options of the
group in its place, and what the user said comes back to it as one object. What belongs to one call,
when it began and its words, comes as such a parameter too.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from typing import Any, TypeVar

import typer

import dagscape as ds

Self = TypeVar("Self", bound="OptionGroup")


@dataclass(frozen=True)
class OptionGroup:
    """Several options as one parameter of a command, whose default says which it has."""

    def offered(self) -> Mapping[str, tuple[Any, Any]]:
        """Return what typer takes each option for, and its default: the annotated fields."""
        options = (each for each in fields(self) if hasattr(each.type, "__metadata__"))
        return {each.name: (each.type, getattr(self, each.name)) for each in options}

    def filled(self: Self, said: Mapping[str, Any], call: Call) -> Self:  # noqa: ARG002
        """Return it with what the user said."""
        return replace(self, **said)


@dataclass(frozen=True)
class Call(OptionGroup):
    """One call of a command."""

    words: tuple[str, ...] = ()
    begun: float = field(default_factory=time.monotonic)
    given: tuple[str, ...] = ()
    """The options that the user gave, in the order of the help."""
    ended: list[str] = field(default_factory=list, compare=False)
    """What Ctrl-C ended, in words, where more can be said of it than that."""

    def filled(self, said: Mapping[str, Any], call: Call) -> Call:  # noqa: ARG002
        """Return the call."""
        return call

    @property
    def quiet(self) -> bool:
        """Whether the user asked for no words on the way."""
        return "--quiet" in self.given

    def refuse(self, *options: str, why: str) -> None:
        """Refuse options where they make no sense."""
        if given := [each for each in self.given if each in options]:
            raise ds.ParameterError(f"{', '.join(given)}: {why}")

    def refuse_all_but(self, *options: str, why: str) -> None:
        """Refuse all other options."""
        self.refuse(*(each for each in self.given if each not in options), why=why)


CALL = Call()
"""The default of a parameter that is given the call."""


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options of its groups in place of these."""
    signature = inspect.signature(command)
    groups: dict[str, OptionGroup] = {
        each.name: each.default
        for each in signature.parameters.values()
        if isinstance(each.default, OptionGroup)
    }
    if not groups:
        return command

    @wraps(command)
    def whole(ctx: typer.Context, **said: Any) -> None:
        call = replace(ctx.obj, given=tuple(_given(ctx)))
        for name, group in groups.items():
            own = {option: said.pop(option) for option in group.offered()}
            said[name] = group.filled(own, call)
        command(**said)

    named = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("ctx", named, annotation=typer.Context)]
    for each in signature.parameters.values():
        if each.name in groups:
            parameters += [
                inspect.Parameter(name, named, default=default, annotation=kind)
                for name, (kind, default) in groups[each.name].offered().items()
            ]
        else:
            parameters.append(each.replace(kind=named))
    whole.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    whole.__annotations__ = {each.name: each.annotation for each in parameters}
    return whole


def _given(ctx: typer.Context) -> Iterator[str]:
    """Yield the options that the user gave."""
    for each in ctx.command.params:
        source = ctx.get_parameter_source(each.name or "")
        if source is not None and source.name == "COMMANDLINE":
            yield from (word for word in each.opts if word.startswith("--"))
