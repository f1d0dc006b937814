"""A directed acyclic graph on named variables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from dagscape import _core
from dagscape.arguments import as_list
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs.named_graph import NamedGraph, thinned
from dagscape.targets import kinds_in, telling
from dagscape.variables import Variables, is_pair

if TYPE_CHECKING:
    import networkx as nx

    from dagscape.graphs.mpdag import Cpdag, Mpdag
    from dagscape.graphs.pag import Pag

Pair = tuple[str, str]


def is_networkx(graph: object) -> TypeGuard[nx.DiGraph[str]]:
    """Tell whether this is a networkx graph, without importing networkx: its owner has done so."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(graph, networkx.Graph)


def numbered_pairs(variables: Variables, pairs: Iterable[Pair], what: str) -> list[tuple[int, int]]:
    """Return pairs of names as the engine's numbers, refusing unknown names and loops."""
    numbered = []
    for pair in as_list("arcs" if what == "an arc" else "edges", pairs, "pairs of names"):
        if not is_pair(pair):
            raise GraphError(f"{what} must be a pair of two different names, got {pair!r}")
        first, second = pair
        try:
            numbered.append((variables.number(first), variables.number(second)))
        except ParameterError as error:
            raise GraphError(f"{what} joins {first!r} with {second!r}: {error}") from None
    return numbered


