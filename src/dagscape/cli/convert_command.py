"""``dagscape convert``: the same network, graph, table or file of scores in another format."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.file_kinds import ARCS, ENDINGS, GRAPH, NETWORK, SCORES, TABLE, UNKNOWN, kind_of
from dagscape.cli.inputs import (
    Seed,
    read_graph,
    read_network,
    read_pag,
    saved_result,
)
from dagscape.cli.output import note, note_data, note_losses
from dagscape.cli.output_files import refuse_unwritable, said_of_names, write_portable
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.graph_files import read_edges
from dagscape.words import counted


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="File to read, or the name of an embedded network.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write.")],
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    keep_names: Annotated[
        bool,
        typer.Option(
            "--keep-names",
            help="Write names and states as they are, though pgmpy or pyAgrum may not read them.",
        ),
    ] = False,
) -> None:
    """Convert a network, graph, table or file of scores; file endings decide the formats.

    Networks: .bif, .xmlbif, .bifxml, .xdsl, .json, and .R, a script for bnlearn that is not read
    back; with pyAgrum also .net. Names that would break other readers of .bif and XML are made
    safe, and OUT-names.csv says what became what. Graphs: .graphml, .gml, .dot, .tetrad,
    .dagitty, .modelstring; .csv and .tsv are lists of arcs beside a graph or network, and tables
    otherwise. Tables: .csv, .tsv, .parquet, .arrow; the options are for these. Scored parent sets:
    .jkl, .pss.
    """
    begin, end = _kinds(source, target, text=reading.separator is not None)
    if begin != TABLE and reading.given:
        raise ds.ParameterError(
            f'{", ".join(reading.given)}: only for tables; "{source}" is a {begin}'
        )
    if begin == NETWORK and end == NETWORK:
        net = read_network(source)
        _write_network(net, target, keep_names)
        note(f"{_size(net.names, net.dag.arcs)} in {target}")
    elif end == GRAPH:
        _convert_graph(source, target, begin)
    elif begin == SCORES:
        parents = ds.read_parents(source)
        parents.write(target)
        variables = counted(len(parents.names), "variable")
        note(f"{counted(len(parents), 'parent set')} of {variables} in {target}")
        if ".jkl" in target.name.lower() and ".pss" in source.lower():
            note(f"META lines about single variables have no place in {target}")
    else:
        data = reading.read(Path(source), seed)
        data.write(target)
        rows, variables = counted(data.n_rows, "row"), counted(data.n_variables, "variable")
        note(f"{rows} of {variables} in {target}")
        note_data(data)
        note_losses(data, target)


def _write_network(net: ds.Network, target: Path, keep_names: bool) -> None:
    """Write a network, with names that other readers take unless they are to be kept."""
    if keep_names:
        net.write(target)
    elif renamed := write_portable(net, target):
        note(f"{said_of_names(renamed, target)}, --keep-names leaves them as they are")


def _kinds(source: str, target: Path, *, text: bool) -> tuple[str, str]:
    """Return what is to be made of what, or say why it cannot be."""
    begin = NETWORK if source in ds.embedded_networks() else kind_of(source)
    end = kind_of(target)
    if begin == NETWORK and source not in ds.embedded_networks() and saved_result(source):
        begin = GRAPH
    if begin == UNKNOWN and text:
        begin = TABLE
    # A list of arcs is a graph beside one, and a table beside a table.
    if end == ARCS:
        end = GRAPH if begin in (NETWORK, GRAPH) else TABLE
    if begin == ARCS:
        begin = GRAPH if end == GRAPH else TABLE
    if end == UNKNOWN:
        endings = ", ".join(chain.from_iterable(ENDINGS.values()))
        raise ds.ParameterError(f'"{target}" has an unknown ending; choose {endings}')
    if begin == UNKNOWN:  # the sentences for what is no file and no network
        read_network(source)
    if begin == end or (begin, end) == (NETWORK, GRAPH):
        return begin, end
    data = quote(source) if begin == TABLE else "DATA"
    network = quote(source) if begin == NETWORK else "NETWORK"
    out = quote(str(target))
    why = {
        NETWORK: f"a network has probabilities; dagscape exact {data} -o {out} learns one",
        GRAPH: f"a graph is learned; dagscape exact {data} -o {out} does",
        SCORES: f"scores come from a table; dagscape parents {data} -o {out} makes them",
        TABLE: f"a table has rows; dagscape sample {network} -n 1000 -o {out} draws some",
    }[end]
    raise ds.ParameterError(f'"{source}" is a {begin} and "{target}" would be a {end}: {why}')


def _convert_graph(source: str, target: Path, begin: str) -> None:
    refuse_unwritable(target)
    graph = read_pag(source) or read_graph(source).graph
    said = read_edges(source) if kind_of(source) in (GRAPH, ARCS) and begin == GRAPH else {}
    kept = kind_of(target) == GRAPH
    ds.write_graph(graph, target, edges=said if kept else None)
    if isinstance(graph, ds.Pag):
        size = f"{counted(len(graph.names), 'variable')} and {counted(len(graph.edges), 'edge')}"
    elif isinstance(graph, ds.Dag):
        size = _size(graph.names, graph.arcs)
    else:
        undirected = counted(len(graph.undirected), "undirected edge")
        variables = counted(len(graph.names), "variable")
        size = f"{variables} and {len(graph.directed):,} directed and {undirected}"
    note(f"{size} in {target}")
    if begin == NETWORK:
        note(f"{target} holds the graph alone: states and probabilities have no place in it")
    if said and not kept:
        named = ", ".join(dict.fromkeys(name for values in said.values() for name in values))
        note(f"what {source} says of its edges has no place in {target}: {named}")


def _size(names: Sequence[str], arcs: Sequence[tuple[str, str]]) -> str:
    return f"{counted(len(names), 'variable')} and {counted(len(arcs), 'arc')}"
