r"""The Bayesian Interchange Format (BIF) of JavaBayes, as the bnlearn repository uses it.

Words are separated by blanks, commas and bars; a word with any of ``{}()[];,|"`` or blanks in it
is quoted, with a backslash before ``"`` and ``\``. A row of a table names the states of the
parents, so rows are matched by label. ``table`` with parents lists the child's states slowest and
the last parent fastest.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import read_text, write_text
from dagscape.networks.network import refuse_numbers
from dagscape.networks.network_parts import NetworkParts
from dagscape.networks.nodes.table import Table, checked_table, refuse_huge

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from dagscape.networks.network import Network

# Each pattern below has one way to match a text, so that time grows with its length. What is opened
# and never closed runs to the end of the file: looked at once, it is the last token.
_QUOTED = r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)'
_PLAIN_PART = r'[^\s{}()\[\];,|"/]'
_SLASHED = rf"/(?![/*]){_PLAIN_PART}*"
_WORD = rf"(?:{_PLAIN_PART}+(?:{_SLASHED})*|(?:{_SLASHED})+)"
_TOKEN = re.compile(
    rf"//[^\n]*|/\*.*?(?:\*/|\Z)|property\s[^;\"]*(?:{_QUOTED}[^;\"]*)*(?:;|\Z)|"
    rf"[{{}}()\[\];]|{_WORD}|{_QUOTED}",
    re.DOTALL,
)
_PLAIN = re.compile(_WORD)
_CLOSED = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_REFERENCE = re.compile(rf"property\s+reference\s*=\s*({_QUOTED})\s*;", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_KEYWORDS = frozenset({"network", "variable", "probability", "property", "table", "default"})
_PUNCTUATION = frozenset("{}()[];")
_LEFT_OPEN = {
    '"': "a quotation mark without its partner",
    "/*": "a comment that is never closed",
}


# A default row stands for all that are not listed: a small file could ask for much memory.
LEAST_CELLS = 10_000_000
CELLS_PER_WORD = 100


def read_bif(path: str | os.PathLike[str]) -> Network:
    """Read a network from a BIF file (``.bif`` or ``.bif.gz``).

    Tables come back for the right states: rows are matched by label, in whatever order they and
    the parents are listed.
    """
    return parse_bif(read_text(path), str(path)).network(str(path))


def write_bif(net: Network, path: str | os.PathLike[str]) -> None:
    """Write a network as BIF; names and labels are quoted only where they must be."""
    refuse_numbers(net, "BIF files have")
    write_text(path, format_bif(NetworkParts.of(net)))


def parse_bif(text: str, source: str) -> NetworkParts:
    """Return the parts of the network that BIF text describes."""
    return _BifParser(text, source).parse()


class _BifParser:
    """Walks a list of tokens; positions in the text are worked out only for an error."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.tokens: list[str] = [t for t in _TOKEN.findall(text) if not _is_comment(t)]
        if self.tokens and (mark := _left_open(self.tokens[-1])):
            self.tokens[-1] = mark
        self.tokens.append("")  # the end of the file
        self.at = 0
        self.parts = NetworkParts()
        self.codes: dict[str, dict[str, int]] = {}
        self.cells = 0

    def parse(self) -> NetworkParts:
        blocks: dict[str, Callable[[], None]] = {
            "network": self.network,
            "variable": self.variable,
            "probability": self.probability,
        }
        while self.tokens[self.at]:
            if self.skipped_property():
                continue
            block = blocks.get(self.tokens[self.at])
            if block is None:
                self.fail('"network", "variable" or "probability"')
            self.at += 1
            block()
        if not self.parts.states:
            self.fail('at least one "variable" block')
        for x in self.parts.states:
            if x not in self.parts.tables:
                self.stop(f'variable "{x}" has no "probability" block')
        return self.parts

    def network(self) -> None:
        if self.tokens[self.at] == "unknown":  # what is written where there is no name
            self.at += 1
        elif self.tokens[self.at] != "{":
            self.parts.name = self.word("the name of the network")
        self.expect("{")
        while self.skipped_property():
            if found := _REFERENCE.fullmatch(self.tokens[self.at - 1]):
                self.parts.reference = _unquote(found[1])
        self.expect("}")

    def variable(self) -> None:
        x = self.word("the name of a variable")
        if x in self.parts.states:
            self.stop(f'variable "{x}" is declared twice', -1)
        self.expect("{")
        labels: list[str] = []
        while self.tokens[self.at] != "}":
            if self.skipped_property():
                continue
            self.expect("type")
            self.expect("discrete")
            self.expect("[")
            count = self.word("the number of states")
            self.expect("]")
            self.expect("{")
            while self.tokens[self.at] != "}":
                labels.append(self.word('a state or "}"'))
            if str(len(labels)) != count:
                self.stop(f'variable "{x}" declares {count} states and lists {len(labels)}')
            self.at += 1
            self.expect(";")
        if not labels:
            self.fail(f'"type discrete" with the states of "{x}"')
        self.at += 1
        self.codes[x] = {label: code for code, label in enumerate(labels)}
        if len(self.codes[x]) != len(labels):
            twice = Counter(labels).most_common(1)[0][0]
            self.stop(f'variable "{x}" has the state "{twice}" more than once', -1)
        self.parts.states[x] = tuple(labels)

    def probability(self) -> None:
        start = self.at
        self.expect("(")
        x, *parents = self.known_variables()
        if x in self.parts.tables:
            self.stop(f'variable "{x}" has more than one "probability" block', -1)
        if len({x, *parents}) != 1 + len(parents):
            self.stop(f'a variable is named twice in the "probability" block of "{x}"', -1)
        self.expect("{")
        self.parts.parents[x] = tuple(parents)
        shape = self.parts.shape(x)
        try:
            refuse_huge(x, shape)
            self.cells += math.prod(shape)
            if self.cells > LEAST_CELLS + CELLS_PER_WORD * len(self.tokens):
                raise ParameterError(f'the table of "{x}" is far larger than what the file lists')
            table = self.table(x, shape)
            checked_table(x, table, shape, parents)
        except ParameterError as error:
            self.stop(str(error), start - self.at)
        self.parts.tables[x] = table

    def known_variables(self) -> list[str]:
        names = []
        while self.tokens[self.at] != ")":
            names.append(self.word('the name of a variable or ")"'))
            if names[-1] not in self.parts.states:
                self.stop(f'"{names[-1]}" is not declared in a "variable" block before', -1)
        if not names:
            self.fail("the name of a variable")
        self.at += 1
        return names

    def table(self, x: str, shape: tuple[int, ...]) -> Table:
        rows = np.full((self.parts.rows(x), shape[-1]), np.nan)
        default: list[float] | None = None
        codes = [self.codes[p] for p in self.parts.parents[x]]
        while (item := self.tokens[self.at]) != "}":
            self.at += 1
            if item == "(":
                row = self.row_number(x, codes)
                values = self.numbers(shape[-1])
                if rows[row, 0] == rows[row, 0]:  # not a NaN: set before
                    self.stop(f'the table of "{x}" has this row twice', -1)
                rows[row] = values
            elif item == "table":
                values = self.numbers(rows.size)
                if not np.isnan(rows).all():
                    self.stop(f'the table of "{x}" is given twice', -1)
                rows[:] = np.reshape(values, (shape[-1], -1)).T  # the child's states vary slowest
            elif item == "default":
                default = self.numbers(shape[-1])
            else:
                self.at -= 1
                if not self.skipped_property():
                    self.fail('"(", "table", "default" or "}"')
        self.at += 1
        missing = np.isnan(rows[:, 0])
        if default is not None:
            rows[missing] = default
        elif missing.any():
            where = np.unravel_index(int(missing.argmax()), shape[:-1])
            pairs = zip(self.parts.parents[x], where, strict=True)
            labels = ", ".join(self.parts.states[p][int(i)] for p, i in pairs)
            self.stop(f'the table of "{x}" has no row for ({labels})', -1)
        return rows.reshape(shape)

    def row_number(self, x: str, codes: list[dict[str, int]]) -> int:
        row = 0
        for parent, code in zip(self.parts.parents[x], codes, strict=True):
            label = self.word(f'a state of "{parent}"')
            if label not in code:
                self.stop(f'"{label}" is not a state of "{parent}"', -1)
            row = row * len(code) + code[label]
        self.expect(")")
        return row

    def numbers(self, count: int) -> list[float]:
        try:
            end = self.tokens.index(";", self.at)
            values = list(map(float, self.tokens[self.at : end]))
        except ValueError:
            while _is_number(self.tokens[self.at]):
                self.at += 1
            self.fail('a number or ";"')
        self.at = end + 1
        if len(values) != count:
            self.stop(f"expected {count} numbers, found {len(values)}", -1)
        if not all(value >= 0 for value in values):
            wrong = next(value for value in values if not value >= 0)
            self.stop(f"expected probabilities, found {wrong}", -1)
        return values

    def skipped_property(self) -> bool:
        item = self.tokens[self.at]
        found = item.startswith("property") and item.endswith(";")  # no word ends so
        self.at += found
        return found

    def word(self, what: str) -> str:
        item = self.tokens[self.at]
        if not item or item in _PUNCTUATION or item in _LEFT_OPEN:
            self.fail(what)
        self.at += 1
        return _unquote(item) if item[0] == '"' else item

    def expect(self, item: str) -> None:
        if self.tokens[self.at] != item:
            self.fail(f'"{item}"')
        self.at += 1

    def fail(self, expected: str) -> NoReturn:
        item = self.tokens[self.at]
        found = f'"{item[:40]}"' if item else "the end of the file"
        found = _LEFT_OPEN.get(item, found)
        self.stop(f"expected {expected}, found {found}")

    def stop(self, sentence: str, shift: int = 0) -> NoReturn:
        """Raise, with the line of the current token or of one some places off."""
        at = self.at + shift
        found = (m for m in _TOKEN.finditer(self.text) if not _is_comment(m[0]))
        end = len(self.text.rstrip())
        offset = next((m.start() for i, m in enumerate(found) if i == at), end)
        line = self.text.count("\n", 0, offset) + 1
        raise FileFormatError(f"{self.source}, line {line}: {sentence}")