class Dag(NamedGraph):
    """A directed acyclic graph.

    Immutable. Two are equal when they have the same variables and the same arcs; the order in which
    the variables were listed is for display only.

    Parameters
    ----------
    names
        The variables, those without arcs included.
    arcs
        Pairs (from, to) of names.

    Raises
    ------
    GraphError
        If a name is unknown or the arcs form a cycle, which the message spells out.
    """

    __slots__ = ("_essential",)
    _essential: Cpdag
    _graph: _core.Dag

    def __init__(self, names: Iterable[str], arcs: Iterable[Pair] = ()) -> None:
        variables = Variables(names)
        numbered = numbered_pairs(variables, arcs, "an arc")
        if cycle := _core.find_cycle(len(variables), numbered):
            spelled = " -> ".join(variables.name(v) for v in [*cycle, cycle[0]])
            raise GraphError(f"the arcs form a cycle: {spelled}")
        self._variables = variables
        self._graph = _core.Dag(len(variables), numbered)

    @classmethod
    def _of_arcs(cls, variables: Variables, arcs: Iterable[tuple[int, int]]) -> Dag:
        """Return the network of arcs between numbers, as searches find it: without cycles."""
        return cls._wrap(variables, _core.Dag(len(variables), list(arcs)))

    @classmethod
    def _of_sets(cls, variables: Variables, sets: Iterable[Sequence[int]]) -> Dag:
        """Return the network of a parent set for each variable, by number."""
        return cls._of_arcs(variables, ((p, v) for v, given in enumerate(sets) for p in given))

    @classmethod
    def from_networkx(cls, graph: nx.Graph[str]) -> Dag:
        """Take over a networkx DiGraph, nodes without arcs included.

        Edges that :meth:`Cpdag.to_networkx` marks as undirected are refused: as arcs, they could
        make another network.
        """
        if not is_networkx(graph):
            raise GraphError(f"a graph of networkx is needed, got {type(graph).__name__}")
        if not graph.is_directed():
            raise GraphError(
                "a Dag needs a directed graph (networkx.DiGraph), got an undirected one"
            )
        for a, b, directed in graph.edges(data="directed", default=True):
            if not directed:
                raise GraphError(
                    f'the edge between "{a}" and "{b}" is marked directed=False; '
                    "use Cpdag.from_networkx, then to_dag"
                )
        return cls(graph.nodes, graph.edges())

    @property
    def arcs(self) -> tuple[Pair, ...]:
        """All arcs, as pairs (from, to)."""
        return self._variables.show_pairs(self._graph.arcs)

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the variables with an arc to this one."""
        return self._named(self._graph.parents, name)

    def children(self, name: str) -> tuple[str, ...]:
        """Return the variables with an arc from this one."""
        return self._named(self._graph.children, name)

    def neighbors(self, name: str) -> tuple[str, ...]:
        """Return parents and children."""
        v = self._variables.number(name)
        return self._variables.show([*self._graph.parents(v), *self._graph.children(v)])

    def spouses(self, name: str) -> tuple[str, ...]:
        """Return the other parents of the children; one may be a parent or child as well."""
        return self._named(self._graph.spouses, name)

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Return parents, children and spouses."""
        return self._named(self._graph.markov_blanket, name)

    def ancestors(self, name: str) -> tuple[str, ...]:
        """Return the variables with a directed path to this one."""
        return self._variables.show(self._graph.ancestors([self._variables.number(name)]))

    def descendants(self, name: str) -> tuple[str, ...]:
        """Return the variables with a directed path from this one."""
        return self._variables.show(self._graph.descendants([self._variables.number(name)]))

    def topological_order(self) -> tuple[str, ...]:
        """Return the variables, parents before children; ties go to the lower name."""
        return tuple(self._variables.name(v) for v in self._graph.topological_order())

    def v_structures(self) -> tuple[tuple[str, str, str], ...]:
        """Return triples (a, c, b) with arcs a -> c and b -> c, and none between a and b."""
        name = self._variables.name
        return tuple((name(a), name(c), name(b)) for a, c, b in self._graph.v_structures())

    def covered_arcs(self) -> tuple[Pair, ...]:
        """Return the arcs whose two ends have the same other parents.

        Reversing one of these gives an equivalent network, and reversing any other does not.
        """
        return self._variables.show_pairs(self._graph.covered_arcs())

    def moral_graph(self) -> nx.Graph[str]:
        """Return the moral graph: every variable joined to its Markov blanket."""
        import networkx as nx

        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from(self._variables.show_pairs(self._graph.moral_edges()))
        return graph

    def d_separated(
        self, a: str | Iterable[str], b: str | Iterable[str], given: str | Iterable[str] = ()
    ) -> bool:
        """Tell whether `given` d-separates `a` from `b`: names, or collections of names."""
        sets = [self._numbers(names) for names in (a, b, given)]
        if sum(map(len, sets)) != len(set().union(*sets)):
            raise ParameterError("a, b and given must not share a variable")
        return self._graph.d_separated(*(sorted(numbers) for numbers in sets))

    def adjustment_set(self, cause: str, outcome: str) -> tuple[str, ...]:
        """Return the variables to adjust for, to see what setting the cause does to the outcome.

        Then P(outcome | do(cause)) is the mean of P(outcome | cause, these) over how they are
        distributed. None of them can be left out; of several such sets it is one near the outcome.
        Empty if what is seen is what would be done, and also if the cause has no effect on the
        outcome and nothing confounds them.

        Notes
        -----
        This takes arcs for causes. A set that no variable can be left out of need not be the
        smallest. Source: van der Zander, Liśkiewicz and Textor, Constructing separators and
        adjustment sets in ancestral graphs, 2014.
        """
        if self._numbers(cause) == self._numbers(outcome):
            raise ParameterError("cause and outcome must be two variables")
        after = {*self.descendants(cause)}
        causal = {*self.ancestors(outcome), outcome} & after
        # What neither is above cannot part them, nor join them.
        around = {*self.ancestors(cause), *self.ancestors(outcome), cause, outcome}
        arcs = ((a, b) for b in around for a in self.parents(b))
        kept = sorted((a, b) for a, b in arcs if a != cause or b not in causal)
        without = Dag(sorted(around), kept)
        if outcome not in after and without.d_separated(cause, outcome):
            return ()
        above = {*self.ancestors(cause), *self.ancestors(outcome)} - after - {cause, outcome}
        if outcome in self.ancestors(cause):
            raise ParameterError(
                f'"{outcome}" is above "{cause}", so setting "{cause}" does nothing to it'
            )
        # The first ones go first, so that those near the outcome stay.
        first = {self._variables.number(x) for x in above}
        chosen = thinned(
            [self._variables.name(v) for v in self._graph.topological_order() if v in first],
            lambda rest: without.d_separated(cause, outcome, rest),
        )
        return tuple(x for x in self.names if x in chosen)

    def to_cpdag(self) -> Cpdag:
        """Return the essential graph of the networks equivalent to this one."""
        if not hasattr(self, "_essential"):
            from dagscape.graphs.mpdag import Cpdag

            self._essential = Cpdag._wrap(self._variables, self._graph.essential_graph())
        return self._essential

    def to_mpdag(self, experiments: Mapping[str, Iterable[str]]) -> Mpdag:
        """Return the essential graph given experiments, with reasons for its directions.

        It stands for the networks that no table of these experiments can tell apart: equivalent
        ones that agree in every arc between a target of one of the experiments and a variable that
        was none there, with what follows (Hauser and Bühlmann, JMLR 13, 2012).

        Parameters
        ----------
        experiments
            By name, the variables that each set; none of them for rows without an experiment. A
            dict in place of a list says how, as :class:`Interventions` has it.
        """
        from dagscape.graphs.mpdag import Mpdag

        if not isinstance(experiments, Mapping):
            raise ParameterError(
                "experiments must be a dict from the name of each to the variables that it set, "
                f"got {experiments!r}"
            )
        done = {
            label: dict(each)
            if isinstance(each, Mapping)
            else dict.fromkeys(as_list("experiments", each, "names"), "randomized")
            for label, each in experiments.items()
        }
        for each in done.values():
            self._numbers(each)
        plain = self.to_cpdag()
        kinds = kinds_in(list(done.values()), self._variables.in_engine_order())
        graph = Mpdag._wrap(self._variables, self._graph.essential_graph(kinds))
        told = {
            (a, b): Direction("experiments", labels)
            for a, b in graph.directed
            if (labels := telling(done, a, b))
        }
        return graph.with_reasons({**told, **plain.reasons})

    def to_pag(self, hidden: Iterable[str] = ()) -> Pag:
        """Return what the network says of causes if some may be hidden.

        With variables named as hidden, the graph is over the others. Networks with the same
        separations among these give the same graph.

        Parameters
        ----------
        hidden
            Variables of the network that are not seen.

        Notes
        -----
        A definition, not a finding: of a learned network it takes every edge and every missing
        edge for true, and hidden causes show as edges too many. So an arrow of it may well be
        wrong; without hidden variables it never has ``a <-> b``.
        """
        from dagscape.graphs.pag import Pag

        unseen = self._numbers(hidden)
        graph = self._graph.ancestral_graph(sorted(unseen)).class_of()
        if not unseen:
            return Pag._wrap(self._variables, graph)
        seen = [name for name in self.names if self._variables.number(name) not in unseen]
        if not seen:
            raise ParameterError("hidden names all variables; leave at least one to be seen")
        rank = {self._variables.number(name): i for i, name in enumerate(sorted(seen))}
        edges = [(rank[a], edge, rank[b]) for a, edge, b in graph.edges]
        return Pag._wrap(Variables(seen), _core.MarkedGraph(len(seen), edges))

    def to_networkx(self) -> nx.DiGraph[str]:
        """Return a networkx DiGraph with all variables as nodes."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from(self.arcs)
        return graph

    def to_causallearn(self) -> Any:
        """Return a ``GeneralGraph`` of causal-learn."""
        from dagscape.graphs.causallearn_and_dowhy import to_causallearn

        return to_causallearn(self.names, [(a, "->", b) for a, b in self.arcs])

    @classmethod
    def from_causallearn(cls, graph: Any) -> Dag:
        """Take over a graph of causal-learn, or what one of its searches gave."""
        from dagscape.graphs.causallearn_and_dowhy import arcs_and_lines, from_causallearn

        names, edges = from_causallearn(graph)
        directed, undirected = arcs_and_lines(edges)
        if undirected:
            a, b = undirected[0]
            raise GraphError(
                f'the edge between "{a}" and "{b}" has no direction; use Mpdag.from_causallearn, '
                "then to_dag"
            )
        return cls(names, directed)

    @classmethod
    def from_dowhy(cls, model: Any) -> Dag:
        """Take over the graph of a ``CausalModel`` of DoWhy; :meth:`Result.to_dowhy` makes one."""
        from dagscape.graphs.causallearn_and_dowhy import arcs_of_dowhy

        return cls(*arcs_of_dowhy(model))

    def _numbers(self, names: str | Iterable[str]) -> set[int]:
        listed = [names] if isinstance(names, str) else as_list("names", names, "names")
        return {self._variables.number(name) for name in listed}

    def __hash__(self) -> int:
        return hash((self._variables, tuple(self._graph.arcs)))

    def __reduce__(self) -> tuple[type[Dag], tuple[tuple[str, ...], tuple[Pair, ...]]]:
        # The engine's graph cannot be copied to another process; it is made again there.
        return Dag, (self.names, self.arcs)

    def __repr__(self) -> str:
        arcs = self.arcs
        shown = ", ".join(f"{a} -> {b}" for a, b in arcs[:6])
        more = f", ... {len(arcs) - 6} more" if len(arcs) > 6 else ""
        counts = f"{len(self.names)} variables, {len(arcs)} arcs"
        return f"<Dag: {counts}: {shown}{more}>" if arcs else f"<Dag: {counts}>"


@dataclass(frozen=True)
class Direction:
    """Why an edge is directed; ``str(direction)`` says it in words."""

    reason: str
    """"structure": v-structures and what follows from them, which observed rows tell.
    "experiments": some set one end and not the other. "knowledge": the user knows. "implied": it
    follows from directions of the last two kinds."""
    experiments: tuple[str, ...] = ()
    """Those that tell it."""

    def __str__(self) -> str:
        if self.reason == "experiments":
            named = ", ".join(self.experiments[:3])
            more = len(self.experiments) - 3
            return f"experiments: {named}{f' and {more} more' if more > 0 else ''}"
        words = {
            "structure": "v-structures",
            "knowledge": "knowledge",
            "implied": "follows from other directions",
        }
        return words[self.reason]
