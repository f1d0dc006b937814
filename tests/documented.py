"""What the reference documents: public names, and what they give, by the rooms it is at home in."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"

# Brackets behind a name: its arguments are nobody's to give.
DIRECTIVE = re.compile(r"^\.\. (?:auto\w+|py:data):: dagscape\.([\w.]+)(?:\(\))?$", re.MULTILINE)


def documented() -> list[str]:
    """Return the names in the reference, without the package's, as often as they are there."""
    pages = sorted(REFERENCE.glob("*.md"))
    return [name for page in pages for name in DIRECTIVE.findall(page.read_text("utf-8"))]


def thing(name: str) -> object:
    """Return what has a name of the reference."""
    return pkgutil.resolve_name(f"dagscape.{name}")
