"""Graphs that say what is shared by all explanations in which causes may be hidden."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.arguments import as_list
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs.dag import Pair
from dagscape.graphs.named_graph import NamedGraph, reached
from dagscape.graphs.pag_adjustment import adjustment_set, may_lead
from dagscape.graphs.pag_separation import Separation
from dagscape.variables import Variables

if TYPE_CHECKING:
    import networkx as nx

MarkedPair = tuple[str, str, str]

EDGES = ("->", "<->", "o->", "o-o", "<-", "<-o")
"""How edges are written: a head, a circle or nothing, a tail, at either end."""

_TURNED = {"<-": "->", "<-o": "o->"}


class Pag(NamedGraph):
    """A partial ancestral graph (PAG): what is known of causes where some may be hidden.

    It stands for all maximal ancestral graphs over the variables with the same independences. A
    tail at a variable says that it is a cause of the other, perhaps through others; a head, that it
    is none; a circle, that both are possible. Immutable; equal when variables and edges are.

    ``a -> b``: a is a cause of b. ``a <-> b``: neither is, so that something hidden drives both.
    ``a o-> b``: b is no cause of a. ``a o-o b``: nothing is known but that nothing separates them.

    Parameters
    ----------
    names
        The variables, those without edges included.
    edges
        Triples ``(a, "o->", b)``, with one of ``->``, ``<->``, ``o->``, ``o-o`` (or ``<-``,
        ``<-o``).

    Raises
    ------
    GraphError
        If no ancestral graph agrees with the edges, or further marks follow from them.

    Notes
    -----
    More marks than the independences give are taken as knowledge, if some ancestral graph has them
    and all that follows is there. Only a *visible* arrow says that no hidden cause drives both of
    its ends. Everything here assumes that no variable decided which rows are in the table.
    Sources: Richardson and Spirtes, Ancestral graph Markov models, 2002; Zhang, On the completeness
    of orientation rules for causal discovery in the presence of latent confounders and selection
    bias, 2008.

    Examples
    --------
    >>> import dagscape as ds
    >>> pag = ds.Dag("abcd", [("a", "c"), ("b", "c"), ("c", "d")]).to_pag()
    >>> pag.edges
    (('a', 'o->', 'c'), ('b', 'o->', 'c'), ('c', '->', 'd'))
    >>> pag.visible
    (('c', 'd'),)
    """

    __slots__ = ()
    _graph: _core.MarkedGraph

    def __init__(self, names: Iterable[str], edges: Iterable[MarkedPair] = ()) -> None:
        self._variables = Variables(names)
        self._graph = _core.MarkedGraph(
            len(self._variables), list(_numbered(self._variables, edges))
        )
        if reason := flaw(self._graph, self._variables):
            raise GraphError(f"this is not a partial ancestral graph: {reason}")

    @property
    def edges(self) -> tuple[MarkedPair, ...]:
        """All edges, as triples (a, ``"o->"``, b); one head of two points to the second."""
        rank, name = self._variables.display_rank, self._variables.name
        listed = []
        for a, edge, b in self._graph.edges:
            turned = edge in _TURNED or (edge in ("<->", "o-o") and rank(a) > rank(b))
            listed.append((b, _TURNED.get(edge, edge), a) if turned else (a, edge, b))
        listed.sort(key=lambda edge: (rank(edge[0]), rank(edge[2])))
        return tuple((name(a), edge, name(b)) for a, edge, b in listed)

    @property
    def directed(self) -> tuple[Pair, ...]:
        """The pairs (a, b) with ``a -> b``: a is a cause of b, perhaps through others."""
        return tuple((a, b) for a, edge, b in self.edges if edge == "->")

    @property
    def bidirected(self) -> tuple[Pair, ...]:
        """The pairs with ``a <-> b``, each once: neither is a cause of the other."""
        return tuple((a, b) for a, edge, b in self.edges if edge == "<->")

    @property
    def visible(self) -> tuple[Pair, ...]:
        """The arrows of `directed` whose two ends share no hidden cause.

        Source: Zhang, Causal reasoning with ancestral graphs, JMLR 2008.
        """
        return self._variables.show_pairs(self._graph.visible_arrows())

    def neighbors(self, name: str) -> tuple[str, ...]:
        """Return all variables joined to this one."""
        return self._named(self._graph.adjacent, name)

    def edge(self, a: str, b: str) -> str | None:
        """Return the edge as written from a to b, such as ``"<-o"``; None if there is none."""
        first, second = self._variables.number(a), self._variables.number(b)
        if first == second:
            raise ParameterError(f"an edge joins two variables, got {a!r} twice")
        return written(self._graph.mark(first, second), self._graph.mark(second, first))

    def possible_descendants(self, name: str) -> tuple[str, ...]:
        """Return the variables that this one may be a cause of, directly or through others.

        Those along paths on which each edge could be an arrow away from it.
        """
        self._variables.number(name)
        found = reached(name, lambda x: (y for y in self.neighbors(x) if may_lead(self, x, y)))
        return tuple(x for x in self.names if x in found and x != name)

    def m_separated(self, a: str, b: str, given: str | Iterable[str] = ()) -> bool:
        """Tell whether the graph says that two variables are independent, given others.

        All ancestral graphs that it stands for agree on that.
        """
        names = [given] if isinstance(given, str) else as_list("given", given, "names")
        numbers = [self._variables.number(name) for name in (a, b, *names)]
        if len({*numbers}) != len(numbers):
            raise ParameterError("a, b and given must not share a variable")
        return Separation(self._member())(numbers[0], numbers[1], sorted(numbers[2:]))

    def _member(self) -> _core.MarkedGraph:
        """Return the engine's graph of one ancestral graph that it stands for."""
        return self._graph.member_of() or self._graph  # the former; it was asked for beforehand

    def adjustment_set(self, cause: str, outcome: str) -> tuple[str, ...] | None:
        """Return the variables to adjust for, to see what setting the cause does to the outcome.

        None where no set of variables gives it, whatever is hidden. Empty if what is seen is what
        would be done.

        Notes
        -----
        None of them can be left out. Source: Perković, Textor, Kalisch and Maathuis, Complete
        graphical characterization and construction of adjustment sets in Markov equivalence classes
        of ancestral graphs, JMLR 2018.
        """
        if self._variables.number(cause) == self._variables.number(outcome):
            raise ParameterError("cause and outcome must be two variables")
        return adjustment_set(self, cause, outcome)

    def to_networkx(self) -> nx.DiGraph[str]:
        """Return a networkx DiGraph with each edge once and an attribute ``edge`` (``"o->"``)."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.names)
        for a, edge, b in self.edges:
            graph.add_edge(a, b, edge=edge)
        return graph

    def to_causallearn(self) -> Any:
        """Return a ``GeneralGraph`` of causal-learn."""
        from dagscape.graphs.causallearn_and_dowhy import to_causallearn

        return to_causallearn(self.names, self.edges)

    @classmethod
    def from_causallearn(cls, graph: Any) -> Pag:
        """Take over a graph of causal-learn, or what its FCI gave."""
        from dagscape.graphs.causallearn_and_dowhy import from_causallearn

        return cls(*from_causallearn(graph))

    def __hash__(self) -> int:
        return hash((self._variables, tuple(self._graph.edges)))

    def __reduce__(self) -> tuple[type[Pag], tuple[tuple[str, ...], tuple[MarkedPair, ...]]]:
        # The engine's graph cannot be copied to another process; it is made again there.
        return Pag, (self.names, self.edges)

    def __repr__(self) -> str:
        edges = self.edges
        shown = ", ".join(" ".join(edge) for edge in edges[:6])
        more = f", ... ({len(edges)} edges)" if len(edges) > 6 else ""
        return f"<Pag: {len(self.names)} variables; {shown or 'no edges'}{more}>"


def flaw(graph: _core.MarkedGraph, variables: Variables) -> str:
    """Return why no class of ancestral graphs has these marks, or nothing.

    The class of an ancestral graph that agrees with the marks must have the same edges and no
    mark against them, and no further mark may follow.
    """
    member = graph.member_of()
    if member is None or not member.is_maximal_ancestral():
        return "no ancestral graph without selection agrees with its edges"
    followed = graph.followed(
        lambda _, middle, last: member.mark(middle, last) == "tail"  # what the fourth rule asks
    )
    for needed in (member.class_of(), followed):
        for a, _, b in graph.edges:
            for at, other in ((a, b), (b, a)):
                here, there = graph.mark(at, other), needed.mark(at, other)
                if there not in ("circle", here):
                    return (
                        f"the other edges imply a {there} at {variables.name(at)} of its edge with "
                        f"{variables.name(other)}, where it has a {here}"
                    )
    return ""


def written(at_first: str, at_second: str) -> str | None:
    """Return an edge by the marks at its ends; None where there is no edge."""
    if not at_first:
        return None
    begin = {"circle": "o-", "head": "<-", "tail": "-"}[at_first]
    return begin + {"circle": "o", "head": ">", "tail": ""}[at_second]


def _numbered(variables: Variables, edges: Iterable[MarkedPair]) -> Iterable[tuple[int, str, int]]:
    """Yield edges as the engine's, refusing unknown names, loops and doubles."""
    seen = set()
    for edge in as_list("edges", edges, 'triples such as ("a", "o->", "b")'):
        if not isinstance(edge, tuple | list) or len(edge) != 3:
            raise GraphError(f'an edge must be a triple such as ("a", "o->", "b"), got {edge!r}')
        a, written, b = edge
        if not isinstance(written, str) or written not in EDGES:
            raise GraphError(f"an edge must be one of {', '.join(EDGES)}, got {written!r}")
        if a == b:
            raise GraphError(f'an edge joins "{a}" with itself')
        try:
            first, second = variables.number(a), variables.number(b)
        except ParameterError as error:
            raise GraphError(f"an edge joins {a!r} with {b!r}: {error}") from None
        if frozenset((first, second)) in seen:
            raise GraphError(f'"{a}" and "{b}" are joined by more than one edge')
        seen.add(frozenset((first, second)))
        yield first, written, second
