"""Learn Bayesian networks from tables, and say how far to trust them.

A public name is imported when it is first used, so that importing the package takes a moment only.
``__init__.pyi`` lists the names and where each is at home.
"""

import dagscape.import_path  # nothing is imported from the current folder

# isort: split
import dagscape.starting  # noqa: F401 - minds Ctrl-C while the rest is imported

# isort: split
import importlib
import sys
from types import ModuleType

from dagscape.lazy_names import homes_of

_HOMES = homes_of(__file__)

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name."""
    if name == "__version__":
        from importlib.metadata import version

        found: object = version("dagscape")
    elif name in _HOMES:
        found = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return all names, those not yet imported too."""
    return sorted({*globals(), *_HOMES, "__version__"})


class _Package(ModuleType):
    """The package, in which a public name wins over a module of the same name.

    Python sets ``dagscape.posterior`` to the module once that is imported; it is a function here.
    Functions that use the package go to other processes, with its name for the package itself.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in _HOMES):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[object, ...]:
        return importlib.import_module, (self.__name__,)


sys.modules[__name__].__class__ = _Package
