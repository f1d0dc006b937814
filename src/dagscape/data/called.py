"""What the user called, for sentences that refuse."""

from __future__ import annotations

import sys


def called() -> str:
    """Return the public function that the user called: the outermost one of the package.

    If there is none, the outermost one of a room. Only an error asks for it, so that no function
    needs to pass on what it is called.
    """
    frame, found, of_room = sys._getframe(1), "", ""
    package = sys.modules["dagscape"]
    while frame is not None:
        name, owner = frame.f_code.co_name, frame.f_locals.get("self")
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith("dagscape."):
            room = ".".join(module.split(".")[:2])
            if name in getattr(package, "__all__", ()):
                found = f"ds.{name}"
            elif owner is not None and not name.startswith("_") and hasattr(type(owner), name):
                found = f"{type(owner).__name__}.{name}"
            elif name in getattr(sys.modules[room], "__all__", ()):
                of_room = f"ds.{room.removeprefix('dagscape.')}.{name}"
        frame = frame.f_back  # type: ignore[assignment]
    return found or of_room
