"""Pages that live outside ``docs``, such as CHANGELOG.md, as pages of the site.

``outside_pages`` in conf.py maps each to a page here. That page holds a link to it, for readers of
the tree; on the site it is the outside page itself, and links to either lead to it.
"""

from __future__ import annotations

import os.path
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

LINK = re.compile(r"(?<=\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")


def take_in(sphinx: Sphinx, page: str, source: list[str]) -> None:
    """Put an outside page in the place of one that stands for it, and mend links."""
    inside, root = Path(sphinx.srcdir), Path(sphinx.srcdir).parent
    outside = {root / path: name for path, name in sphinx.config.outside_pages.items()}
    here = inside / page
    at = here.parent
    for path, name in outside.items():
        if name == page:
            source[0], at = path.read_text("utf-8"), path.parent
            sphinx.env.note_dependency(str(path))

    def mend(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(at / link[1]))
        if target in outside:
            target = inside / f"{outside[target]}.md"
        return f"{Path(os.path.relpath(target, here.parent)).as_posix()}{link[2]}"

    source[0] = LINK.sub(mend, source[0])


def setup(sphinx: Sphinx) -> dict[str, Any]:
    """Tell Sphinx where the pages are."""
    sphinx.add_config_value("outside_pages", {}, "env", dict)
    sphinx.connect("source-read", take_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
