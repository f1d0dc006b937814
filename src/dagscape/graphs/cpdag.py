"""The essential graph of an equivalence class of directed acyclic graphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.errors import GraphError
from dagscape.graphs.dag import Dag, Pair, numbered_pairs
from dagscape.speech import for_python
from dagscape.variables import Variables

if TYPE_CHECKING:
    import networkx as nx


class Cpdag:
    """The essential graph (CPDAG) of a class of networks that no data can tell apart.

    An edge is directed where all networks of the class agree, undirected otherwise. Immutable;
    equal when variables and edges are.

    Parameters
    ----------
    names
        The variables, those without edges included.
    directed, undirected
        Pairs of names; a directed one goes from the first to the second.

    Raises
    ------
    GraphError
        If the edges are not those of an essential graph. For a partially directed graph that is to
        be completed, use :meth:`from_pdag`.
    """

    __slots__ = ("_graph", "_variables")
    _graph: _core.Pdag
    _variables: Variables

    def __init__(
        self, names: Iterable[str], directed: Iterable[Pair] = (), undirected: Iterable[Pair] = ()
    ) -> None:
        variables = Variables(names)
        pdag, completed = _complete(variables, directed, undirected)
        if completed != pdag:
            changed = sorted(set(pdag.directed) ^ set(completed.directed))
            a, b = (variables.name(v) for v in changed[0])
            raise GraphError(
                f'this is not an essential graph: the edge between "{a}" and "{b}" is directed '
                "otherwise than the rest implies"
                + for_python("; use Cpdag.from_pdag to complete it")
            )
        self._variables = variables
        self._graph = completed

    @classmethod
    def from_pdag(
        cls, names: Iterable[str], directed: Iterable[Pair] = (), undirected: Iterable[Pair] = ()
    ) -> Cpdag:
        """Return the class of the networks that extend a partially directed graph.

        Such a network directs the undirected edges without a cycle or a further v-structure. If
        there is none, that is a :class:`~dagscape.GraphError`.
        """
        variables = Variables(names)
        return cls._wrap(variables, _complete(variables, directed, undirected)[1])

    @classmethod
    def _wrap(cls, variables: Variables, graph: _core.Pdag) -> Cpdag:
        cpdag = cls.__new__(cls)
        cpdag._variables = variables
        cpdag._graph = graph
        return cpdag

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order they were listed."""
        return self._variables.names

    @property
    def variables(self) -> Variables:
        """The variables with their engine numbers."""
        return self._variables

    @property
    def directed(self) -> tuple[Pair, ...]:
        """The directed edges, as pairs (from, to)."""
        return self._variables.show_pairs(self._graph.directed)

    @property
    def undirected(self) -> tuple[Pair, ...]:
        """The undirected edges, each once."""
        rank = self._variables.display_rank
        edges = (tuple(sorted(edge, key=rank)) for edge in self._graph.undirected)
        return self._variables.show_pairs((a, b) for a, b in edges)

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the variables with a directed edge to this one."""
        return self._variables.show(self._graph.parents(self._variables.number(name)))

    def children(self, name: str) -> tuple[str, ...]:
        """Return the variables with a directed edge from this one."""
        return self._variables.show(self._graph.children(self._variables.number(name)))

    def undirected_neighbors(self, name: str) -> tuple[str, ...]:
        """Return the variables joined to this one by an undirected edge."""
        return self._variables.show(self._graph.undirected_neighbors(self._variables.number(name)))

    def neighbors(self, name: str) -> tuple[str, ...]:
        """Return all variables joined to this one by an edge of either kind."""
        return self._variables.show(self._graph.adjacent(self._variables.number(name)))

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Return the Markov blanket, which is the same in all networks of the class.

        Variables that share a child without being adjacent make a v-structure, and its edges are
        directed in the essential graph.
        """
        v = self._variables.number(name)
        blanket = set(self._graph.adjacent(v))
        for child in self._graph.children(v):
            blanket.update(self._graph.parents(child))
        return self._variables.show(blanket - {v})

    def to_dag(self) -> Dag:
        """Return one network of the class (Dor and Tarsi 1992).

        Among equals, edges go from the lower to the higher name, so the answer is always the same.
        """
        dag = self._graph.consistent_extension()
        if dag is None:  # an essential graph has members by definition
            raise GraphError("the essential graph has no member; this is a bug")
        return Dag._wrap(self._variables, dag)

    def to_networkx(self) -> nx.DiGraph[str]:
        """Return a networkx DiGraph with each edge once and an attribute ``directed``.

        Where ``directed`` is False the order of the two ends has no meaning.
        """
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from(self.directed, directed=True)
        graph.add_edges_from(self.undirected, directed=False)
        return graph

    @classmethod
    def from_networkx(cls, graph: nx.Graph[str]) -> Cpdag:
        """Take over what :meth:`to_networkx` gives.

        Two opposite arcs, and the edges of an undirected graph, are undirected edges too.
        """
        if not graph.is_directed():
            return cls(graph.nodes, (), graph.edges())
        directed: list[Pair] = []
        undirected: dict[Pair, None] = {}
        for a, b, arrow in graph.edges(data="directed", default=True):
            if arrow and not graph.has_edge(b, a):
                directed.append((a, b))
            elif (b, a) not in undirected:
                undirected[a, b] = None
        return cls(graph.nodes, directed, undirected)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cpdag):
            return NotImplemented
        return self._variables == other._variables and self._graph == other._graph

    def __hash__(self) -> int:
        graph = self._graph
        return hash((self._variables, tuple(graph.directed), tuple(graph.undirected)))

    def __reduce__(
        self,
    ) -> tuple[type[Cpdag], tuple[tuple[str, ...], tuple[Pair, ...], tuple[Pair, ...]]]:
        # The engine's graph cannot be copied to another process; it is made again there.
        return Cpdag, (self.names, self.directed, self.undirected)

    def __repr__(self) -> str:
        return (
            f"<Cpdag: {len(self.names)} variables, {len(self._graph.directed)} directed and "
            f"{len(self._graph.undirected)} undirected edges>"
        )


def _complete(
    variables: Variables, directed: Iterable[Pair], undirected: Iterable[Pair]
) -> tuple[_core.Pdag, _core.Pdag]:
    """Return a partially directed graph and the essential graph of its extensions."""
    arcs = numbered_pairs(variables, directed, "a directed edge")
    edges = numbered_pairs(variables, undirected, "an undirected edge")
    joined = set()
    for pair in (*arcs, *edges):
        if frozenset(pair) in joined:
            a, b = (variables.name(v) for v in sorted(pair))
            raise GraphError(f'"{a}" and "{b}" are joined by more than one edge')
        joined.add(frozenset(pair))
    pdag = _core.Pdag(len(variables), arcs, edges)
    dag = pdag.consistent_extension()
    if dag is None:
        raise GraphError(
            "no acyclic graph extends these edges: whichever way the undirected ones are directed, "
            "there is a cycle or a further v-structure"
        )
    return pdag, dag.essential_graph()
