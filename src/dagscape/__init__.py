"""Learn Bayesian networks from tables, and say how far to trust them.

A public name is imported when it is first used, so that importing the package takes a moment only.
``__init__.pyi`` lists the names and where each is at home.
"""

import dagscape.import_path  # nothing is imported from the current folder

# isort: split
import dagscape.starting  # noqa: F401 - minds Ctrl-C while the rest is imported

# isort: split
import importlib

from dagscape.lazy_names import homes_of

_HOMES = homes_of(__file__)
_ROOMS = {home.split(".")[1] for home in _HOMES.values()}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name, or a room of the package: ``ds.networks`` has more than ``ds``."""
    if name == "__version__":
        from importlib.metadata import version

        found: object = version("dagscape")
    elif name in _HOMES:
        found = getattr(importlib.import_module(_HOMES[name]), name)
    elif name in _ROOMS:
        found = importlib.import_module(f"dagscape.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names, those not yet imported too."""
    return [*sorted(_HOMES), "__version__"]
