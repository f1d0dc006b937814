"""Graphs of directed and undirected edges that stand for the networks that agree with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from dagscape import _core
from dagscape.errors import GraphError
from dagscape.graphs.dag import Dag, Direction, Pair, is_networkx, numbered_pairs
from dagscape.graphs.named_graph import NamedGraph, reached
from dagscape.speech import for_python
from dagscape.variables import Variables, suggest

if TYPE_CHECKING:
    from typing import Self

    import networkx as nx


class Mpdag(NamedGraph):
    """A maximally oriented graph: networks of one class that agree in the directions of some edges.

    An edge is directed where all networks that it stands for agree, undirected otherwise. Such is
    an essential graph (:class:`Cpdag`), and one in which further directions are known, with all
    that follows from them. Immutable; equal when variables and edges are.

    Parameters
    ----------
    names
        The variables, those without edges included.
    directed, undirected
        Pairs of names; a directed one goes from the first to the second.

    Raises
    ------
    GraphError
        If no network agrees with the edges, or further directions follow from them.

    Notes
    -----
    What follows is given by the four rules of Meek, Causal inference and causal
    explanation with background knowledge, UAI 1995.
    """

    __slots__ = ("_reasons",)
    _graph: _core.Pdag
    _reasons: Mapping[Pair, Direction]

    def __init__(
        self, names: Iterable[str], directed: Iterable[Pair] = (), undirected: Iterable[Pair] = ()
    ) -> None:
        variables = Variables(names)
        pdag, essential = completed(variables, directed, undirected)
        oriented = orientation(essential, pdag.directed, variables)
        if oriented != pdag:
            changed = sorted(set(pdag.directed) ^ set(oriented.directed))
            a, b = (variables.name(v) for v in changed[0])
            raise GraphError(f"the other edges imply the direction {a} -> {b}, which is not there")
        self._variables = variables
        self._graph = pdag

    @property
    def directed(self) -> tuple[Pair, ...]:
        """The directed edges, as pairs (from, to)."""
        return self._variables.show_pairs(self._graph.directed)

    @property
    def reasons(self) -> Mapping[Pair, Direction]:
        """Why edges are directed, where that is known: in essential graphs and in results.

        It is no part of equality, and not kept in files of graphs.
        """
        return getattr(self, "_reasons", {})

    def with_reasons(self, reasons: Mapping[Pair, Direction]) -> Mpdag:
        """Return the same graph with reasons for its directions; all others are implied."""
        made = Mpdag._wrap(self._variables, self._graph)
        implied = Direction("implied")
        made._reasons = MappingProxyType({arc: reasons.get(arc, implied) for arc in self.directed})
        return made

    @property
    def undirected(self) -> tuple[Pair, ...]:
        """The undirected edges, each once."""
        rank = self._variables.display_rank
        edges = (tuple(sorted(edge, key=rank)) for edge in self._graph.undirected)
        return self._variables.show_pairs((a, b) for a, b in edges)

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the variables with a directed edge to this one."""
        return self._named(self._graph.parents, name)

    def children(self, name: str) -> tuple[str, ...]:
        """Return the variables with a directed edge from this one."""
        return self._named(self._graph.children, name)

    def undirected_neighbors(self, name: str) -> tuple[str, ...]:
        """Return the variables joined to this one by an undirected edge."""
        return self._named(self._graph.undirected_neighbors, name)

    def neighbors(self, name: str) -> tuple[str, ...]:
        """Return all variables joined to this one by an edge of either kind."""
        return self._named(self._graph.adjacent, name)

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

    def possible_descendants(self, name: str) -> tuple[str, ...]:
        """Return the variables to which a directed path leads in some network of the class.

        Those of an essential graph: a path there with no arc against it is directed in one of them.
        With directions that knowledge gave, some may be too many.
        """
        self._variables.number(name)
        found = reached(name, lambda x: (*self.children(x), *self.undirected_neighbors(x)))
        return tuple(x for x in self.names if x in found and x != name)

    def to_dag(self) -> Dag:
        """Return one of the networks (Dor and Tarsi 1992).

        Among equals, edges go from the lower to the higher name, so the answer is always the same.
        """
        dag = self._graph.consistent_extension()
        if dag is None:  # checked when the graph was made
            raise GraphError("no network agrees with the graph; this is a bug")
        return Dag._wrap(self._variables, dag)

    def to_cpdag(self) -> Cpdag:
        """Return the essential graph of the class that all the networks are in."""
        return self.to_dag().to_cpdag()

    def orient(self, arcs: Iterable[Pair]) -> Mpdag:
        """Return the graph in which these edges are directed too, with all that follows.

        Raises
        ------
        GraphError
            If an arc is no edge of the graph, or no network of the class has all of them.
        """
        wanted = numbered_pairs(self._variables, arcs, "an arc")
        return Mpdag._wrap(self._variables, orientation(self._graph, wanted, self._variables))

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
    def from_networkx(cls, graph: nx.Graph[str]) -> Self:
        """Take over what :meth:`to_networkx` gives.

        Two opposite arcs, and the edges of an undirected graph, are undirected edges too.
        """
        if not is_networkx(graph):
            raise GraphError(f"a graph of networkx is needed, got {type(graph).__name__}")
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

    def to_causallearn(self) -> Any:
        """Return a ``GeneralGraph`` of causal-learn."""
        from dagscape.graphs.causallearn_and_dowhy import to_causallearn

        lines = [(a, "-", b) for a, b in self.undirected]
        return to_causallearn(self.names, [*((a, "->", b) for a, b in self.directed), *lines])

    @classmethod
    def from_causallearn(cls, graph: Any) -> Self:
        """Take over a graph of causal-learn, or what one of its searches (PC, GES) gave.

        What PC gives is refused where its tests contradict each other, so that no network agrees
        with it.
        """
        from dagscape.graphs.causallearn_and_dowhy import arcs_and_lines, from_causallearn

        names, edges = from_causallearn(graph)
        return cls(names, *arcs_and_lines(edges))

    def __hash__(self) -> int:
        graph = self._graph
        return hash((self._variables, tuple(graph.directed), tuple(graph.undirected)))

    def __reduce__(
        self,
    ) -> tuple[type[Mpdag], tuple[tuple[str, ...], tuple[Pair, ...], tuple[Pair, ...]]]:
        # The engine's graph cannot be copied to another process; it is made again there.
        return type(self), (self.names, self.directed, self.undirected)

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__}: {len(self.names)} variables, {len(self._graph.directed)} "
            f"directed and {len(self._graph.undirected)} undirected edges>"
        )


