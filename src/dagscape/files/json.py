"""JSON: a reader that says what is wrong, whatever the text holds."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from dagscape.errors import FileFormatError

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
