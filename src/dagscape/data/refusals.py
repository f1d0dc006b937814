"""What is said of rows must be obeyed, or refused by name: never passed over."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TYPE_CHECKING

from dagscape.errors import DataError
from dagscape.speech import choice, for_python, setting

if TYPE_CHECKING:
    from dagscape.data.data import Data


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


ALWAYS = ("weights",)
"""What every function obeys: rows that occur several times are several rows."""

WITHOUT = {
    "survey_weights": "every row would count once",
    "clusters": "rows of one subject would count as if they were of several",
    "groups": "all groups would share their parameters",
    "interventions": "variables that were set would count as if they had been free",
    "series": "columns of the past would count as variables that have causes",
}
"""What it would mean to pass it over."""

WITH_GAPS = {
    "survey_weights": "count every row once",
    "clusters": "take rows of one subject as if they were of several",
    "groups": "fill the rows of each group from those of all others",
    "interventions": "take what was set as a sign of its causes",
}
"""What filling missing cells would make of it."""


def refuse_with_gaps(data: Data) -> None:
    """Refuse a table with facts about its rows that what fills missing cells does not obey."""
    for fact, why in WITH_GAPS.items():
        if data.missing and fact in data.rows.facts:
            raise DataError(
                f"{setting(fact)} and missing cells do not go together: what draws missing cells "
                f"does not obey the former, and would {why}; fill or drop the cells "
                f"({choice('missing', 'drop', 'mode')}), or make the table without {setting(fact)}"
            )
    refuse_rows(data)


def refuse_rows(data: Data, obeyed: Collection[str] = ()) -> None:
    """Refuse a table with facts about its rows that the caller does not obey."""
    for fact in data.rows.facts:
        if fact in obeyed or fact in ALWAYS:
            continue
        name = called()
        caller = for_python(f"{name} cannot" if name else "this cannot", "this command cannot")
        column = data.rows.facts[fact].words.get("column", "")
        said = setting(fact) + (f' (column "{column}")' if column else "")
        raise DataError(
            f"the table has {said}, which {caller} obey: {WITHOUT[fact]}; make the table without "
            f"{setting(fact)} if that will do"
        )
