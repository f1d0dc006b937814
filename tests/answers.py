"""What commands write with ``--json``, held against its schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator

SCHEMA = Path(__file__).parents[1] / "docs" / "reference" / "answers.schema.json"


@cache
def validator(command: str) -> Draft202012Validator:
    """Return what checks the answers of a command."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    assert command in schema["$defs"], f"{SCHEMA.name} has no entry for {command}"
    return Draft202012Validator({**schema, "$ref": f"#/$defs/{command}"})


def check_answer(command: str, text: str) -> None:
    """Refuse an answer that the schema does not have so."""
    wrong = [
        found.message for found in _innermost(validator(command).iter_errors(json.loads(text)))
    ]
    assert not wrong, f"{command} --json, and {SCHEMA.name}: {'; '.join(wrong)}"


def _innermost(errors):
    for error in errors:
        yield from _innermost(error.context) if error.context else (error,)
