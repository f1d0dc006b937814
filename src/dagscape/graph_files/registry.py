"""Graph files of every format, chosen by the ending of the name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from dagscape.errors import ParameterError
from dagscape.files.endings import ARCS, GRAPHS
from dagscape.files.text import ending_of, read_bytes, write_text
from dagscape.graph_files import arcs, dagitty, dot, gml, graphml, model_string, tetrad
from dagscape.graph_files.graph_parts import Attributes, GraphParts, Pair, Value
from dagscape.graphs import Dag, Mpdag, Pag

_TEXTS = {
    "dagitty": re.compile(rb"\s*(?:dag|pdag|mag|pag)\b[^{]*\{", re.IGNORECASE),
    "dot": re.compile(rb"\s*(?:strict\s+)?(?:di)?graph\b[^{]*\{", re.IGNORECASE),
    "modelstring": re.compile(rb"\s*\["),
}
"""How a text begins that is a graph."""

FilePath = str | os.PathLike[str]


TETRADS_OWN = {".txt": "tetrad"}
"""The ending that Tetrad gives its text; elsewhere one of tables."""


class _GraphFormat(NamedTuple):
    parse: Callable[[bytes, str], GraphParts]
    format: Callable[[GraphParts], str]


_FORMATS = {
    "graphml": _GraphFormat(graphml.parse, graphml.format_graph),
    "gml": _GraphFormat(gml.parse, gml.format_graph),
    "dot": _GraphFormat(dot.parse, dot.format_graph),
    "dagitty": _GraphFormat(dagitty.parse, dagitty.format_graph),
    "modelstring": _GraphFormat(model_string.parse, model_string.format_graph),
    "tetrad": _GraphFormat(tetrad.parse, tetrad.format_graph),
    "csv": _GraphFormat(arcs.parse_csv, arcs.format_csv),
    "tsv": _GraphFormat(arcs.parse_tsv, arcs.format_tsv),
}


def write_graph(
    graph: Any, path: FilePath, *, edges: Mapping[Pair, Attributes] | None = None
) -> None:
    """Write a graph, without probabilities; the ending of the name says how.

    ``.graphml``, ``.gml``, ``.dot``, ``.dagitty``, ``.modelstring``, ``.tetrad`` or ``.txt``
    (Tetrad's text), and ``.csv`` or ``.tsv`` (the columns from and to), each also with ``.gz``. All
    keep every variable, and all but Tetrad's keep whether the graph is a Dag, a Cpdag, an Mpdag or
    a Pag; model strings hold a Dag alone. networkx reads the first two, Graphviz the third, DAGitty
    the fourth, and ``model2network`` of R's bnlearn the fifth.

    Parameters
    ----------
    graph
        A Dag, a Cpdag, an Mpdag, a Pag, or something that has a ``dag``: a Network, a Result, an
        Optimum.
    edges
        What to say of edges, by pair: ``{("A", "B"): {"confidence": 0.9}}``. Numbers, truth values
        and strings; in the first three alone.

    Notes
    -----
    An undirected edge is written once, its ends in display order. GraphML and GML mark all edges of
    a Cpdag or Mpdag ``directed``, true or false, as :meth:`Cpdag.to_networkx` does; DOT says
    ``dir=none`` of undirected ones. A Pag's edges say ``marks`` (``o->``), and in DOT the shapes of
    their ends.
    """
    form = _format(path)
    own = graph if isinstance(graph, Dag | Mpdag | Pag) else getattr(graph, "dag", None)
    if not isinstance(own, Dag | Mpdag | Pag):
        raise ParameterError(
            f"graph must be a Dag, a Cpdag, a Network or a Result, got {type(graph).__name__}; "
            "of networkx graphs, Dag.from_networkx makes one"
        )
    write_text(path, form.format(GraphParts.of(own, {} if edges is None else edges)))


def read_graph(path: FilePath) -> Dag | Mpdag | Pag:
    """Read a graph from a file that :func:`write_graph` or another program wrote.

    The ending says how: ``.graphml``, ``.gml``, ``.dot``, ``.dagitty``, ``.modelstring``,
    ``.tetrad``, ``.csv``, ``.tsv``, each also with ``.gz``; a ``.txt`` holds what DAGitty, R or
    Tetrad shows, or DOT. A file of arcs (``.csv``, ``.tsv``) names the variables that its arcs
    join, others only where a row has an empty ``to``. For files of networks, use
    ``ds.read_network(path).dag``.

    Returns
    -------
    Dag, Cpdag, Mpdag or Pag
        A Cpdag where the file says so or an edge has no direction; an Mpdag if it has directions
        that do not follow from the others, as knowledge gives them; a Pag where the file says so or
        an edge shows a circle or two heads.

    Raises
    ------
    FileFormatError
        If the file holds more than a network can (hyperedges, edges with two heads, several
        graphs), or breaks the rules of its format; the message names the line.
    """
    return _read(path).graph(os.fspath(path))


def read_edges(path: FilePath) -> dict[Pair, dict[str, Value]]:
    """Read what a graph file says of its edges, as `edges` of :func:`write_graph` takes it.

    Of edges without direction, the pair is in the order of the file. Attributes whose names other
    formats cannot hold are left out. In ``.dot``, what spells a number is read as one.
    """
    parts = _read(path)
    parts.graph(os.fspath(path))  # a file that is no graph has no edges to speak of
    return parts.said()


def graph_of_text(text: str) -> Dag | Mpdag | Pag | None:
    """Return the graph that a text says: DAGitty's, DOT, a model string; None for other texts."""
    content = text.encode("utf-8", "replace")
    form = _form_of_text(content)
    return None if form is None else form.parse(content, "the text").graph("the graph")


def _read(path: FilePath) -> GraphParts:
    form, content = _format(path), read_bytes(path)
    if ending_of(path) in TETRADS_OWN:
        form = _form_of_text(content) or form
    return form.parse(content, os.fspath(path))


def _form_of_text(content: bytes) -> _GraphFormat | None:
    """Return the format of a text by how it begins."""
    return next((_FORMATS[name] for name, text in _TEXTS.items() if text.match(content)), None)


def _format(path: FilePath) -> _GraphFormat:
    known = {**GRAPHS, **ARCS, **TETRADS_OWN}
    ending = ending_of(path)
    if ending not in known:
        raise ParameterError(
            f'"{os.fspath(path)}" has no ending of a graph file; choose {", ".join(known)} '
            "(.gz may follow)"
        )
    return _FORMATS[known[ending]]
