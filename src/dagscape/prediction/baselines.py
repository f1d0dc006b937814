"""Structures made to predict one variable: naive Bayes, and naive Bayes augmented by a tree."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from dagscape.graphs import Dag
from dagscape.scores import LogLikelihood
from dagscape.scoring import local_score

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
