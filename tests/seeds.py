"""Many seeds in one test: pytest spends more on a test's name than most seeds take.

Of random cases, which are all alike, `make test` tries a third, and `make long` (``--whole``) all.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

WHOLE = False
"""Whether all cases are tried; set before tests are collected."""


def in_part(cases: int) -> int:
    """Return how many of so many random cases are tried here."""
    return cases if WHOLE else -(-cases // 3)


def for_each(name: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """Run a test for all values of an argument, one after the other; a failure names its value.

    What fixtures give is shared by all of them.
    """
    values = tuple(values)

    def over(test: Callable[..., None]) -> Any:
        @functools.wraps(test)
        def for_all(*given: Any, **fixtures: Any) -> None:
            for value in values:
                try:
                    test(*given, **fixtures, **{name: value})
                except BaseException as error:
                    error.add_note(f"{name} = {value!r}")
                    raise

        signature = inspect.signature(test)
        left = [each for each in signature.parameters.values() if each.name != name]
        for_all.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return for_all

    return over
