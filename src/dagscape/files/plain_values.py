"""Plain values: what can neither be changed nor fail to be written as JSON, and comes back equal.

Numbers come back bit for bit; an infinite one is written ``{"number": "inf"}``: JSON has none.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, NoReturn

from dagscape.errors import FileFormatError, ParameterError


def parse(text: str, path: str | os.PathLike[str]) -> Any:
    """Return what JSON says, infinite numbers included; refuse it by file and line."""
    return json_value(text, path, _read_number)


def number(name: str, value: object) -> float:
    """Return a number as a float, refusing anything else."""
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.nan
        if not math.isnan(number):
            return number
    raise ParameterError(f"{name} must be a number, got {value!r}")


def frozen(value: object, where: str) -> object:
    """Return a copy that nobody can change, of plain values only; NaN, no value, becomes None."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        return None if math.isnan(number) else number
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ParameterError(f"{where} must have names as keys, got {key!r}")
        return MappingProxyType({k: frozen(v, f"{where}[{k!r}]") for k, v in value.items()})
    if isinstance(value, list | tuple):
        return tuple(frozen(item, f"{where}[{i}]") for i, item in enumerate(value))
    raise ParameterError(
        f"{where} must be a number, words, or a list or mapping of these, got {value!r}"
    )


def thawed(value: Any) -> Any:
    """Return a frozen value with mappings that can be sent to another process."""
    if isinstance(value, Mapping):
        return {k: thawed(v) for k, v in value.items()}
    return tuple(map(thawed, value)) if isinstance(value, tuple) else value


def plain(value: Any) -> Any:
    """Return a frozen value as what JSON has."""
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return {"number": str(value)}
    return value


def _read_number(content: dict[str, Any]) -> Any:
    """Undo what :func:`plain` makes of an infinite number."""
    if len(content) == 1 and content.get("number") in ("inf", "-inf"):
        return float(content["number"])
    return content


def dump(value: object) -> str:
    """Return a value as JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def dump_lines(content: Mapping[str, Any]) -> str:
    """Return a mapping as JSON, a line for each of its values."""
    lines = [f"  {dump(name)}: {dump(plain(value))}" for name, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def json_value(
    text: str,
    source: str | os.PathLike[str],
    object_hook: Callable[[dict[str, Any]], Any] | None = None,
) -> Any:
    """Return what JSON text holds, of numbers those that JSON has; an error names the line."""

    def refuse(word: str) -> NoReturn:
        raise FileFormatError(f"{source}: {word} is not a JSON number")

    try:
        value = json.loads(text, parse_constant=refuse, object_hook=object_hook)
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False, default=str).encode()
        return value
    except UnicodeEncodeError:
        raise FileFormatError(f"{source}: a text holds half a character") from None
    except json.JSONDecodeError as error:
        hint = "" if text.rstrip().endswith("}") else "; the file seems to be cut off"
        line = f"{source}, line {error.lineno}"
        raise FileFormatError(f"{line}: not JSON: {error.msg}{hint}") from None
    except FileFormatError:
        raise
    except ValueError:  # Python's limit on the digits of a whole number
        raise FileFormatError(f"{source}: a whole number has thousands of digits") from None


@contextmanager
def depth_refused(source: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Refuse a file whose brackets are nested deeper than what reads them, or uses them, can go."""
    try:
        yield
    except RecursionError:
        raise FileFormatError(f"{source}: brackets nested too deeply for {what}") from None