def completed(
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


def orientation(
    graph: _core.Pdag, arcs: Iterable[tuple[int, int]], variables: Variables
) -> _core.Pdag:
    """Return a graph with these edges directed too, and all that follows by Meek's rules.

    What follows is drawn after each arc, so that one which contradicts it is found out.
    """
    making = _core.Orientation(graph.variables, [*graph.directed, *graph.undirected])
    for a, b in graph.directed:
        making.add_arc(a, b)
    making.follow()
    for a, b in arcs:
        if not making.add_arc(a, b):
            one, other = variables.name(a), variables.name(b)
            joined = b in graph.adjacent(a)
            why = "no network with the other directions has it" if joined else "they are not joined"
            raise GraphError(f"{one} -> {other} cannot be directed: {why}")
        making.follow()
    return making.pdag()


# The essential graph of an equivalence class of directed acyclic graphs.


class Cpdag(Mpdag):
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

    __slots__ = ()

    def __init__(
        self, names: Iterable[str], directed: Iterable[Pair] = (), undirected: Iterable[Pair] = ()
    ) -> None:
        variables = Variables(names)
        pdag, essential = completed(variables, directed, undirected)
        if essential != pdag:
            changed = sorted(set(pdag.directed) ^ set(essential.directed))
            a, b = (variables.name(v) for v in changed[0])
            raise GraphError(
                f'this is not an essential graph: the edge between "{a}" and "{b}" is directed '
                "otherwise than the rest implies"
                + for_python("; use Cpdag.from_pdag to complete it")
            )
        self._variables = variables
        self._graph = essential

    @classmethod
    def from_pdag(
        cls, names: Iterable[str], directed: Iterable[Pair] = (), undirected: Iterable[Pair] = ()
    ) -> Cpdag:
        """Return the class of the networks that extend a partially directed graph.

        Such a network directs the undirected edges without a cycle or a further v-structure. If
        there is none, that is a :class:`~dagscape.GraphError`.
        """
        variables = Variables(names)
        return cls._wrap(variables, completed(variables, directed, undirected)[1])

    @property
    def reasons(self) -> Mapping[Pair, Direction]:
        """Why edges are directed: all for v-structures, and what follows from them."""
        return dict.fromkeys(self.directed, Direction("structure"))

    def to_cpdag(self) -> Cpdag:
        """Return the graph itself."""
        return self


def essential_of(variables: Variables, graph: _core.Pdag) -> Mpdag:
    """Return the essential graph of a class, a Cpdag unless experiments make the class smaller."""
    dag = graph.consistent_extension()
    plain = dag is not None and dag.essential_graph() == graph
    return (Cpdag if plain else Mpdag)._wrap(variables, graph)


GraphLike: TypeAlias = "Dag | Mpdag | nx.DiGraph[str] | Iterable[Pair]"


def as_dag(graph: GraphLike, variables: Variables) -> Dag:
    """Return the graph as a Dag on these variables.

    Of a graph that stands for several networks, one of them. A list of arcs leaves the variables it
    does not mention without arcs; any other graph must have exactly these variables.
    """
    if isinstance(graph, Dag):
        dag = graph
    elif isinstance(graph, Mpdag):
        dag = graph.to_dag()
    elif is_networkx(graph):
        dag = Dag.from_networkx(graph)
    elif isinstance(graph, Iterable):
        return Dag(variables.names, cast("Iterable[Pair]", graph))
    else:
        raise GraphError(
            "a graph is a Dag, a Cpdag, a networkx DiGraph or a list of arcs, "
            f"got {type(graph).__name__}"
        )
    for name in dag.names:
        if name not in variables:
            near = suggest(name, [x for x in variables.names if x not in dag.variables])
            raise GraphError(f'the graph has a variable "{name}" that the data lack{near}')
    for name in variables.names:
        if name not in dag.variables:
            raise GraphError(f'the data have a variable "{name}" that the graph lacks')
    return dag
