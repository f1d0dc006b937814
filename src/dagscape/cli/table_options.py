"""How the cells of a text file are read: options that every command with a table has.

A command that takes ``--separator`` is given them here, so that it need not list them; whoever
reads the table asks :func:`spelling` for what was said.
"""

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Annotated, Any

import typer

MissingValues = Annotated[
    str | None,
    typer.Option(
        "--na",
        metavar="WORDS",
        help="Cells that mean a missing value, beside the usual ones: n/a,.,unknown,-9.",
    ),
]
Trim = Annotated[
    bool, typer.Option("--trim", help="Take blanks away from both ends of every cell.")
]
Decimal = Annotated[
    str, typer.Option(metavar="MARK", help="The decimal mark of numbers: a point or a comma.")
]
NoHeader = Annotated[
    bool,
    typer.Option("--no-header", help="The file has no line of names; its columns are X1, X2, ..."),
]

OPTIONS: dict[str, tuple[Any, Any]] = {
    "missing_values": (MissingValues, None),
    "trim": (Trim, False),
    "decimal": (Decimal, "."),
    "header": (NoHeader, False),
}
"""By the name of the setting, as sentences know it: type and default."""

_given: ContextVar[dict[str, Any]] = ContextVar("spelling")


def with_table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes these options as well, if it reads a table."""
    signature = inspect.signature(command)
    if "separator" not in signature.parameters:
        return command

    @wraps(command)
    def whole(**options: Any) -> None:
        before = _given.set({name: options.pop(name) for name in OPTIONS})
        try:
            command(**options)
        finally:
            _given.reset(before)

    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in OPTIONS.items()
    ]
    ordered = list(signature.parameters.values())
    place = list(signature.parameters).index("separator") + 1
    kept = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in ordered]
    parameters = [*kept[:place], *added, *kept[place:]]
    whole.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    whole.__annotations__ = {each.name: each.annotation for each in parameters}
    return whole


def spelling(usual: tuple[str, ...]) -> dict[str, Any]:
    """Return what was said, as settings of the package; ``usual`` cells are missing in any case."""
    given = _given.get(dict.fromkeys(OPTIONS))
    words = given["missing_values"]
    return {
        "missing_values": (*usual, *(words.split(",") if words else ())),
        "trim": bool(given["trim"]),
        "decimal": given["decimal"] or ".",
        "header": not given["header"],
    }
