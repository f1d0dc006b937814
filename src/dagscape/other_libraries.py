"""Libraries that are not needed, but known: imported when they are asked for, and not before."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

from dagscape.errors import ParameterError


def load_library(module: str, extra: str) -> Any:
    """Import an optional library, or say which extra brings it."""
    try:
        # Warnings stay out of it: where they are errors, importing pyAgrum ends the interpreter.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError:
        raise ParameterError(
            f"this needs {extra}, which is not installed: pip install dagscape[{extra}]"
        ) from None
