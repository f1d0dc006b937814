"""The words of a DOT file, and where each begins."""

from __future__ import annotations

import re
from typing import NamedTuple

from dagscape.errors import FileFormatError

_BLANK = re.compile(r"\s*(?:(?://[^\n]*|/\*.*?\*/|(?<![^\n])\#[^\n]*)\s*)*", re.DOTALL)
_TOKEN = re.compile(
    r'(?:"(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"|'
    r"(?P<mark>->|--|[{}\[\]=;,:+])|"
    r"(?P<word>[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*|"
    r"-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))|"
    r"(?P<html><))\s*",
    re.DOTALL,
)
_BRACKET = re.compile("[<>]")
_ESCAPE = re.compile(r'\\(\\|"|\n)')
_ESCAPED = {"\\": "\\\\", '"': '"', "\n": ""}


class Tokens(NamedTuple):
    """Words, quoted words, marks and text in angle brackets, and their places; last, the end."""

    kinds: list[str]
    words: list[str]
    starts: list[int]


def tokens(text: str, source: str) -> Tokens:
    """Return the words of a DOT file, quoted parts joined by + as one."""
    found = Tokens([], [], [])
    kinds, words, starts = found
    match, at, size = _TOKEN.match, _past_blanks(text, 0), len(text)
    start = at
    while at < size:
        here = match(text, at)
        if here is None:
            shown = text[at : at + 20].splitlines()[0]
            raise fail(source, text, at, f"not DOT: {shown!r}")
        kind, start = here.lastgroup or "", at
        word, at = here[kind], here.end()
        if kind == "html":
            end = _closing(text, start, source)
            word, at = text[start + 1 : end - 1], _past_blanks(text, end)
        elif kind == "quoted" and "\\" in word:
            # The one escape that DOT itself has, besides a line that goes on.
            word = _ESCAPE.sub(lambda escape: _ESCAPED[escape[1]], word)
        if text[at : at + 1] in ("/", "#"):
            at = _past_blanks(text, at)
        kinds.append(kind)
        words.append(word)
        starts.append(start)
    kinds.append("end")
    words.append("the end of the file")
    starts.append(start)
    return _joined(found, text, source) if "+" in words else found


def _joined(found: Tokens, text: str, source: str) -> Tokens:
    """Return tokens with quoted parts joined where + stands between them."""
    joined = Tokens([], [], [])
    parts: list[str] = []
    for at, (kind, word, start) in enumerate(zip(*found, strict=True)):
        after = at > 0 and found.words[at - 1] == "+" and found.kinds[at - 1] == "mark"
        if parts and after and kind != "quoted":
            raise fail(source, text, start, "expected a quoted text after +")
        if parts and kind == "mark" and word == "+":
            continue
        if parts and after:
            parts.append(word)
            continue
        if parts:
            joined.words[-1] = "".join(parts)
        parts = [word] if kind == "quoted" else []
        joined.kinds.append(kind)
        joined.words.append(word)
        joined.starts.append(start)
    return joined


def fail(source: str, text: str, start: int, sentence: str) -> FileFormatError:
    """Return the error for what begins at a place in the file."""
    line = text.count("\n", 0, start) + 1
    return FileFormatError(f"{source}, line {line}: {sentence}")


def _past_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _closing(text: str, start: int, source: str) -> int:
    """Return the end of a text in angle brackets, which may hold more of them."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        depth += 1 if found[0] == "<" else -1
        if not depth:
            return found.end()
    raise fail(source, text, start, "the angle bracket opened here is never closed")
