"""Tests on drawn cases: some of them always, many more in the long run."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

from seeds import in_part


def drawn(
    *strategies: SearchStrategy[Any], usual: int, long: int, **named: SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Draw so many cases for a test, as `given` does; what else it asks for are fixtures."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        asked = list(inspect.signature(test).parameters.values())
        asked = [word for word in asked[: len(asked) - len(strategies)] if word.name not in named]

        def run(cases: int, **fixtures: Any) -> None:
            few = settings(derandomize=True, deadline=None, max_examples=in_part(cases))
            few(given(*strategies, **named)(test))(**fixtures)

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        cases = inspect.Parameter("cases", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        run.__signature__ = inspect.Signature([cases, *asked])  # type: ignore[attr-defined]
        sizes = [usual, pytest.param(long, marks=pytest.mark.long)]
        return pytest.mark.parametrize("cases", sizes)(run)

    return decorate
