"""Names that a package imports when they are first used, listed in its stub."""

from __future__ import annotations

import re
from pathlib import Path

_IMPORT = re.compile(r"^from (\S+) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)


def homes_of(package_file: str) -> dict[str, str]:
    """Return the module that each public name of a package comes from.

    They are read from the imports in the stub beside the package's file, so that they are written
    once. The stub imports only names, by their own names.
    """
    stub = Path(package_file).with_suffix(".pyi").read_text("utf-8")
    return {
        name.strip(): module
        for module, several, one in _IMPORT.findall(stub)
        for name in (several or one).split(",")
        if name.strip()
    }