def format_bif(parts: NetworkParts) -> str:
    """Return the BIF text of a network."""
    name = _quote(parts.name) if parts.name == "unknown" else _word(parts.name)
    lines = [f"network {name if parts.name else 'unknown'} {{"]
    if parts.reference:
        # Other readers end a property at the first semicolon, quoted or not.
        quoted = _quote(parts.reference).replace(";", "\\u003b")
        lines.append(f"  property reference = {quoted} ;")
    lines.append("}")
    words = {x: [_word(label) for label in labels] for x, labels in parts.states.items()}
    for x, labels in words.items():
        lines.append(f"variable {_word(x)} {{")
        lines.append(f"  type discrete [ {len(labels)} ] {{ {', '.join(labels)} }};")
        lines.append("}")
    for x, parents in parts.parents.items():
        given = f" | {', '.join(map(_word, parents))}" if parents else ""
        lines.append(f"probability ( {_word(x)}{given} ) {{")
        rows = parts.tables[x].reshape(-1, len(words[x])).tolist()
        if parents:
            for given_states, row in zip(product(*(words[p] for p in parents)), rows, strict=True):
                lines.append(f"  ({', '.join(given_states)}) {', '.join(map(repr, row))};")
        else:
            lines.append(f"  table {', '.join(map(repr, rows[0]))};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _word(text: str) -> str:
    return text if _PLAIN.fullmatch(text) and text not in _KEYWORDS else _quote(text)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    # Line ends as escapes: a file changed from one system's line ends to another's keeps them.
    return '"' + re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", _code, escaped) + '"'


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _unquote(item: str) -> str:
    def plain(found: re.Match[str]) -> str:
        escape = found[1]
        return chr(int(escape[1:], 16)) if len(escape) == 5 else escape

    return _ESCAPE.sub(plain, item[1:-1])


def _is_comment(item: str) -> bool:
    return item.startswith("//") or (item.startswith("/*") and not _left_open(item))


def _left_open(item: str) -> str:
    """Return how a token begins that lacks its end, or nothing."""
    if item.startswith("/*"):
        return "" if len(item) >= 4 and item.endswith("*/") else "/*"
    return '"' if item.startswith('"') and not _CLOSED.fullmatch(item) else ""


def _is_number(item: str) -> bool:
    try:
        float(item)
    except ValueError:
        return False
    return True
