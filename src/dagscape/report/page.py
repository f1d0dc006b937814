"""The page: template, style and scripts in one file, and what it shows as data in it."""

from __future__ import annotations

import html
import json
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

SCRIPTS = (
    "model",
    "dom",
    "trust",
    "graph",
    "knowledge",
    "nearby",
    "details",
    "inference",
    "prepared",
    "ask",
    "charts",
    "heatmap",
    "numbers",
    "crossed",
    "tables",
    "page",
)
"""The parts of the script, in the order they are read."""


def page(shown: dict[str, Any]) -> str:
    """Return a page that needs no other file and no network."""
    folder = files("dagscape.report") / "assets"

    def read(name: str) -> str:
        return (folder / name).read_text("utf-8")

    joined = "\n".join(read(f"{name}.js") for name in SCRIPTS)
    script = f'\n"use strict";\n(() => {{\n{joined}\n}})();\n'
    parts = {
        "SCRIPT-HASH": _hash(script),
        "TITLE": html.escape(shown["title"]),
        "STYLE": read("report.css"),
        "DATA": as_script(shown),
        "SCRIPT": script,
    }
    text = read("template.html")
    # Cut at the marks, so that a mark inside a name stays what it is.
    for name in parts:
        before, _, after = text.partition(f"<!--{name}-->")
        parts[name] = before + parts[name]
        text = after
    return "".join(parts.values()) + text


def _hash(script: str) -> str:
    """Return what the page's policy knows its script by: a browser runs no other."""
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def as_script(content: object) -> str:
    """Return JSON that can stand in a script element, whatever names it holds.

    Inside the element only ``</script`` and ``<!--`` have a meaning, so no "<" is left; line ends
    that JavaScript once took for its own are escaped too.
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    # Half characters, which odd names contain, cannot be written in UTF-8.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
