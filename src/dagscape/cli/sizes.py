"""Sizes of memory, from the words of an option to bytes."""

import re
import sys

import dagscape as ds


def as_bytes(text: str) -> int:
    """Return a size that is written like 4GB, 1.5 GiB or 500000 as bytes."""
    found = re.fullmatch(
        r"(\d{1,15}(?:\.\d*)?|\.\d+)\s*(?:([kmgt])(i?)b?|b)?", text.strip().lower()
    )
    if not found:
        raise ds.ParameterError(f'--max-memory must be a size such as 4GB or 500MB, got "{text}"')
    power = "kmgt".index(found[2]) + 1 if found[2] else 0
    return min(int(float(found[1]) * (1024 if found[3] else 1000) ** power), sys.maxsize)
