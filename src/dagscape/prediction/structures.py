"""Structures to predict with, by name: how a table becomes a graph."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.learning.learn import learn
from dagscape.results import Result
from dagscape.scores import LogLikelihood
from dagscape.scoring import local_score
from dagscape.search import ges, hill_climb, kes, mmhc, order_search
from dagscape.search.exact import exact
from dagscape.variables import check_name, suggest

if TYPE_CHECKING:
    from dagscape.data import Data


def naive(data: Data, target: str) -> Dag:
    """Return the graph in which the target is the one parent of every other variable."""
    return Dag(data.names, [(target, x) for x in data.names if x != target])


def tree_augmented(data: Data, target: str) -> Dag:
    """Return the naive graph with the tree among the others that makes the data most likely.

    A tree gains as much likelihood as its edges together: for each, the rows times the mutual
    information of the two variables given the target. So the best is a spanning tree of greatest
    weight. It is directed away from the variable that comes first by name, which changes no
    likelihood; of edges that weigh the same, those that come first by name are taken.

    Source: Friedman, Geiger and Goldszmidt, Bayesian network classifiers, Machine Learning 1997;
    the tree without a target: Chow and Liu 1968.
    """
    others = sorted(x for x in data.names if x != target)
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(others)
    likelihood = LogLikelihood()
    alone = {x: local_score(data, x, [target], score=likelihood) for x in others}
    for a, b in combinations(others, 2):
        both = local_score(data, b, [target, a], score=likelihood)
        graph.add_edge(a, b, weight=both - alone[b])
    arcs = [(target, x) for x in others]
    if others:
        tree = nx.maximum_spanning_tree(graph, algorithm="kruskal")
        arcs += nx.bfs_edges(tree, others[0])
    return Dag(data.names, arcs)


Search: TypeAlias = "Callable[[Data], Result | Dag]"
Structure: TypeAlias = "str | Dag | Search"

SEARCHES: Mapping[str, Callable[..., Result]] = {
    "hill_climb": hill_climb,
    "exact": exact,
    "ges": ges,
    "kes": kes,
    "learn": learn,
    "mmhc": mmhc,
    "order_search": order_search,
}
"""The searches that can be asked for by name."""
BASELINES: Mapping[str, Callable[[Data, str], Dag]] = {"naive": naive, "tan": tree_augmented}
"""Structures that are made for one target."""


@dataclass(frozen=True)
class StructureMaker:
    """What makes the graph of a table, checked before the first table comes."""

    structure: Structure
    target: str
    settings: Mapping[str, Any]

    @property
    def words(self) -> str:
        """How the graph is made, as it is told."""
        if isinstance(self.structure, Dag):
            return "a given graph"
        if isinstance(self.structure, str):
            return self.structure
        return getattr(self.structure, "__name__", type(self.structure).__name__)

    def __call__(self, data: Data) -> Dag:
        """Return the graph; Ctrl-C during a search ends all that would have followed."""
        if isinstance(self.structure, Dag):
            return self.structure
        found: Any
        if isinstance(self.structure, str) and self.structure in BASELINES:
            found = BASELINES[self.structure](data, self.target)
        elif isinstance(self.structure, str):
            found = SEARCHES[self.structure](data, **self.settings)
        else:
            found = self.structure(data)
        if isinstance(found, Result):
            if found.stopped == "interrupt":
                raise KeyboardInterrupt
            return found.dag
        if isinstance(found, Dag):
            return found
        raise ParameterError(
            f"structure must return a Result or a Dag, got {type(found).__name__} from {self.words}"
        )


def structure_maker(
    structure: Structure, target: str, settings: Mapping[str, Any], seed: int = 0
) -> StructureMaker:
    """Check how structures are to be made: a name, a graph or a function."""
    if not isinstance(structure, str):
        if not isinstance(structure, Dag) and not callable(structure):
            raise ParameterError(
                "structure must be the name of a search, a Dag or a function of a table, "
                f"got {type(structure).__name__}"
            )
        if settings:
            raise ParameterError(
                f"{next(iter(settings))} is a setting of a search that is named; structure is "
                "a graph or a function, and takes none"
            )
        return StructureMaker(structure, target, {})
    check_name("structure", structure, (*BASELINES, *SEARCHES))
    known = settings_of(structure)
    for name in settings:
        if name not in known:
            raise ParameterError(f"{structure} has no setting {name}{suggest(name, known)}")
    # Predictions need the network alone, so learn does not ask how far to trust it.
    given = {"runs": 0, "resamples": 0, **settings} if structure == "learn" else dict(settings)
    made = {"seed": seed, **given} if "seed" in known else given
    return StructureMaker(structure, target, made)


def settings_of(structure: str) -> list[str]:
    """Return the settings that a structure with a name takes; none for one that is unknown."""
    if structure not in SEARCHES:
        return []
    return [x for x in inspect.signature(SEARCHES[structure]).parameters if x != "data"]
