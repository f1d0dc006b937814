"""Columns that say whether a cell of others is missing: variables like any, beside the gaps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dagscape.data.columns import Column, Levels
from dagscape.data.labels import free_name
from dagscape.notes import Note

STATES = ("no", "yes")


def indicators(columns: Sequence[Column]) -> tuple[list[Column], list[Note]]:
    """Return a column for each that has gaps, and a note on it that says whose gaps it tells.

    Columns that go missing in the same rows share one, since two would be the same.
    """
    taken = {column.name for column in columns}
    alike: dict[bytes, list[Column]] = {}
    for column in columns:
        missing = column.missing()
        if missing.any() and not missing.all():
            alike.setdefault(np.packbits(missing).tobytes(), []).append(column)
    made: list[Column] = []
    notes = []
    for told in alike.values():
        missing = told[0].missing()
        name = free_name(f"{told[0].name} missing", taken)
        taken.add(name)
        made.append(Levels(name, missing.astype(np.uint8), STATES, "label", declared=True))
        counts = {"cells": int(missing.sum()), "rows": len(missing)}
        notes.append(Note("indicator", name, "", counts, tuple(each.name for each in told)))
    return made, notes
