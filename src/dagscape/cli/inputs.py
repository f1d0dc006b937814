"""From the words on the command line to networks and graphs."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.file_kinds import ARCS, ENDINGS, GRAPH, kind_of

NETWORK_FILE = "network.json"
"""The network in a folder of ``learn``."""
TRAP = "trap"
"""The network of :func:`dagscape.trap`, with 10 groups."""
NETWORKS = ", ".join([*ds.embedded_networks(), TRAP])
GRAPH_KINDS = (
    f"network file, a graph file ({', '.join(ENDINGS[GRAPH])}, a .csv of arcs: columns from,to), "
    f"a saved result (.json), or one of {NETWORKS}"
)

NetworkName = Annotated[
    str,
    typer.Argument(
        metavar="NETWORK",
        help=f"Network file (.bif, .xmlbif, .json), folder of learn, or one of {NETWORKS}.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed for random draws.")]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def read_network(name: str) -> ds.Network:
    """Read a network file or that of a folder of ``learn``, or load an embedded network by name."""
    if name in ds.embedded_networks():  # a file of that name would have an ending
        return ds.load_network(name)
    if name == TRAP:
        return ds.trap()
    if not Path(name).suffix and not Path(name).exists():
        raise ds.ParameterError(
            f'no network is called "{name}"; give a file such as {name}.bif or one of {NETWORKS}'
        )
    inside = Path(name) / NETWORK_FILE
    return ds.read_network(inside if inside.is_file() else name)


@dataclass(frozen=True)
class GivenGraph:
    """A graph, and whether it names all its variables: a list of arcs need not.

    One in which causes may be hidden stands for no network, and is read by `read_pag` alone.
    """

    graph: ds.Dag | ds.Mpdag
    whole: bool = True

    def on(self, names: Iterable[str]) -> ds.Dag | ds.Mpdag:
        """Return the graph; where it need not name all variables, on these."""
        if self.whole:
            return self.graph
        known = tuple(names)
        if isinstance(self.graph, ds.Dag):
            graph: ds.Dag | ds.Mpdag = ds.Dag(known, self.graph.arcs)
        else:
            graph = type(self.graph)(known, self.graph.directed, self.graph.undirected)
        for name in self.graph.names:
            graph.parents(name)  # refuses a name that is not known
        return graph

    @property
    def alike(self) -> ds.Dag | ds.Mpdag | list[tuple[str, str]]:
        """The graph, or the arcs of one like it where others must say what variables there are."""
        if self.whole:
            return self.graph
        return list((self.graph if isinstance(self.graph, ds.Dag) else self.graph.to_dag()).arcs)


def read_graph(name: str) -> GivenGraph:
    """Read a graph file, or the graph of a network or of a saved result."""
    if name not in ds.embedded_networks() and kind_of(name) in (GRAPH, ARCS):
        graph = ds.read_graph(name)
        if isinstance(graph, ds.Pag):
            raise ds.ParameterError(
                f'"{name}" has circles or two heads: it is a graph in which causes may be hidden, '
                "and no network; dagscape compare and convert take it"
            )
        return GivenGraph(graph, kind_of(name) == GRAPH)
    try:
        return GivenGraph(read_network(name).dag)
    except ds.FileFormatError:
        if (result := saved_result(name)) is not None:
            return GivenGraph(result.dag)
        raise


def read_pag(name: str) -> ds.Pag | None:
    """Read a file of a graph in which causes may be hidden; None if it holds another."""
    if name in ds.embedded_networks() or kind_of(name) not in (GRAPH, ARCS):
        return None
    graph = ds.read_graph(name)
    return graph if isinstance(graph, ds.Pag) else None


def saved_result(name: str) -> ds.Result | None:
    """Return what a search left in a file, or nothing if it is another file."""
    try:
        return ds.load_result(name, ds.Result) if ".json" in name.lower() else None
    except ds.FileFormatError:
        return None
