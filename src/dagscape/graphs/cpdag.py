"""The essential graph of an equivalence class of directed acyclic graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dagscape import _core
from dagscape.errors import GraphError
from dagscape.graphs.dag import Pair
from dagscape.graphs.direction import Direction
from dagscape.graphs.mpdag import Mpdag, completed
from dagscape.speech import for_python
from dagscape.variables import Variables


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
