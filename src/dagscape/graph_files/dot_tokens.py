"""The words of a DOT file, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dagscape.errors import FileFormatError

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/|(?<![^\n])\#[^\n]*)|"
    r'"(?P<quoted>(?:\\.|[^"\\])*)"|'
    r"(?P<mark>->|--|[{}\[\]=;,:+])|"
    r"(?P<word>[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*|"
    r"-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))|"
    r"(?P<html><)",
    re.DOTALL,
)


class Token(NamedTuple):
    """A word, a quoted word, a mark, or text in angle brackets."""

    kind: str
    text: str
    line: int


def tokens(text: str, source: str) -> Iterator[Token]:
    """Yield the words of a DOT file, quoted parts joined by + as one."""
    waiting: Token | None = None
    joining = False
    for token in _split(text, source):
        if joining:
            if token.kind != "quoted" or waiting is None:
                raise fail(source, token.line, "expected a quoted text after +")
            waiting = Token("quoted", waiting.text + token.text, waiting.line)
            joining = False
        elif waiting is not None and token == ("mark", "+", token.line):
            joining = True
        else:
            if waiting is not None:
                yield waiting
                waiting = None
            if token.kind == "quoted":
                waiting = token
            else:
                yield token
    if waiting is not None:
        yield waiting


def fail(source: str, line: int, sentence: str) -> FileFormatError:
    """Return the error for what is on a line."""
    return FileFormatError(f"{source}, line {line}: {sentence}")


def _split(text: str, source: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise fail(source, line, f"not DOT: {text[at : at + 20].splitlines()[0]!r}")
        kind, end = str(found.lastgroup), found.end()
        content = found[kind]
        if kind == "html":
            end = _closing(text, at, source, line)
            content = text[at + 1 : end - 1]
        elif kind == "quoted":
            # The one escape that DOT itself has, besides a line that goes on.
            content = re.sub(r'\\(\\|"|\n)', _escape, content)
        if kind != "blank":
            yield Token(kind, content, line)
        line += text.count("\n", at, end)
        at = end


def _escape(found: re.Match[str]) -> str:
    return {"\\": "\\\\", '"': '"', "\n": ""}[found[1]]


def _closing(text: str, start: int, source: str, line: int) -> int:
    """Return the end of a text in angle brackets, which may hold more of them."""
    depth = 0
    for found in re.finditer("[<>]", text[start:]):
        depth += 1 if found[0] == "<" else -1
        if not depth:
            return start + found.end()
    raise fail(source, line, "the angle bracket opened here is never closed")
