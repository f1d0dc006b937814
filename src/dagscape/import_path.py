"""Where Python imports from: never the current folder, where files may be from anybody.

``python -m`` puts that folder first, and so does an empty entry of ``PYTHONPATH``. This is imported
before anything else, and imports nothing that is not there already. Whoever imports the package
from Python is left alone.
"""

import os
import sys


def is_command() -> bool:
    """Tell whether this process is the command."""
    # Python sets argv[0] to "-m" while it imports the package of a module that it is to run.
    name = os.path.basename(sys.argv[0]) if sys.argv else ""
    if name == "-m":
        # What Python was told itself ends with that module; what follows is told to the module.
        told = sys.orig_argv[: len(sys.orig_argv) - len(sys.argv) + 1]
        last = told[-1] if told else ""
        return last == "dagscape" or (last[:1] == "-" and last.endswith("mdagscape"))
    return name in ("dagscape", "dagscape.exe")


def elsewhere(path: list[str]) -> list[str]:
    """Return the folders of a path without the current one, each by its whole name."""
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # it was removed
        return [entry for entry in path if os.path.isabs(entry)]
    return [os.path.abspath(entry) for entry in path if entry and os.path.realpath(entry) != here]


_home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if is_command() and elsewhere([_home]):  # unless the package itself is in the current folder
    sys.path[:] = elsewhere(sys.path)
