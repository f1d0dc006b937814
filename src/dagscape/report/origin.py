"""What a page says of where it comes from: the table's file, the command, the day, the version."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, date, datetime

import dagscape as ds
from dagscape.arguments import as_mapping

KNOWN = ("file", "command")
"""What whoever asks for a page can say of it."""


def origin_of(origin: Mapping[str, str] | None) -> dict[str, str]:
    """Return what was said of a page's origin, with the day it is written on."""
    said = as_mapping("origin", origin, "words")
    if odd := [name for name in said if name not in KNOWN]:
        raise ds.ParameterError(f'unknown origin "{odd[0]}"; choose {", ".join(KNOWN)}')
    if not all(isinstance(words, str) for words in said.values()):
        raise ds.ParameterError(f"origin must be a dict of words by name, got {origin!r}")
    return said | {"date": _today().isoformat()}


def _today() -> date:
    """Return the day, in UTC; the one that SOURCE_DATE_EPOCH names where files must be the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    return (
        datetime.fromtimestamp(int(given), UTC).date()
        if given.isdigit()
        else datetime.now(UTC).date()
    )
