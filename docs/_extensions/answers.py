"""The directive ``answers``: a table for each entry of the schema of what commands write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from commands import table, text
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

SCHEMA = Path(__file__).parents[1] / "reference" / "answers.schema.json"


class Answers(Directive):
    """Describe every entry of the schema that is an object, in the order of the schema."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        entries = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
        return [_section(name, entry) for name, entry in entries.items()]


def _section(name: str, entry: dict[str, Any]) -> nodes.section:
    section = nodes.section(ids=[f"answer-{name.replace('_', '-')}"], names=[f"answer {name}"])
    section += nodes.title("", "", nodes.literal("", name))
    words = entry.get("description", "")
    rows = _rows(entry)
    if not rows:
        words = f"{words} {_kind(entry)}".strip()
    section += nodes.paragraph("", f"{words[:1].upper()}{words[1:]}.")
    if rows:
        section += table(("Name", "What it is"), rows)
    return section


def _rows(entry: dict[str, Any]) -> list[tuple[list[nodes.Node], list[nodes.Node]]]:
    needed = entry.get("required", ())
    rows = []
    for name, part in entry.get("properties", {}).items():
        words = [_kind(part), part.get("description", ""), "" if name in needed else "where asked"]
        rows.append(([nodes.literal("", name)], text("; ".join(filter(None, words)))))
    return rows


def _kind(part: dict[str, Any]) -> str:
    """Return what kind of value it is, in words."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "anyOf" in part:
        return " or ".join(map(_kind, part["anyOf"]))
    if "const" in part or "enum" in part:
        return " or ".join(json.dumps(each) for each in part.get("enum", [part.get("const")]))
    kinds = part.get("type", "anything")
    if isinstance(kinds, list):
        return " or ".join(_kind({**part, "type": kind}) for kind in kinds)
    if kinds == "array":
        return f"list of {_kind(part.get('items', {}))}"
    if "properties" in part:
        return f"{{{', '.join(part['properties'])}}}"
    return str(kinds)


def setup(sphinx: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the directive."""
    sphinx.add_directive("answers", Answers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
