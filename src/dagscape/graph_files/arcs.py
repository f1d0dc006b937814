"""Graphs as lists of arcs: text with the columns ``from`` and ``to``.

A row with an empty ``to`` names a variable without arcs. A third column, ``directed``, marks an
essential graph, and says ``false`` of its edges without direction; ``marks`` in its place marks a
Pag, and says ``o->`` and the like. Other columns are refused: the usual table of that kind lists
all pairs with a strength, and is no graph.
"""

from __future__ import annotations

import csv
import io
import re

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.spreadsheets import guarded, unguarded
from dagscape.files.text import decode_text
from dagscape.graph_files.graph_parts import Edge, GraphParts

HEADER, MARK, ENDS = ("from", "to"), "directed", "marks"
_WORDS = {"true": True, "false": False}


def parse_csv(content: bytes, source: str) -> GraphParts:
    """Return what a file of arcs says, cells separated by commas."""
    return _parse(content, source, ",")


def parse_tsv(content: bytes, source: str) -> GraphParts:
    """Return what a file of arcs says, cells separated by tabs."""
    return _parse(content, source, "\t")


def format_csv(parts: GraphParts) -> str:
    """Return a file of arcs, cells separated by commas."""
    return _format(parts, ",")


def format_tsv(parts: GraphParts) -> str:
    """Return a file of arcs, cells separated by tabs."""
    return _format(parts, "\t")


def _parse(content: bytes, source: str, separator: str) -> GraphParts:
    lines = csv.reader(
        io.StringIO(decode_text(source, content), newline=""), delimiter=separator, strict=True
    )
    try:
        header = next(lines, [])
        if sorted(header) not in [sorted((*HEADER, *more)) for more in ((), (MARK,), (ENDS,))]:
            got = separator.join(header) or "nothing"
            raise FileFormatError(
                f'{source}: a file of arcs has the columns "from" and "to", got {got}'
            )
        rows = []
        for cells in lines:
            if not cells:
                continue
            where = f"{source}, line {lines.line_num}"
            if len(cells) != len(header):
                some = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
                ends = "two ends" if len(header) == 2 else "two ends and a mark"
                raise FileFormatError(f"{where}: an arc has {ends}, got {some}")
            row = dict(zip(header, cells, strict=True))
            if not row["from"]:
                raise FileFormatError(f'{where}: "from" is empty')
            mark = _marked(row, where) if row["to"] else True
            rows.append(
                (row["from"], row["to"], mark, lines.line_num, row.get(ENDS, "").removeprefix("'"))
            )
    except csv.Error as error:
        raise FileFormatError(f"{source}, line {lines.line_num}: {error}") from None
    named = dict.fromkeys(cell for row in rows for cell in row[:2] if cell)
    name = unguarded(named)
    edges = [
        Edge(name[a], name[b], mark, line=line, marks=ends) for a, b, mark, line, ends in rows if b
    ]
    return GraphParts([name[cell] for cell in named], edges, MARK in header, ENDS in header)


def _marked(row: dict[str, str], where: str) -> bool:
    mark = row.get(MARK, "true")
    if mark.lower() not in _WORDS:
        raise FileFormatError(f'{where}: "{MARK}" must be true or false, got "{mark}"')
    return _WORDS[mark.lower()]


def _format(parts: GraphParts, separator: str) -> str:
    if parts.kinds():
        raise ParameterError(
            "a file of arcs has no place for what edges says; use .graphml, .gml or .dot"
        )
    joined = {name for edge in parts.edges for name in (edge.start, edge.end)}
    rows = [
        (edge.start, edge.end, edge.marks or str(edge.directed).lower()) for edge in parts.edges
    ]
    rows += [(name, "", "") for name in parts.names if name not in joined]
    width = 3 if parts.essential or parts.ancestral else 2
    lines = [separator.join((*HEADER, ENDS if parts.ancestral else MARK)[:width])]
    lines += [
        separator.join([_cell(guarded(cell), separator) for cell in row[:width]]) for row in rows
    ]
    if "" in parts.names or any("\0" in name for name in parts.names):
        raise ParameterError(
            "a file of arcs cannot hold an empty name or one with a NUL character; use .gml"
        )
    return "\n".join([*lines, ""])


def _cell(text: str, separator: str) -> str:
    if re.search(rf'["\r\n{separator}]', text):
        return '"' + text.replace('"', '""') + '"'
    return text
